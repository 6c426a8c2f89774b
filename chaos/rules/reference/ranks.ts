import type { Device } from './uploads.ts';

/** Ranks of device kinds by type of metric; a lower number wins. A kind without a number has rank 80, and `other` 95. */
const movement = { watch: 10, band: 20, ring: 30, bike_computer: 35, phone: 40, manual: 90 };
const energy = {
  watch: 10,
  bike_computer: 12,
  chest_strap: 15,
  band: 20,
  ring: 30,
  scale: 40,
  phone: 50,
  manual: 90,
};
const heartRate = {
  watch: 10,
  band: 15,
  chest_strap: 20,
  meter: 25,
  ring: 30,
  bed_sensor: 50,
  phone: 60,
  manual: 90,
};
const variability = {
  meter: 5,
  ring: 10,
  chest_strap: 15,
  band: 20,
  watch: 30,
  bed_sensor: 40,
  phone: 60,
  manual: 90,
};
const sleep = { headband: 5, ring: 10, band: 20, watch: 30, bed_sensor: 40, phone: 60, manual: 90 };
const body = { scale: 10, manual: 20, watch: 30, food_app: 40 };
const pressure = { meter: 10, watch: 30, manual: 50 };
const cycling = { bike_computer: 5, watch: 20, band: 30, ring: 40, phone: 50, manual: 90 };
const workout = { chest_strap: 5, bike_computer: 10, band: 15, watch: 20, phone: 60 };

const ranksOf: Record<string, Partial<Record<string, number>>> = {
  steps: movement,
  distance: movement,
  running: movement,
  swimming: movement,
  cycling,
  active_calories: energy,
  heart_rate: heartRate,
  heart_rate_min: heartRate,
  heart_rate_max: heartRate,
  resting_heart_rate: heartRate,
  heart_rate_variability_rmssd: variability,
  blood_pressure_systolic: pressure,
  blood_pressure_diastolic: pressure,
  weight: body,
  body_fat_percentage: body,
  sleep,
  workout,
};

function rankOf({ kind }: Device, metric: string): number {
  return ranksOf[metric]?.[kind] ?? (kind === 'other' ? 95 : 80);
}

/** Orders devices for a metric, best first: by rank, then the most recently connected, then by device ID, then by provider. */
export function byRank(metric: string): (a: Device, b: Device) => number {
  return (a, b) =>
    rankOf(a, metric) - rankOf(b, metric) ||
    b.connectedMs - a.connectedMs ||
    compareText(a.id, b.id) ||
    compareText(a.provider, b.provider);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
