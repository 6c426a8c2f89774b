import type { Day } from '../world/people/day.ts';
import type { Person } from '../world/people/person.ts';
import { addDays, dateAt } from '../world/people/local-time.ts';
import type { Frame } from '../provider.ts';

/** A person, and any date of their life. */
export interface Life {
  person: Person;
  dayOf: (date: string) => Day;
}

/** A person's life, backed by the frame. */
export function lifeOf(frame: Pick<Frame, 'dayOf'>, person: Person): Life {
  return { person, dayOf: (date) => frame.dayOf(person, date) };
}

/** The last weight measurement within the two months before a time. */
export function lastWeightKg({ person, dayOf }: Life, now: number): number | null {
  const today = dateAt(person, now);
  for (let back = 0; back < 60; back += 1) {
    const { body } = dayOf(addDays(today, -back));
    if (body && body.at <= now) return body.weightKg;
  }
  return null;
}
