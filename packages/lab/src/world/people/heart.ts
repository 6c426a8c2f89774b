import { chanceOf } from '../hash.ts';
import type { Sample, Sleep, Workout } from './day.ts';

const FIVE_MINUTES = 300_000;
const TEN_SECONDS = 10_000;

/** The heart rate of a whole day: from sleeps and workouts where there are any, otherwise that of a person who is awake. */
export function heartRateOf(
  seed: number,
  bounds: { start: number; end: number },
  calm: number,
  sleeps: readonly Sleep[],
  workouts: readonly Workout[],
): Sample[] {
  const samples: Sample[] = [];
  for (let at = Math.ceil(bounds.start / FIVE_MINUTES) * FIVE_MINUTES; at < bounds.end; at += FIVE_MINUTES) {
    const sleep = sleeps.find(({ start, end }) => start <= at && at < end);
    const workout = workouts.find(({ start, end }) => start <= at && at < end);
    const value =
      sleep?.heartRate[(at - sleep.start) / FIVE_MINUTES]?.value ??
      workout?.heartRate[(at - workout.start) / TEN_SECONDS]?.value ??
      awake(seed, calm, at);
    samples.push({ at, value });
  }
  return samples;
}

function awake(seed: number, calm: number, at: number): number {
  // Activity varies from one half hour to the next.
  const busy = chanceOf(seed, 'busy', Math.floor(at / 1_800_000));
  return Math.round(calm + 10 + 22 * busy ** 2 + 6 * chanceOf(seed, 'beat', at));
}
