import { roundTo } from '../../round.ts';
import { clamp } from '../../clamp.ts';
import type { DayPlan } from './plan.ts';
import { isInWorkout, type TruthWorkout } from './workout.ts';
import { isAsleep, settlingBeats, settlingMinutes, type Night, type NightVitals } from './night.ts';
import { dayMinutes, slotMinutes } from './slots.ts';

type SlotState = 'asleep' | 'awake' | 'workout';

/** Heart rate and variability in five-minute slots. */
export interface DayHeart {
  readonly states: readonly SlotState[];
  readonly heartRate: readonly number[];
  /** Null during workouts, where movement prevents a measurement. */
  readonly rmssd: readonly (number | null)[];
}

const warmUpMinutes = 10;

/** Tanaka 2001. */
export function maxHeartRateOf({ ageYears }: DayPlan['traits']): number {
  return 208 - 0.7 * ageYears;
}

/** A daily rhythm, a response to steps, and slowly decaying noise, as in models of such signals (Bowman 2021). */
export function heartOf(
  plan: DayPlan,
  night: Night,
  { restingHeartRate, lnRmssd }: NightVitals,
  workout: TruthWorkout | null,
  steps: readonly number[],
): DayHeart {
  const { chance, stress } = plan;
  const reserve = maxHeartRateOf(plan.traits) - restingHeartRate;
  let drift = 0;
  const states: SlotState[] = [];
  const heartRate: number[] = [];
  const rmssd: (number | null)[] = [];
  steps.forEach((stepsInSlot, slot) => {
    const minute = slot * slotMinutes;
    drift = 0.8 * drift + 0.6 * chance.normal(`hr|${slot}`);
    const state = stateAt(slot, night, workout);
    states.push(state);
    if (state === 'workout') {
      const warming = minute < workout!.startMinute + warmUpMinutes ? 0.75 : 1;
      const effort = workout!.effort * warming + 0.03 * chance.normal(`workout|${slot}`);
      heartRate.push(Math.round(restingHeartRate + clamp(effort, 0.2, 0.97) * reserve));
      rmssd.push(null);
      return;
    }
    const isAwake = state === 'awake';
    const above = isAwake
      ? awakeBeats(minute, stepsInSlot) + 1.5 * stress + 3 * drift
      : asleepBeats(minute - night.startMinute) + 1.5 * drift;
    heartRate.push(Math.round(restingHeartRate + above));
    const wakeLoss = isAwake ? 0.45 + 0.05 * stress : 0;
    rmssd.push(roundTo(Math.exp(lnRmssd - wakeLoss + 0.18 * chance.normal(`rmssd|${slot}`)), 1));
  });
  return { states, heartRate, rmssd };
}

function stateAt(slot: number, night: Night, workout: TruthWorkout | null): SlotState {
  if (isInWorkout(workout, slot)) return 'workout';
  return isAsleep(night, slot * slotMinutes) ? 'asleep' : 'awake';
}

function awakeBeats(minute: number, stepsInSlot: number): number {
  const rhythm = 4 * Math.cos((2 * Math.PI * (minute / 60 - 16)) / 24);
  return 12 + rhythm + 0.35 * Math.min(stepsInSlot / slotMinutes, 115);
}

function asleepBeats(minutesIntoNight: number): number {
  return 1 + settlingBeats * Math.exp(-(minutesIntoNight % dayMinutes) / settlingMinutes);
}
