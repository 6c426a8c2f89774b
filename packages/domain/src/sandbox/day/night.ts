import { roundTo } from '../../round.ts';
import { clamp } from '../../clamp.ts';
import { meanLutealShare } from './cycle.ts';
import type { DayPlan } from './plan.ts';
import { dayMinutes } from './slots.ts';

/** The main sleep that ends on a day. Minutes count from local midnight and are negative on the evening before. */
export interface Night {
  readonly startMinute: number;
  readonly endMinute: number;
  readonly asleepMinutes: number;
  readonly deepMinutes: number;
  readonly remMinutes: number;
  readonly latencyMinutes: number;
  readonly arisingMinutes: number;
}

/** Vitals during that sleep. */
export interface NightVitals {
  /** Not rounded, because the heart rate of the whole day is computed from these two. */
  readonly restingHeartRate: number;
  readonly lnRmssd: number;
  readonly sleepHeartRate: number;
  readonly respiratoryRate: number;
  readonly skinTemperature: number;
  readonly bloodOxygen: number;
}

/** Midpoint of the sleep after a night shift. */
const middleByDayHours = 11.5;
/** How much later the person sleeps if there is no shift the next day. */
const offShiftDelayHours = 1.2;

/** Sleep is longer on weekends and during illness. Its efficiency follows the hidden quality of the night. */
export function sleepOf({ traits, chance, ...plan }: DayPlan): Night {
  const { isWeekend, isIll, shift, sleepQuality } = plan;
  const extraMinutes = (isWeekend ? 20 : 0) + (isIll ? 25 : 0);
  const spread = traits.asleepSdMinutes * (0.7 * sleepQuality + 0.71 * chance.normal('tst'));
  const asleepMinutes = Math.round(clamp(traits.asleepMinutes + spread + extraMinutes, 150, 660));
  const dayLoss = shift === 'night' ? 4 : 0;
  const efficiency = traits.efficiencyPercent + 2.5 * sleepQuality + 1.5 * chance.normal('eff') - dayLoss;
  const latency = traits.latencyMinutes * Math.exp(0.35 * chance.normal('lat') - 0.1 * sleepQuality);
  const latencyMinutes = Math.round(clamp(latency, 2, 90));
  const arisingMinutes = Math.round(3 + 4 * chance.uniform('arise'));
  // At least two minutes of every night are spent awake.
  const inBedMinutes = Math.max(
    Math.round((100 * asleepMinutes) / clamp(efficiency, 55, 98)),
    asleepMinutes + latencyMinutes + arisingMinutes + 2,
  );
  const deepPercent = clamp(traits.deepPercent + 1.5 * chance.normal('deep') + 0.6 * sleepQuality, 4, 30);
  const remPercent = clamp(traits.remPercent + 1.8 * chance.normal('rem') + 0.4 * sleepQuality, 6, 32);
  const middle = (middleHours(traits, plan) + traits.midSleepSdHours * chance.normal('mid')) * 60;
  const startMinute = Math.round(middle - inBedMinutes / 2);
  return {
    startMinute,
    endMinute: startMinute + inBedMinutes,
    asleepMinutes,
    deepMinutes: Math.round((asleepMinutes * deepPercent) / 100),
    remMinutes: Math.round((asleepMinutes * remPercent) / 100),
    latencyMinutes,
    arisingMinutes,
  };
}

function middleHours(
  traits: DayPlan['traits'],
  { shift, isWeekend }: Pick<DayPlan, 'shift' | 'isWeekend'>,
): number {
  if (shift === 'night') return middleByDayHours;
  if (shift === 'off') return traits.midSleepHours + offShiftDelayHours;
  return traits.midSleepHours + (isWeekend ? traits.weekendDelayHours : 0);
}

/** Whether a minute of the day is spent in bed. Assumes that the next night begins at the same time as this one. */
export function isAsleep(night: Night, minute: number): boolean {
  return (
    (minute >= night.startMinute && minute < night.endMinute) || minute >= night.startMinute + dayMinutes
  );
}

/** The heart rate drops by another five beats over the first hours of sleep. */
export const settlingBeats = 5;
export const settlingMinutes = 90;

/**
 * Training, stress and illness slow recovery at night, and good sleep helps it. Effect sizes follow Altini 2021 and Bellenger 2022. The luteal
 * phase raises heart rate and skin temperature (Maijala 2019).
 */
export function vitalsOf({ traits, chance, ...plan }: DayPlan, night: Night): NightVitals {
  const { stress, sleepQuality, doseBefore, tone, isIll } = plan;
  const luteal = traits.hasCycle ? plan.luteal - meanLutealShare : 0;
  const lnRmssd =
    Math.log(traits.rmssd) -
    0.05 * doseBefore +
    0.06 * sleepQuality -
    0.06 * stress +
    0.13 * tone -
    0.04 * luteal -
    (isIll ? 0.22 : 0);
  const restingHeartRate =
    traits.restingHeartRate +
    0.8 * doseBefore -
    0.8 * sleepQuality +
    stress +
    1.1 * chance.normal('rhr') +
    2.5 * luteal +
    (isIll ? 5 : 0);
  const respiratoryRate =
    traits.respiratoryRate + 0.15 * stress + 0.25 * chance.normal('resp') + (isIll ? 2.4 : 0);
  const skinTemperature =
    traits.skinTemperature + 0.12 * chance.normal('temp') + 0.35 * luteal + (isIll ? 0.95 : 0);
  const bloodOxygen = clamp(traits.bloodOxygen + 0.35 * chance.normal('spo2') - (isIll ? 0.8 : 0), 90, 100);
  const decays = (night.endMinute - night.startMinute) / settlingMinutes;
  return {
    restingHeartRate,
    lnRmssd,
    sleepHeartRate: restingHeartRate + 1 + (settlingBeats * (1 - Math.exp(-decays))) / decays,
    respiratoryRate: roundTo(respiratoryRate, 1),
    skinTemperature: roundTo(skinTemperature, 2),
    bloodOxygen: roundTo(bloodOxygen, 1),
  };
}
