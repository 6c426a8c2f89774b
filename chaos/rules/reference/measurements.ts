import { choose, type Chosen, type Method } from './choose.ts';
import type { Day } from './calendar.ts';
import { deviceDay, mean, type Aggregation, type DeviceDay } from './device-days.ts';
import { byRank } from './ranks.ts';
import type { Device } from './uploads.ts';

/**
 * The values of one measurement come from one device and the same readings: the best-ranked device of those with the most complete
 * measurement. A value that it did not report is missing.
 */
export function chooseMeasurement(
  metrics: readonly string[],
  devicesOf: (metric: string) => readonly Device[],
  aggregation: Aggregation,
  methodOf: (metric: string) => Method,
  day: Day,
): Map<string, Chosen> {
  const daysOf = new Map<string, DeviceDay[]>(metrics.map((metric) => [metric, []]));
  const counts = new Map<Device, number>();
  for (const device of new Set(metrics.flatMap(devicesOf))) {
    const values = measured(device, metrics, aggregation, day);
    const enabled = [...values].filter(([metric]) => devicesOf(metric).includes(device));
    counts.set(device, enabled.length);
    for (const [metric, value] of enabled)
      daysOf.get(metric)!.push({ ...deviceDay(device, metric, aggregation, day)!, value });
  }
  const ranked = [...counts.keys()].filter((device) => counts.get(device)! > 0).toSorted(byRank(metrics[0]!));
  const chosen = ranked.toSorted((a, b) => counts.get(b)! - counts.get(a)!)[0];
  const result = new Map<string, Chosen>();
  for (const metric of metrics) {
    const days = daysOf.get(metric)!;
    const isPriority = methodOf(metric) === 'priority';
    const options = isPriority ? days.filter(({ device }) => device === chosen) : days;
    const value = choose(options, metric, methodOf(metric), false);
    if (!value) continue;
    if (isPriority && (chosen !== ranked[0] || days.length > 1)) value.rules.add('measurement');
    result.set(metric, value);
  }
  return result;
}

/** The values of the most complete readings of a device. */
function measured(
  device: Device,
  metrics: readonly string[],
  aggregation: Aggregation,
  { startMs, endMs }: Day,
): Map<string, number> {
  const starts = new Map<number, Map<string, number>>();
  for (const metric of metrics)
    for (const reading of device.readings.get(metric)?.values() ?? [])
      if (reading.startMs >= startMs && reading.startMs < endMs) {
        const values = starts.get(reading.startMs) ?? new Map<string, number>();
        starts.set(reading.startMs, values.set(metric, reading.value));
      }
  const most = Math.max(0, ...[...starts.values()].map(({ size }) => size));
  const complete = [...starts].filter(([, { size }]) => size === most).toSorted(([a], [b]) => a - b);
  if (complete.length === 0) return new Map();
  if (aggregation === 'last') return complete.at(-1)![1];
  const means = metrics.map(
    (metric) => [metric, complete.flatMap(([, values]) => values.get(metric) ?? [])] as const,
  );
  return new Map(
    means.filter(([, values]) => values.length > 0).map(([metric, values]) => [metric, mean(values)]),
  );
}
