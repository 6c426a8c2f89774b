import { archetypes, type Archetype, type ProfileInputWire } from '@tributary/contract';
import { Temporal } from 'temporal-polyfill';
import { formatDay, type DayNumber } from '../../days.ts';
import { traitsOf } from './archetypes.ts';
import { shortHash, uniform } from './hashed-numbers.ts';

/** A simulated user. The same three facts always give the same days. */
export interface Person {
  readonly seed: string;
  readonly archetype: Archetype;
  /** Days are numbered from here. */
  readonly firstDay: DayNumber;
}

/** Days since the last birthday, so that the age stays the same for months. */
const daysSinceBirthday = 100;

/** The seed for the user with a reference ID. */
export function seedOf(referenceId: string): string {
  return shortHash(referenceId);
}

/** The archetype if none is requested. Limited to archetypes with workouts, so that there is data to see. */
export function pickArchetype(seed: string): Archetype {
  const active = archetypes.filter((archetype) => traitsOf[archetype].workouts.some((one) => one !== null));
  return active[Math.floor(uniform(`${seed}|pick`) * active.length)]!;
}

/** The profile of an archetype. Its age is valid on the given day and for months after it. */
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
