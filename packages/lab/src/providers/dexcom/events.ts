import type { Day, Workout } from '../../world/people/day.ts';
import type { Frame, Visible } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import type { Life } from '../life.ts';
import type { Placed } from './egv.ts';
import { timesAround } from './times.ts';
import { delayMs, firstDate, sessionOn } from './wearer.ts';

interface Entry {
  key: string;
  at: number;
  endedAt: number;
  eventType: string;
  eventSubType: string | null;
  value: number;
  unit: string;
}

export interface PlacedEvent extends Placed {
  seen: Visible;
}

/** Events that a sensor wearer entered on a date. Deleted entries stay, marked as deleted. */
export function eventsOf(frame: Frame, life: Life, date: string): PlacedEvent[] {
  const { person } = life;
  if (date < firstDate || !person.wearsGlucoseSensor) return [];
  const truth = life.dayOf(date);
  const session = sessionOn(frame, life, date);
  return entriesOf(frame, life, truth).flatMap(({ key, at, endedAt, value, ...entry }) => {
    const document = { person: person.id, kind: 'glucose event', key };
    const seen = frame.visible(document, endedAt + delayMs(life));
    if (!seen) return [];
    const isDeleted = seen.revision >= 2 && frame.chance('deleted', person.id, key) < 0.5;
    const record = {
      recordId: documentId(person.id, 'event', date, key),
      ...timesAround(at, truth.timezone, session)(at, frame.chance('short', person.id, at) < 0.05),
      eventStatus: isDeleted ? 'deleted' : seen.revision > 0 ? 'updated' : 'created',
      ...entry,
      // All event values are text.
      value: String(value + 5 * seen.revision),
    };
    return [{ at, record, seen }];
  });
}

/** The exercise in minutes, and breakfast. The ground truth has no meal data beyond the effect on blood glucose. */
function entriesOf(frame: Frame, { person }: Life, { date, workouts, sleeps }: Day): Entry[] {
  const breakfast = sleeps[0]!.end + 45 * 60_000;
  const exercise = workouts.map((workout) => ({
    key: workout.key,
    at: workout.start,
    endedAt: workout.end,
    eventType: 'exercise',
    eventSubType: effortOf(workout),
    value: (workout.end - workout.start) / 60_000,
    unit: 'minutes',
  }));
  const carbs = {
    key: `${date}-breakfast`,
    at: breakfast,
    endedAt: breakfast,
    eventType: 'carbs',
    eventSubType: null,
    value: 20 + Math.round(60 * frame.chance('carbs', person.id, date)),
    unit: 'grams',
  };
  return [carbs, ...exercise];
}

function effortOf({ zoneSeconds, start, end }: Workout): string {
  const share = (1000 * (zoneSeconds[3] + zoneSeconds[4])) / (end - start);
  if (share > 0.25) return 'heavy';
  return zoneSeconds[2] > zoneSeconds[0] ? 'medium' : 'light';
}
