import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import type { DocumentKey, Frame } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import { activities, activityDetails } from './activities.ts';
import { daily } from './dailies.ts';
import { epochs } from './epochs.ts';
import type { Entry, NewEntry } from './entry.ts';
import { nightEntries } from './nights.ts';
import { bloodPressure, bodyComposition, respiration, stressDetails, userMetrics } from './vitals.ts';

/** How often a growing day is sent. */
const growingMs = 6 * 3_600_000;

/** Everything that Garmin sends for one day of a person. */
export function entriesOf(frame: Frame, person: Person, date: string): Entry[] {
  const day = frame.dayOf(person, date);
  const entry = (
    kind: string,
    key: string,
    from: number,
    endedAt: number,
    rows: Entry['rows'],
    isLast = true,
  ): Entry => ({
    document: { person: person.id, kind, key: key ? `${date}/${key}` : date },
    endedAt,
    from,
    isLast,
    rows,
  });
  const { body, bloodPressure: pressure } = day;
  return [
    ...growing(frame, person, day, entry),
    ...nightEntries(frame, person, day, entry),
    entry('stressDetails', '', day.start, day.end, () => ({ stressDetails: [stressDetails(person, day)] })),
    entry('allDayRespiration', '', day.start, day.end, () => ({
      allDayRespiration: [respiration(person, day)],
    })),
    entry('userMetrics', '', day.start, day.end, () => ({ userMetrics: [userMetrics(person, day)] })),
    ...(body
      ? [
          entry('bodyComps', '', body.at, body.at, () => ({
            bodyComps: [bodyComposition(person, day, body)],
          })),
        ]
      : []),
    ...(pressure
      ? [
          entry('bloodPressures', '', pressure.at, pressure.at, () => ({
            bloodPressures: [bloodPressure(person, day, pressure)],
          })),
        ]
      : []),
    ...day.workouts.map((workout) =>
      entry('activities', workout.key, workout.start, workout.end, ({ revision }) => ({
        // Manual edits have their own key.
        [revision > 0 ? 'manuallyUpdatedActivities' : 'activities']: activities(
          person,
          day,
          workout,
          revision,
        ),
        ...(revision > 0 ? {} : { activityDetails: activityDetails(person, day, workout, revision) }),
      })),
    ),
  ];
}

/** The entry that a document refers to. */
export function entryOf(frame: Frame, document: DocumentKey): Entry | undefined {
  const person = frame.person(document.person);
  const date = document.key.split('/')[0] ?? '';
  return person && entriesOf(frame, person, date).find((one) => isSame(one.document, document));
}

function growing(frame: Frame, person: Person, day: Day, entry: NewEntry): Entry[] {
  const ends = partsOf(day);
  const week = Array.from({ length: 7 }, (_, ago) => addDays(day.date, -ago));
  const dailies: Entry[] = ends.map((until, part) => {
    const isLast = until === day.end;
    const rows: Entry['rows'] = ({ revision }) => {
      // Late data is not sent once more of the day is known.
      const isOvertaken = dailies.slice(part + 1).some((one) => frame.visible(one.document, one.endedAt));
      if (isOvertaken) return {};
      const lastWeek = week.map((date) => frame.dayOf(person, date));
      return { dailies: [daily(person, day, until, isLast ? revision : 0, lastWeek)] };
    };
    return entry('dailies', String(part), day.start, until, rows, isLast);
  });
  const quarters = ends.map((until, part) => {
    const from = ends[part - 1] ?? day.start;
    return entry('epochs', String(part), from, until, () => ({ epochs: epochs(person, day, from, until) }));
  });
  return [...dailies, ...quarters];
}

/** The times at which a day is sent. The last one is the end of the day, including any clock change. */
function partsOf(day: Day): number[] {
  return [...[1, 2, 3].map((part) => day.start + part * growingMs), day.end];
}

function isSame(one: DocumentKey, other: DocumentKey): boolean {
  return one.kind === other.kind && one.key === other.key;
}
