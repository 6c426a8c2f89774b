import type { DeviceKind } from '../upload.ts';

/** The few service rules that the model needs, restated. Nothing here may be imported from the service's own definitions. */

/** Plausible values. Steps also have a limit per minute. */
const bounds: Record<string, { least: number; most: number; perMinute?: number }> = {
  heart_rate: { least: 25, most: 250 },
  steps: { least: 0, most: 200_000, perMinute: 300 },
  weight: { least: 10, most: 500 },
};

/** Decimals of a formatted value. The default is 0. */
const decimals: Record<string, number> = { weight: 2, sleep_efficiency: 1, running: 2 };

/** The rank of each device kind for a metric. A lower rank wins, and the default is 80. */
const ranks: Record<string, Record<DeviceKind, number>> = {
  heart_rate: { watch: 10, phone: 60 },
  heart_rate_min: { watch: 10, phone: 60 },
  heart_rate_max: { watch: 10, phone: 60 },
  steps: { watch: 10, phone: 40 },
  running: { watch: 10, phone: 40 },
  weight: { watch: 30, phone: 80 },
  sleep_heart_rate: { watch: 30, phone: 80 },
};
const sleepRanks = { watch: 30, phone: 60 };

export function rankOf(metric: string, device: DeviceKind): number {
  return (ranks[metric] ?? sleepRanks)[device];
}

/** The value in whole millionths of the catalog's unit, or null if it must be rejected. */
export function acceptedMicros(
  metric: string,
  value: number,
  unit: string | undefined,
  durationMs = 0,
): number | null {
  const { least, most, perMinute = Infinity } = bounds[metric]!;
  // A pound is 0.45359237 kg. With tenths of a pound as integers, the product is exact.
  const micros =
    unit === 'lb' ? Math.round((Math.round(value * 10) * 45_359_237) / 1000) : Math.round(value * 1e6);
  const inUnit = unit === 'lb' ? micros / 1e6 : value;
  const isPlausible = inUnit >= least && inUnit <= most;
  return isPlausible && inUnit <= perMinute * Math.max(1, durationMs / 60_000) ? micros : null;
}

/** Formats millionths as the API does: rounded half away from zero. */
export function print(metric: string, micros: number): string {
  const places = decimals[metric] ?? 0;
  const unit = 10 ** (6 - places);
  const rounded = Math.floor((Math.abs(Math.round(micros)) + unit / 2) / unit);
  return String((micros < 0 ? -rounded : rounded) / 10 ** places);
}
