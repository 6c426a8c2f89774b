import type { Day } from '../people/day.ts';
import type { Person } from '../people/person.ts';
import { addDays, dateAt } from '../people/local-time.ts';
import type { Frame } from '../provider.ts';

/** Someone, and any date of their life. */
export interface Life {
  person: Person;
  dayOf: (date: string) => Day;
}

/** The life of someone as the frame knows it. */
export function lifeOf(frame: Pick<Frame, 'dayOf'>, person: Person): Life {
  return { person, dayOf: (date) => frame.dayOf(person, date) };
}

/** What the scale showed last within the two months before a moment. */
export function lastWeightKg({ person, dayOf }: Life, now: number): number | null {
  const today = dateAt(person, now);
  for (let back = 0; back < 60; back += 1) {
    const { body } = dayOf(addDays(today, -back));
    if (body && body.at <= now) return body.weightKg;
  }
  return null;
}
