import type { Day } from './people/day.ts';
import type { TimedDocument } from '../provider.ts';

/** All documents of a day, each with its end time. */
export function documentsOf(person: string, day: Day): TimedDocument[] {
  const one = (kind: string, key: string, endedAt: number): TimedDocument => ({
    document: { person, kind, key },
    endedAt,
  });
  return [
    ...day.sleeps.map(({ key, end }) => one('sleep', key, end)),
    ...day.workouts.map(({ key, end }) => one('workout', key, end)),
    ...(day.body ? [one('body', day.date, day.body.at)] : []),
    ...(day.bloodPressure ? [one('blood_pressure', day.date, day.bloodPressure.at)] : []),
    one('day', day.date, day.end),
    ...(day.glucose.length > 0 ? [one('glucose', day.date, day.end)] : []),
  ];
}
