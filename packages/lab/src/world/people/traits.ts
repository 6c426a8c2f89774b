import { chanceOf } from '../hash.ts';
import type { Person } from './person.ts';

/** The permanent traits of a body. */
export interface Traits {
  /** 0 to 1. */
  fitness: number;
  restingHeartRate: number;
  maxHeartRate: number;
  hrv: number;
  weightKg: number;
  fatPercent: number;
  ageYears: number;
  stepsADay: number;
  skinTemperatureC: number;
  respiratoryRate: number;
}

/** A person's state on a date. */
export function traitsOf(person: Person, date: string): Traits {
  const draw = (what: string): number => chanceOf(person.seed, 'trait', what);
  const ageYears = Math.max(16, yearsBetween(person.birthDate, date));
  const fitness = draw('fitness');
  return {
    fitness,
    ageYears,
    restingHeartRate: Math.round(66 - 18 * fitness + 4 * draw('resting')),
    maxHeartRate: Math.round(208 - 0.7 * ageYears),
    hrv: 28 + 45 * fitness + 20 * draw('hrv') - 0.25 * Math.max(0, ageYears - 30),
    weightKg: person.heightM ** 2 * (20 + 8 * draw('mass')),
    fatPercent: 12 + 18 * draw('fat'),
    stepsADay: 4500 + 4000 * draw('steps') + 3500 * fitness,
    skinTemperatureC: 34 + 1.4 * draw('skin'),
    respiratoryRate: 12.5 + 4 * draw('breath'),
  };
}

function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}
