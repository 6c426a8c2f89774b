import { archetypes, type Archetype, type ProfileInputWire } from '@tributary/contract';
import { Temporal } from 'temporal-polyfill';
import { formatDay, type DayNumber } from '../days.ts';
import { traitsOf } from './archetypes.ts';
import { shortHash, uniform } from './hashed-numbers.ts';

/** A made-up person; the same three facts always give the same life. */
export interface Person {
  readonly seed: string;
  readonly archetype: Archetype;
  /** Days count from here. */
  readonly firstDay: DayNumber;
}

/** The birthday lies so many days back, so that nobody turns older within the next months. */
const daysSinceBirthday = 100;

/** The seed of the person who is known under a reference. */
export function seedOf(referenceId: string): string {
  return shortHash(referenceId);
}

/** Who a person is when nobody asked for an archetype: one of those who work out, so that there is something to see. */
export function pickArchetype(seed: string): Archetype {
  const active = archetypes.filter((archetype) => traitsOf[archetype].workouts.some((one) => one !== null));
  return active[Math.floor(uniform(`${seed}|pick`) * active.length)]!;
}

/** The profile of an archetype, whose age holds on the given day and for months after it. */
export function profileOf(
  archetype: Archetype,
  onDay: DayNumber,
): Required<Pick<ProfileInputWire, 'birth_date' | 'sex' | 'height_cm' | 'weight_kg'>> {
  const { ageYears, sex, heightCm, weightKg } = traitsOf[archetype];
  const birthday = Temporal.PlainDate.from(formatDay(onDay - daysSinceBirthday));
  return {
    birth_date: birthday.subtract({ years: ageYears }).toString(),
    sex,
    height_cm: heightCm,
    weight_kg: weightKg,
  };
}
