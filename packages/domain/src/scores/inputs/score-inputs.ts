import type { DayNumber } from '../../days.ts';
import { hourMs } from '../../durations.ts';
import { ageOn } from '../../people/age.ts';
import { epochMs } from './day-facts.ts';
import type { EnergyReserveInput } from '../recipes/one/energy-reserve.ts';
import type { NutritionInput } from '../recipes/one/nutrition.ts';
import type { PersonDays } from './person-days.ts';
import { breathingKinds, hrvKinds, normDays, nutrients, temperatureKinds } from '../score-metrics.ts';
import type { RecoveryInput } from '../recipes/one/recovery.ts';
import { regularityOn } from './regularity-on.ts';
import type { SleepInput } from '../recipes/one/sleep.ts';
import type { ComparedEpochs } from './epoch-norms.ts';
import type { StressInput } from '../recipes/stress.ts';

/** The input of a recipe, and where it comes from. */
export interface Prepared<Input> {
  readonly input: Input;
  /** Metrics whose canonical values of the date were read. */
  readonly metrics: readonly string[];
  /** Metrics whose canonical values of the previous days were read, for norms and trends. */
  readonly histories: readonly string[];
  /** Other inputs by name. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** The number of readings that norms require. */
const fewestReadings = 3;
const longestDayHours = 24;

export function prepareSleep(days: PersonDays, day: DayNumber): Prepared<SleepInput> {
  const { birthDay } = days.person;
  const age = birthDay === null ? null : ageOn(birthDay, day);
  const regularityIndex = regularityOn(days, day);
  const isNight = days.mainSleepOf(day) !== null;
  const wakeMetric =
    days.valueOf('wake_after_sleep_onset', day) === null ? 'time_awake' : 'wake_after_sleep_onset';
  return {
    input: {
      age,
      asleepMinutes: isNight ? days.valueOf('asleep', day) : null,
      deepMinutes: days.valueOf('deep_sleep', day),
      remMinutes: days.valueOf('REM', day),
      efficiencyPercent: days.valueOf('sleep_efficiency', day),
      awakeAfterOnsetMinutes: days.valueOf(wakeMetric, day),
      latencyMinutes: days.valueOf('sleep_latency', day),
      regularityIndex,
    },
    metrics: ['asleep', 'deep_sleep', 'REM', 'sleep_efficiency', wakeMetric, 'sleep_latency'],
    histories: [],
    other: { age, main_sleep: isNight, sleep_regularity_index: regularityIndex },
  };
}

export function prepareRecovery(
  days: PersonDays,
  day: DayNumber,
  sleepScore: number | null,
): Prepared<RecoveryInput> {
  const hrv = kindOf(days, day, hrvKinds);
  const breathing = kindOf(days, day, breathingKinds);
  const temperature = kindOf(days, day, temperatureKinds);
  return {
    input: {
      hrv: days.valueOf(hrv, day),
      hrvHistory: ofOneDevice(days, hrv, day),
      restingHeartRate: days.valueOf('resting_heart_rate', day),
      restingHeartRateHistory: days.before('resting_heart_rate', day, normDays),
      sleepScore,
      loadHistory: days.before('training_load', day, normDays),
      respiratoryRate: days.valueOf(breathing, day),
      respiratoryRateHistory: days.before(breathing, day, normDays),
      bodyTemperature: days.valueOf(temperature, day),
      bodyTemperatureHistory: days.before(temperature, day, normDays),
    },
    metrics: [hrv, 'resting_heart_rate', breathing, temperature],
    histories: [hrv, 'resting_heart_rate', 'training_load', breathing, temperature],
    other: { sleep_score: sleepScore },
  };
}

export function prepareStress(
  days: PersonDays,
  day: DayNumber,
  { epochs, baseline, hrvKind }: ComparedEpochs,
): Prepared<StressInput> {
  const hrv = kindOf(days, day, hrvKinds);
  return {
    input: {
      epochs,
      epochBaseline: baseline,
      hrv: days.valueOf(hrv, day),
      hrvHistory: ofOneDevice(days, hrv, day),
      restingHeartRate: days.valueOf('resting_heart_rate', day),
      restingHeartRateHistory: days.before('resting_heart_rate', day, normDays),
    },
    metrics: [hrv, 'resting_heart_rate'],
    histories: [hrv, 'resting_heart_rate'],
    other: { epochs: epochs.length, epoch_variability: hrvKind },
  };
}

export function prepareNutrition(days: PersonDays, day: DayNumber): Prepared<NutritionInput> {
  const weightKg = weightOn(days, day);
  const read = (id: string) => days.valueOf(id, day);
  return {
    input: {
      dietaryEnergyKcal: read('dietary_energy'),
      fiberGrams: read('fiber'),
      proteinGrams: read('protein'),
      addedSugarGrams: read('added_sugar'),
      sugarGrams: read('sugar'),
      saturatedFatGrams: read('fat_saturated'),
      monounsaturatedFatGrams: read('fat_monounsaturated'),
      polyunsaturatedFatGrams: read('fat_polyunsaturated'),
      sodiumMg: read('sodium'),
      potassiumMg: read('potassium'),
      waterMl: read('water'),
      weightKg,
      sex: days.person.sex,
      restingEnergyKcal: read('resting_energy'),
      totalEnergyKcal: read('total_energy'),
    },
    metrics: [...nutrients, 'resting_energy', 'total_energy'],
    histories: [],
    other: { weight: weightKg, sex: days.person.sex },
  };
}

/** The other scores of the date, and the current time. */
export interface ReserveNeeds {
  readonly nowMs: number;
  readonly recovery: number | null;
  readonly strain: number | null;
  readonly stress: number | null;
}

export function prepareEnergyReserve(
  days: PersonDays,
  day: DayNumber,
  { nowMs, recovery, strain, stress }: ReserveNeeds,
): Prepared<EnergyReserveInput> {
  const previousClose = days.valueOf('energy_reserve_score', day - 1);
  const hoursAwake = hoursAwakeOn(days, day, nowMs);
  return {
    input: {
      previousClose,
      asleepMinutes: hoursAwake === null ? null : days.valueOf('asleep', day),
      hoursAwake,
      recoveryScore: recovery,
      strainScore: strain,
      stressScore: stress,
    },
    metrics: ['asleep'],
    histories: [],
    other: {
      previous_energy_reserve_score: previousClose,
      hours_awake: hoursAwake,
      recovery_score: recovery,
      strain_score: strain,
      stress_score: stress,
    },
  };
}

/** When the reserve of a day closes unless sleep ends it earlier. Null without a main sleep. */
export function closesAtMs(days: PersonDays, day: DayNumber): number | null {
  const night = days.mainSleepOf(day);
  return night && night.endMs + longestDayHours * hourMs;
}

/** Hours since the main sleep, up to the next one. Null without one. Rounded down to epochs, so that calls within one epoch give equal values. */
function hoursAwakeOn(days: PersonDays, day: DayNumber, nowMs: number): number | null {
  const night = days.mainSleepOf(day);
  if (!night) return null;
  const next = days.mainSleepOf(day + 1)?.startMs ?? Infinity;
  const now = Math.floor(nowMs / epochMs) * epochMs;
  const endMs = Math.min(now, next, closesAtMs(days, day)!);
  return Math.max(0, endMs - night.endMs) / hourMs;
}

/** The latest weight of two months, else that of the profile. */
export function weightOn(days: PersonDays, day: DayNumber): number | null {
  return days.latest('weight', day, normDays) ?? days.person.weightKg;
}

/** One measure per person, so that norms are not mixed: the first with enough readings, else the first with a reading today. */
function kindOf(days: PersonDays, day: DayNumber, kinds: readonly string[]): string {
  return (
    kinds.find((kind) => days.countBefore(kind, day, normDays) >= fewestReadings) ??
    kinds.find((kind) => days.valueOf(kind, day) !== null) ??
    kinds[0]!
  );
}

/** A new device shifts values more than a bad night does. After three nights on it, readings of other devices no longer count. */
function ofOneDevice(days: PersonDays, metricId: string, day: DayNumber): (number | null)[] {
  const all = days.before(metricId, day, normDays);
  const device = days.sourceOf(metricId, day);
  const own = all.map((value, at) =>
    days.sourceOf(metricId, day - normDays + at) === device ? value : null,
  );
  return own.filter((value) => value !== null).length >= fewestReadings ? own : all;
}
