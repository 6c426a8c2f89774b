import type { MissingReason } from '@tributary/contract';
import {
  dayStartMs,
  inputsOf,
  isEnabled,
  readingOfDay,
  type ConsolidationSettings,
  type DayNumber,
  type DeviceDay,
  type Metric,
  type Timezones,
} from '@tributary/domain';
import type { NamedDevice } from '../../store/reads/daily.ts';

/** The facts about a user that explain a missing value. */
interface Known {
  settings: ConsolidationSettings;
  devices: readonly NamedDevice[];
  /** The device days, by day and device number. */
  deviceDays: ReadonlyMap<DayNumber, ReadonlyMap<number, DeviceDay>>;
  timezones: Timezones;
  /** Whether a metric has a canonical value on a day. */
  isKnown: (metricNo: number, day: DayNumber) => boolean;
}

/** Returns why a day has no value for this metric. The first reason that applies wins. */
export function reasonsFor(
  metric: Metric,
  { settings, devices, deviceDays, timezones, isKnown }: Known,
): (day: DayNumber) => MissingReason {
  const connected = devices.filter(({ removed, status }) => !removed && status !== 'pending');
  const hasValue = (day: DayNumber, { deviceNo }: NamedDevice) => {
    const content = deviceDays.get(day)?.get(deviceNo);
    return content !== undefined && readingOfDay(content, metric.no) !== null;
  };
  // A device that reported the metric on any day supports it, whatever the catalog says about its provider.
  const able = connected.filter(
    (device) =>
      canReport(device.provider, metric) || [...deviceDays.keys()].some((day) => hasValue(day, device)),
  );
  const allowed = able.filter(({ provider }) => isEnabled(settings, metric, provider));
  const lastSyncMs = Math.max(-Infinity, ...allowed.map((device) => device.lastSyncMs ?? -Infinity));
  const inputs = inputsOf(metric.no);
  return (day) => {
    // The inputs of a derived metric have values, so its own value must be out of range.
    if (inputs.length > 0 && inputs.every((input) => isKnown(input, day))) return 'implausible';
    if (connected.length === 0) return 'no_device';
    // There is no value, so a device that reported one is excluded, or the rest of the measurement comes from another one.
    const reporting = connected.filter((device) => hasValue(day, device));
    if (reporting.length > 0)
      return reporting.some(({ provider }) => isEnabled(settings, metric, provider))
        ? 'not_reported'
        : 'excluded';
    if (able.length === 0) return 'unsupported';
    if (allowed.length === 0) return 'excluded';
    return lastSyncMs < dayStartMs(day, timezones) ? 'not_synced_yet' : 'not_reported';
  };
}

/** Returns whether a provider can report a metric. A derived metric is always possible. */
function canReport(provider: string, metric: Metric): boolean {
  if (metric.origin !== 'measured' || inputsOf(metric.no).length > 0) return true;
  if (provider === 'apple_health') return metric.healthkit !== null;
  if (provider === 'health_connect') return metric.healthConnect !== null;
  return true;
}
