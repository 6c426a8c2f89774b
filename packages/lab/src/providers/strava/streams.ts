import type { Frame } from '../../provider.ts';
import type { SeenActivity } from './activities.ts';
import { deriveFrom } from './activity-record.ts';

type Series = Record<string, number[]>;

const known = new Set(['time', 'heartrate', 'distance', 'altitude', 'velocity_smooth', 'cadence', 'watts']);

/** Whether a word is the name of a stream. */
export function isStream(key: string): boolean {
  return known.has(key);
}

/** The requested streams that the activity has, with a value every ten seconds. */
export function streamsOf(
  frame: Frame,
  seen: SeenActivity,
  keys: readonly string[],
): Record<string, Record<string, unknown>> {
  const series = seriesOf(frame, seen);
  const availableKeys = keys.filter((key) => series[key] !== undefined);
  return Object.fromEntries(
    availableKeys.map((key) => {
      const data = series[key]!;
      return [key, { data, series_type: 'time', original_size: data.length, resolution: 'high' }];
    }),
  );
}

function seriesOf(frame: Frame, seen: SeenActivity): Series {
  const { workout } = seen;
  const { elapsedSeconds, cadence, watts, lowestM } = deriveFrom(frame, seen);
  const samples = workout.heartRate.filter(({ at }) => at < workout.start + elapsedSeconds * 1000);
  const time = samples.map(({ at }) => (at - workout.start) / 1000);
  const along = time.map((seconds) => seconds / Math.max(1, time.at(-1) ?? 1));
  const { distanceM, elevationGainM } = workout;
  return {
    time,
    heartrate: samples.map(({ value }) => value),
    ...(distanceM !== null && {
      distance: along.map((share) => round(distanceM * share)),
      velocity_smooth: along.map(() => round(distanceM / Math.max(1, time.at(-1) ?? 1))),
    }),
    // One hill, so the ascent equals the elevation gain.
    ...(lowestM !== null && {
      altitude: along.map((share) => round(lowestM + (elevationGainM ?? 0) * Math.sin(Math.PI * share))),
    }),
    ...(cadence !== null && { cadence: time.map(() => cadence) }),
    ...(watts !== null && { watts: time.map(() => watts) }),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
