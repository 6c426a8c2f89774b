import { chanceOf } from '../hash.ts';
import type { Day } from './day.ts';
import { heartRateOf } from './heart.ts';
import { calmRateOf, liveSleeps, roundTo } from './live-sleep.ts';
import { addDays, boundsOf, zoneOn } from './local-time.ts';
import { bloodPressureOn, bodyOn, glucoseOf } from './measures.ts';
import { movementOf } from './movement.ts';
import type { Person } from './person.ts';
import { workoutsOn } from './training.ts';
import { traitsOf } from './traits.ts';

/** One day in a person's life. Everything is derived from the person's seed and the date, so every call returns the same day. */
export function dayOf(person: Person, date: string): Day {
  const draw = (what: string): number => chanceOf(person.seed, 'day', date, what);
  const traits = traitsOf(person, date);
  const bounds = boundsOf(person, date);
  const sleeps = liveSleeps(person, date);
  const night = sleeps[0]!;
  // It begins on the evening of this date.
  const nextNight = liveSleeps(person, addDays(date, 1))[0]!;
  const resting = [...sleeps, nextNight];
  const calm = calmRateOf(person, date, traits);
  const workouts = workoutsOn(person, date, traits, { from: night.end, to: nextNight.start });
  return {
    date,
    timezone: zoneOn(person, date),
    ...bounds,
    ...movementOf(person, { date, ...bounds }, traits, resting, workouts),
    restingHeartRate: night.lowestHeartRate + 1,
    heartRate: heartRateOf(person.seed, bounds, calm, resting, workouts),
    hrvRmssd: night.averageHrv,
    respiratoryRate: night.respiratoryRate,
    temperatureDeviationC: roundTo(2, night.skinTemperatureC - traits.skinTemperatureC),
    stressHighSeconds: 900 * Math.floor(14 * draw('stress')),
    recoveryHighSeconds: 900 * Math.floor(12 * draw('recovery')),
    sleeps,
    workouts,
    body: bodyOn(person, date, traits, night.end),
    bloodPressure: bloodPressureOn(person, date, calm, night.end),
    vo2Max: roundTo(1, 30 + 25 * traits.fitness - 0.15 * (traits.ageYears - 30) + 0.8 * draw('vo2')),
    glucose: glucoseOf(person, bounds, night.end),
  };
}
