import { addDays, momentAt } from '../../world/people/local-time.ts';
import type { Day } from '../../world/people/day.ts';
import { documentId } from '../document-id.ts';
import { isoAt } from '../local-time.ts';
import { classify, metOf } from './activity-classes.ts';
import { toScore } from './document-state.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';

const hourMs = 3_600_000;
/** Local hours at which the ring uploads the day so far. */
const syncHours = [10, 14, 18, 22];

/** Activity from 04:00 to 04:00. It is reported several times during the day, with totals that grow. */
export function keepDailyActivity(life: Life, date: string): DocumentState[] {
  const truth = life.dayOf(date);
  const id = documentId(life.person.id, 'daily_activity', date, 'day');
  const end = momentAt(truth.timezone, addDays(date, 1), 4 * 60);
  const ends = [...syncHours.map((hour) => momentAt(truth.timezone, date, hour * 60)), end];
  return ends.map((until, state) => ({
    id,
    day: date,
    key: until === end ? date : `${date} until ${syncHours[state]}`,
    endedAt: until,
    state,
    toDocument: (revision) => ({
      id,
      day: date,
      ...activityDocument(truth, life.dayOf(addDays(date, 1)), until, revision),
    }),
  }));
}

/** Activity from 04:00 to a given time, at most 04:00 of the next day. A revision adds steps that were counted late. */
function activityDocument(
  truth: Day,
  next: Day,
  until: number,
  revision: number,
): Omit<OuraDocument, 'id' | 'day'> {
  const from = momentAt(truth.timezone, truth.date, 4 * 60);
  const hours = [...hoursOf(truth), ...hoursOf(next)].filter(
    (hour) => hour.start >= from && hour.start + hourMs <= until,
  );
  const total = (pick: (hour: Hour) => number): number => hours.reduce((sum, hour) => sum + pick(hour), 0);
  const moving = (pick: (day: Day) => number): number =>
    Math.round(total((hour) => pick(hour.day) * hour.moving));
  const active = moving((day) => day.activeKcal);
  const low = moving((day) => day.activeSeconds.low);
  const medium = moving((day) => day.activeSeconds.medium);
  const high = moving((day) => day.activeSeconds.high);
  const sedentary = Math.round(total((hour) => hour.day.sedentarySeconds * hour.still));
  const classes = classify([truth, next], from, until, { low, medium, high });
  const steps = total((hour) => hour.steps) + 10 * revision;
  return {
    score: toScore(40 + steps / 200),
    steps,
    equivalent_walking_distance: moving((day) => day.distanceM),
    active_calories: active,
    total_calories: active + Math.round(total((hour) => hour.day.basalKcal * hour.time)),
    high_activity_time: high,
    medium_activity_time: medium,
    low_activity_time: low,
    sedentary_time: sedentary,
    resting_time: Math.max(0, Math.round((until - from) / 1000) - low - medium - high - sedentary),
    non_wear_time: 0,
    class_5_min: classes.join(''),
    met: {
      interval: 60,
      items: classes.flatMap((digit) => Array<number>(5).fill(metOf(digit))),
      timestamp: isoAt(from, truth.timezone),
    },
  };
}

interface Hour {
  day: Day;
  start: number;
  steps: number;
  /** This hour's share of the day's movement, rest and time. */
  moving: number;
  still: number;
  time: number;
}

function hoursOf(day: Day): Hour[] {
  const time = 1 / day.hourlySteps.length;
  const isAwake = day.hourlySteps.map((_steps, index) => {
    const middle = day.start + (index + 0.5) * hourMs;
    return !day.sleeps.some((sleep) => sleep.start <= middle && middle < sleep.end);
  });
  const awake = Math.max(1, isAwake.filter(Boolean).length);
  return day.hourlySteps.map((steps, index) => ({
    day,
    start: day.start + index * hourMs,
    steps,
    moving: day.steps > 0 ? steps / day.steps : time,
    still: isAwake[index] ? 1 / awake : 0,
    time,
  }));
}
