import { choose, type Chosen, type Method } from './choose.ts';
import type { Day } from './calendar.ts';
import { deviceDay, mean, type Aggregation, type DeviceDay } from './device-days.ts';
import { byRank } from './ranks.ts';
import type { Device } from './uploads.ts';

/**
 * The values of one measurement come from one device and the same readings: the best-ranked device of those with a complete measurement, else
 * of those with its main value. A value that it did not report is missing. If the settings exclude devices for some of the values only, the
 * other values come from the device of the main value if it has them, and otherwise from another one.
 */
export function chooseMeasurement(
  metrics: readonly string[],
  devicesOf: (metric: string) => readonly Device[],
  aggregation: Aggregation,
  methodOf: (metric: string) => Method,
  day: Day,
): Map<string, Chosen> {
  const main = metrics[0]!;
  const valuesOf = new Map(
    [...new Set(metrics.flatMap(devicesOf))].map((device) => [
      device,
      measured(device, metrics, aggregation, day),
    ]),
  );
  const rankedFor = (metric: string) =>
    devicesOf(metric)
      .filter((device) => valuesOf.get(device)!.size > 0)
      .toSorted(byRank(main));
  const best = (metric: string) => {
    const ranked = rankedFor(metric);
    const ofSize = (least: number) =>
      ranked.find((device) => valuesOf.get(device)!.has(main) && valuesOf.get(device)!.size >= least);
    return ofSize(2) ?? ofSize(1) ?? ranked[0];
  };
  const result = new Map<string, Chosen>();
  for (const metric of metrics) {
    const days: DeviceDay[] = rankedFor(metric).flatMap((device) => {
      const value = valuesOf.get(device)!.get(metric);
      return value === undefined ? [] : [{ ...deviceDay(device, metric, aggregation, day)!, value }];
    });
    const ofMain = days.find(({ device }) => device === best(main))?.device;
    const chosen = ofMain ?? best(metric);
    const isPriority = methodOf(metric) === 'priority';
    const complete = days.filter(({ device }) => valuesOf.get(device)!.size === metrics.length);
    const all = aggregation === 'avg' && complete.length > 0 ? complete : days;
    const options = isPriority ? days.filter(({ device }) => device === chosen) : all;
    const value = choose(options, metric, methodOf(metric), false);
    if (!value) continue;
    if (isPriority && (chosen !== rankedFor(metric)[0] || days.length > 1)) value.rules.add('measurement');
    result.set(metric, value);
  }
  return result;
}

/** The values of the most complete readings of a device. A reading without the main value counts only if all are. */
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
  const main = metrics.find((metric) => [...starts.values()].some((values) => values.has(metric)));
  const whole = [...starts].filter(([, values]) => values.has(main!));
  const most = Math.max(0, ...whole.map(([, { size }]) => size));
  const complete = whole.filter(([, { size }]) => size === most).toSorted(([a], [b]) => a - b);
  if (complete.length === 0) return new Map();
  if (aggregation === 'last') return complete.at(-1)![1];
  const means = metrics.map(
    (metric) => [metric, complete.flatMap(([, values]) => values.get(metric) ?? [])] as const,
  );
  return new Map(
    means.filter(([, values]) => values.length > 0).map(([metric, values]) => [metric, mean(values)]),
  );
}
