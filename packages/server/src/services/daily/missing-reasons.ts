import type { MissingReason } from '@tributary/contract';
import {
  dayStartMs,
  isEnabled,
  readingOfDay,
  type ConsolidationSettings,
  type DayNumber,
  type DeviceDay,
  type Metric,
} from '@tributary/domain';
import type { NamedDevice } from '../../store/daily-reads.ts';

/** What is known of a user when a value is missing. */
interface Known {
  settings: ConsolidationSettings;
  devices: readonly NamedDevice[];
  /** What each device said, by day and number of the device. */
  told: ReadonlyMap<DayNumber, ReadonlyMap<number, DeviceDay>>;
  timezone: string;
}

/** Says why a day has no value of this metric: the first of these that holds. */
export function reasonsFor(
  metric: Metric,
  { settings, devices, told, timezone }: Known,
): (day: DayNumber) => MissingReason {
  const connected = devices.filter(({ removed, status }) => !removed && status !== 'pending');
  const tells = (day: DayNumber, { deviceNo }: NamedDevice) => {
    const content = told.get(day)?.get(deviceNo);
    return content !== undefined && readingOfDay(content, metric.no) !== null;
  };
  // Whoever told it on some day is able to, whatever the catalog knows of the provider.
  const able = connected.filter(
    (device) => canTell(device.provider, metric) || [...told.keys()].some((day) => tells(day, device)),
  );
  const allowed = able.filter(({ provider }) => isEnabled(settings, metric, provider));
  const lastSyncMs = Math.max(-Infinity, ...allowed.map((device) => device.lastSyncMs ?? -Infinity));
  return (day) => {
    if (connected.length === 0) return 'no_device';
    // Nobody who may take part said anything, so whoever did may not.
    if (connected.some((device) => tells(day, device))) return 'excluded';
    if (able.length === 0) return 'unsupported';
    if (allowed.length === 0) return 'excluded';
    return lastSyncMs < dayStartMs(day, timezone) ? 'not_synced_yet' : 'not_reported';
  };
}

/** Whether a source can tell a metric at all. What follows from other answers can always come about. */
function canTell(provider: string, metric: Metric): boolean {
  if (metric.origin !== 'measured') return true;
  if (provider === 'apple_health') return metric.healthkit !== null;
  if (provider === 'health_connect') return metric.healthConnect !== null;
  return true;
}
