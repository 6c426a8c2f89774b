import { chanceOf } from '../hash.ts';
import type { Day, Sample } from './day.ts';
import { roundTo } from './live-sleep.ts';
import type { Person } from './person.ts';
import type { Traits } from './traits.ts';

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;
const DAY = 86_400_000;

/** A weight measurement, on days when the person uses the scale, soon after getting up. */
export function bodyOn(person: Person, date: string, traits: Traits, wokeAt: number): Day['body'] {
  const draw = (what: string): number => chanceOf(person.seed, 'scale', date, what);
  if (draw('used') >= 0.35) return null;
  // A slow wave over the months, plus daily variation.
  const months = Date.parse(date) / DAY / 40 + 6.28 * chanceOf(person.seed, 'wave');
  const weightKg = roundTo(2, traits.weightKg * (1 + 0.02 * Math.sin(months)) + 0.8 * draw('noise') - 0.4);
  const fatPercent = roundTo(1, traits.fatPercent + Math.sin(months) + 0.6 * draw('fat'));
  const lean = weightKg * (1 - fatPercent / 100);
  return {
    at: wokeAt + Math.round(5 + 30 * draw('when')) * MINUTE,
    weightKg,
    fatPercent,
    muscleKg: roundTo(2, lean * 0.95),
    boneKg: roundTo(2, lean * 0.05),
    waterKg: roundTo(2, lean * 0.73),
  };
}

/** A blood pressure measurement, on some mornings. */
export function bloodPressureOn(
  person: Person,
  date: string,
  calm: number,
  wokeAt: number,
): Day['bloodPressure'] {
  const draw = (what: string): number => chanceOf(person.seed, 'cuff', date, what);
  if (draw('used') >= 0.2) return null;
  const systolic = Math.round(108 + 22 * chanceOf(person.seed, 'pressure') + 10 * draw('systolic'));
  return {
    at: wokeAt + Math.round(40 + 20 * draw('when')) * MINUTE,
    systolic,
    diastolic: Math.round(systolic * (0.6 + 0.06 * draw('diastolic'))),
    pulse: Math.round(calm + 8 + 6 * draw('pulse')),
  };
}

/** The readings of a glucose sensor: three meals after getting up, each with a rise and fall. */
export function glucoseOf(person: Person, bounds: { start: number; end: number }, wokeAt: number): Sample[] {
  const samples: Sample[] = [];
  if (!person.wearsGlucoseSensor) return samples;
  const usual = 84 + 12 * chanceOf(person.seed, 'sugar');
  const meals = [0.75, 5.5, 11.5].map((hours) => {
    const draw = (what: string): number => chanceOf(person.seed, 'meal', wokeAt, hours, what);
    return { at: wokeAt + (hours + draw('when') * 0.8) * 60 * MINUTE, rise: 18 + 45 * draw('size') };
  });
  for (let at = Math.ceil(bounds.start / FIVE_MINUTES) * FIVE_MINUTES; at < bounds.end; at += FIVE_MINUTES) {
    const risen = meals.reduce((sum, meal) => {
      const hours = (at - meal.at) / (60 * MINUTE);
      return hours <= 0 ? sum : sum + meal.rise * 2.7 * hours * Math.exp(-hours / 0.7) * 1.4;
    }, 0);
    samples.push({ at, value: Math.round(usual + risen + 5 * chanceOf(person.seed, 'sugar', at)) });
  }
  return samples;
}
