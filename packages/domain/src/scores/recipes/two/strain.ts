import { scoreStrain, type EffortWeight, type StrainInput } from '../one/strain.ts';
import type { Scored } from '../../score.ts';

/** Chosen: below moderate effort, load fades out over this many beats, so that one beat more or less never decides a day. */
const fadingBeats = 28;

/** Counts in full from moderate effort on. Below it, the square of the remaining share counts. */
export const gradualEffort: EffortWeight = (_share, missingBeats) =>
  Math.min(1, Math.max(0, 1 - missingBeats / fadingBeats)) ** 2;

/** How much work did the heart do today? Null without data. A day of rest is 0. */
export function scoreStrainTwo(input: StrainInput): Scored | null {
  const maxHeartRate = withReserve(input.maxHeartRate, input.restingHeartRate);
  return scoreStrain({ ...input, maxHeartRate }, gradualEffort, 2);
}

/** Chosen: with a smaller reserve, either the resting heart rate or the maximum is wrong, and every beat would count for too much. */
const leastReserveBeats = 60;

/** The maximum heart rate to compute with: the observed or predicted one, with room above the resting heart rate. */
export function withReserve(maxHeartRate: number, restingHeartRate: number): number {
  return Math.max(maxHeartRate, restingHeartRate + leastReserveBeats);
}
