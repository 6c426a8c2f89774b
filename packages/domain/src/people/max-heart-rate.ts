import type { DayNumber } from '../days.ts';
import { ageOn } from './age.ts';

/** What is known about how fast a person's heart can beat. */
export interface HeartRateFacts {
  /** What the profile says, in beats a minute. */
  readonly entered: number | null;
  readonly birthDay: DayNumber | null;
  /** The highest heart rate of each day that has one. */
  readonly highestByDay: Pick<ReadonlyMap<DayNumber, number>, 'get'>;
}

/** A maximum that was reached within so many days, the day itself included, still holds. */
export const observedDays = 180;

/** An observed maximum below this share of the prediction only says that nobody tried. */
const leastShareOfPrediction = 0.85;

/** Stands for the prediction where the age is unknown. */
const withoutAge = 185;

/**
 * The maximum heart rate of a person on a day: what the person entered, else the highest one observed lately if it comes near to what
 * age predicts (Tanaka 2001), else that prediction.
 */
export function maxHeartRateOn(day: DayNumber, { entered, birthDay, highestByDay }: HeartRateFacts): number {
  if (entered !== null) return entered;
  const predicted = birthDay === null ? withoutAge : 208 - 0.7 * ageOn(birthDay, day);
  const observed = highestOf(highestByDay, day);
  return observed >= leastShareOfPrediction * predicted ? observed : predicted;
}

/** 0 where nothing was observed. */
function highestOf(highestByDay: HeartRateFacts['highestByDay'], day: DayNumber): number {
  let highest = 0;
  for (let at = day - observedDays + 1; at <= day; at += 1)
    highest = Math.max(highest, highestByDay.get(at) ?? 0);
  return highest;
}
