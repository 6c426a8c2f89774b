import type { Archetype } from '@tributary/contract';
import { dayStartMs, parseDay } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import { profileOf } from '../../sandbox/person/person.ts';
import { truthOf, type DayTruth } from '../../sandbox/day/truth.ts';
import { decodeFacts, encodeFacts } from '../inputs/day-facts-codec.ts';
import { gatherFacts } from '../inputs/day-facts.ts';
import { PersonDays } from '../inputs/person-days.ts';

/** The first simulated day, a Monday. */
export const firstDay = parseDay('2025-06-09')!;
const minuteMs = 60_000;
const slotMs = 5 * minuteMs;

/** Some days of a person whose devices measure without error. */
export function simulateDays(archetype: Archetype, count: number, seed: string): PersonDays {
  // The night after the last day counts as known sleep. The reserve of the last day is taken at midnight.
  const truth = truthOf({ seed, archetype, firstDay }, 0, count);
  const profile = profileOf(archetype, firstDay);
  const days = new PersonDays(
    {
      birthDay: parseDay(profile.birth_date!),
      sex: profile.sex ?? null,
      weightKg: profile.weight_kg ?? null,
      maxHeartRate: null,
      timezone: 'UTC',
    },
    { from: firstDay, to: firstDay + count },
  );
  for (const day of truth) addSleep(days, day, day.plan.day < firstDay + count);
  for (const day of truth.slice(0, count)) addDay(days, day);
  return days;
}

function addSleep(days: PersonDays, { plan, night }: DayTruth, isMain: boolean): void {
  const startMs = dayStartMs(plan.day, 'UTC');
  const span = (from: number, to: number) => ({
    startMs: startMs + from * minuteMs,
    endMs: startMs + to * minuteMs,
  });
  // Naps are omitted: the expected values include their length but not their time.
  days.sleep.set(plan.day, [{ ...span(night.startMinute, night.endMinute), isMain }]);
}

function addDay(days: PersonDays, truth: DayTruth): void {
  const { plan, night, nap, vitals, energy, food, workout, heart, steps } = truth;
  const { day } = plan;
  const napMinutes = nap ? nap.endMinute - nap.startMinute : 0;
  const inBed = night.endMinute - night.startMinute;
  const setValue = (id: string, value: number) => days.set(id, day, value);
  setValue('asleep', night.asleepMinutes + napMinutes);
  setValue('deep_sleep', night.deepMinutes);
  setValue('REM', night.remMinutes);
  setValue('sleep_efficiency', Math.round((1000 * night.asleepMinutes) / inBed) / 10);
  setValue(
    'wake_after_sleep_onset',
    inBed - night.asleepMinutes - night.latencyMinutes - night.arisingMinutes,
  );
  setValue('sleep_latency', night.latencyMinutes);
  setValue('sleep_heart_rate_variability', Math.round(Math.exp(vitals.lnRmssd) * 10) / 10);
  setValue('resting_heart_rate', Math.round(vitals.restingHeartRate));
  setValue('sleep_respiratory_rate', Math.round(vitals.respiratoryRate * 10) / 10);
  setValue('sleep_skin_temperature', Math.round(vitals.skinTemperature * 100) / 100);
  setValue('active_calories', energy.activeCalories);
  setValue('resting_energy', Math.round(energy.restingCalories));
  setValue('total_energy', Math.round(energy.restingCalories) + energy.activeCalories);
  for (const [id, value] of Object.entries(food)) setValue(id, value);
  const startMs = dayStartMs(day, 'UTC');
  const slots = (values: readonly (number | null)[]): ValueSpan[] =>
    values.flatMap((value, at) =>
      value === null
        ? []
        : [{ startMs: startMs + at * slotMs, endMs: startMs + (at + 1) * slotMs, micros: toMicros(value) }],
    );
  const facts = gatherFacts({
    startMs,
    endMs: startMs + 86_400_000,
    heartRate: slots(heart.heartRate),
    hrvKind: 'rmssd',
    hrv: slots(heart.rmssd),
    steps: slots(steps),
    sleep: [...days.sleep.get(day)!, ...(days.sleep.get(day + 1) ?? [])],
    workouts: workout
      ? [
          {
            id: '00000000-0000-4000-8000-000000000001',
            startMs: startMs + workout.startMinute * minuteMs,
            endMs: startMs + workout.endMinute * minuteMs,
            values: {},
            histogram: [],
            meanBpm: null,
          },
        ]
      : [],
    earlierWorkouts: [],
  });
  days.facts.set(day, decodeFacts(encodeFacts(facts)));
}
