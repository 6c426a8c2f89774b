import type { DayNumber } from '../days.ts';
import { ageOn } from './age.ts';

/** Inputs for a person's maximum heart rate. */
export interface HeartRateFacts {
  /** The value from the profile, in beats per minute. */
  readonly entered: number | null;
  readonly birthDay: DayNumber | null;
  /** The highest heart rate of each day with data. */
  readonly highestByDay: Pick<ReadonlyMap<DayNumber, number>, 'get'>;
}

/** An observed maximum stays valid for this number of days, including the day itself. */
export const observedDays = 180;

/** A lower observed maximum only shows that the person did not exert themselves. */
const leastShareOfPrediction = 0.85;

/** Replaces the prediction if the age is unknown. */
const withoutAge = 185;

/**
 * The maximum heart rate of a person on a day: the entered value, else the highest recent observation if it comes close to the prediction
 * by age (Tanaka 2001), else the prediction.
 */
export function maxHeartRateOn(day: DayNumber, { entered, birthDay, highestByDay }: HeartRateFacts): number {
  if (entered !== null) return entered;
  const predicted = predictedOn(day, birthDay);
  const observed = highestOf(highestByDay, day);
  return observed >= leastShareOfPrediction * predicted ? observed : predicted;
}

/**
 * The maximum heart rate for scores of recipe 2: the entered value, else the prediction by age, or a higher observation. The second-highest day
 * counts as observed, because a single high reading may be an error of the sensor.
 */
export function robustMaxHeartRateOn(
  day: DayNumber,
  { entered, birthDay, highestByDay }: HeartRateFacts,
): number {
  return entered ?? Math.max(predictedOn(day, birthDay), secondHighestOf(highestByDay, day));
}

function predictedOn(day: DayNumber, birthDay: DayNumber | null): number {
  return birthDay === null ? withoutAge : 208 - 0.7 * ageOn(birthDay, day);
}

/** 0 with fewer than two days. */
function secondHighestOf(highestByDay: HeartRateFacts['highestByDay'], day: DayNumber): number {
  let [highest, second] = [0, 0];
  for (let at = day - observedDays + 1; at <= day; at += 1) {
    const ofDay = highestByDay.get(at) ?? 0;
    second = Math.max(second, Math.min(highest, ofDay));
    highest = Math.max(highest, ofDay);
  }
  return second;
}

/** 0 if nothing was observed. */
function highestOf(highestByDay: HeartRateFacts['highestByDay'], day: DayNumber): number {
  let highest = 0;
  for (let at = day - observedDays + 1; at <= day; at += 1)
    highest = Math.max(highest, highestByDay.get(at) ?? 0);
  return highest;
}
