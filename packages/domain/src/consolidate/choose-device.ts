import { measurementOf } from '../catalog/measurements.ts';
import { metricOf } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { readingOfDay, type DeviceDay } from '../day/device-day.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { rankCandidates } from './rank-candidates.ts';

/** A device with its data of the day. */
interface DeviceWithDay {
  readonly device: DeviceFacts;
  readonly enabled: boolean;
  readonly content: DeviceDay;
}

/**
 * The device that all metrics of a measurement come from: the highest-ranked enabled one with a complete measurement, else the highest-ranked
 * one with any of it. Null if there is none, or if the metric is measured by itself.
 */
export function chooseDevice(metric: Metric, devices: readonly DeviceWithDay[]): DeviceFacts | null {
  const members = measurementOf(metric.no);
  if (!members) return null;
  const [main, ...others] = members;
  // Sessions are shown or not as a whole, and do not take part in this.
  const has = ({ content }: DeviceWithDay, no: number) =>
    (readingOfDay(content, no)?.from ?? 'sessions') !== 'sessions';
  const ranked = rankCandidates(
    metricOf(main!),
    devices.filter((one) => members.some((no) => has(one, no))),
  );
  const complete = ranked.find((one) => has(one, main!) && others.some((no) => has(one, no)));
  return (complete ?? ranked.find((one) => has(one, main!)) ?? ranked[0])?.device ?? null;
}
