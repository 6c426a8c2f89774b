import type { Day, Sleep, Workout } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import type { DocumentKey, Frame, Visible } from '../../provider.ts';
import { sleepsOnMat } from './ids.ts';
import { measurementsOf } from './measures.ts';
import type { Measurement } from './measures.ts';

interface TimedDocument {
  document: DocumentKey;
  endedAt: number;
}

/** A sleep summary first appears before it is complete. It is rewritten this long after the sleep ended. */
const completedAfterMs = 20 * 60_000;

/** Everything that Withings stores for a day of a person, and when it ended. */
export function documentsOf(person: Person, day: Day): TimedDocument[] {
  return [
    activityOf(person, day),
    ...day.workouts.map((workout) => workoutOf(person, day, workout)),
    ...day.sleeps.flatMap((sleep) => [sleepOf(person, day, sleep), completionOf(person, day, sleep)]),
    ...(sleepsOnMat(person.id)
      ? day.sleeps.map((sleep) => keep(person, 'bed-out', day, sleep.key, sleep.end))
      : []),
    ...measurementsOf(day).map((measurement) => measurementOf(person, day, measurement)),
  ];
}

/** Going to bed for the sleeps of a day, possibly on the day before. Only a mat detects it. */
export function bedtimesOf(person: Person, day: Day): TimedDocument[] {
  return sleepsOnMat(person.id)
    ? day.sleeps.map((sleep) => keep(person, 'bed-in', day, sleep.key, sleep.start))
    : [];
}

/** The summary of a day. */
export function activityOf(person: Person, day: Day): TimedDocument {
  return keep(person, 'activity', day, '', day.end);
}

/** One workout. */
export function workoutOf(person: Person, day: Day, workout: Workout): TimedDocument {
  return keep(person, 'workout', day, workout.key, workout.end);
}

/** One sleep, in its first version. */
export function sleepOf(person: Person, day: Day, sleep: Sleep): TimedDocument {
  return keep(person, 'sleep', day, sleep.key, sleep.end);
}

/** The same sleep once it is complete. */
export function completionOf(person: Person, day: Day, sleep: Sleep): TimedDocument {
  return keep(person, 'sleep-completed', day, sleep.key, sleep.end + completedAfterMs);
}

/** A group of measures. */
export function measurementOf(person: Person, day: Day, measurement: Measurement): TimedDocument {
  return keep(person, measurement.kind, day, '', measurement.at);
}

/** The local date that a document belongs to. */
export function dateOf(document: DocumentKey): string {
  return document.key.split('/')[0] ?? '';
}

/** The visible state of a document, or null. */
export function seen(frame: Frame, timedDocument: TimedDocument): Visible | null {
  return frame.visible(timedDocument.document, timedDocument.endedAt);
}

function keep(person: Person, kind: string, day: Day, key: string, endedAt: number): TimedDocument {
  return { document: { person: person.id, kind, key: key ? `${day.date}/${key}` : day.date }, endedAt };
}
