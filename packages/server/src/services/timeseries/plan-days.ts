import {
  canMerge,
  dayEndMs,
  dayStartMs,
  decodeDeviceDay,
  isEnabled,
  isHealthStore,
  methodFor,
  rankCandidates,
  type DayNumber,
  type DeviceDay,
  type DeviceFacts,
  type Method,
  type Metric,
  type Timezones,
} from '@tributary/domain';
import type { TimeseriesFacts } from '../../store/reads/timeseries.ts';
import { CanonicalValuesByDay } from '../daily/read-exact-daily.ts';
import { unpack } from '../layers/packing.ts';
import { UserState } from '../layers/user-state.ts';

/** The devices whose samples of a metric are returned for one day. */
export interface DaySeries {
  metric: Metric;
  /** One device, or those that are merged over time. */
  devices: readonly { device: DeviceFacts; chunks: number[] }[];
  merged: boolean;
  /** The number of samples. */
  count: number;
}

export interface DayPlan {
  day: DayNumber;
  startMs: number;
  endMs: number;
  series: DaySeries[];
}

/** The data that determines whose samples are returned. */
type PlanFacts = Pick<TimeseriesFacts, 'settings' | 'devices' | 'months' | 'days'> & { timezones: Timezones };

/** Determines for each day and metric whose samples are returned, from each device's data and the source of the daily value. */
export function planDays(
  { timezones, settings, devices, months, days: rows }: PlanFacts,
  metrics: readonly Metric[],
  days: readonly DayNumber[],
): DayPlan[] {
  const known = new UserState(
    { userId: '', accountId: '', environment: 'live', timezones, settings, heightCm: null },
    devices,
  );
  const live = known.devices.filter(({ removedMs }) => removedMs === null);
  const canonicalValues = new CanonicalValuesByDay(months);
  const rowsByDay = Map.groupBy(rows, ({ day }) => day);
  const plans: DayPlan[] = [];
  for (const day of days) {
    const contents = new Map<number, DeviceDay>();
    for (const { deviceNo, data } of rowsByDay.get(day) ?? [])
      contents.set(deviceNo, decodeDeviceDay(unpack(data), day));
    const series = metrics.flatMap((metric): DaySeries[] => {
      const having = live.flatMap((device) => {
        const parts = contents.get(device.deviceNo)?.sampled.get(metric.no);
        if (!parts || !isEnabled(settings, metric, device.provider)) return [];
        const count = [...parts.values()].reduce((sum, part) => sum + part.count, 0);
        return [{ device, enabled: true, chunks: [...parts.keys()].sort((a, b) => a - b), count }];
      });
      const ranked = rankCandidates(metric, having);
      if (ranked.length === 0) return [];
      const supplier = canonicalValues.of(metric, day)?.source;
      const first = ranked.find(({ device }) => device.deviceNo === supplier) ?? ranked[0]!;
      const method = methodFor(settings, metric);
      const shown = devicesShown(ranked, first, metric, method);
      const merged = method === 'merge' || shown.length > 1;
      const count = shown.reduce((sum, one) => sum + one.count, 0);
      return [{ metric, devices: shown, merged, count }];
    });
    plans.push({
      day,
      startMs: dayStartMs(day, timezones),
      endMs: dayEndMs(day, timezones),
      series,
    });
  }
  return plans;
}

/** The devices whose samples are returned: all for `merge`, all of the same health store if amounts can be merged, else only the first one. */
function devicesShown<D extends { device: DeviceFacts }>(
  ranked: readonly D[],
  first: D,
  metric: Metric,
  method: Method | null,
): readonly D[] {
  if (!canMerge(metric)) return [first];
  if (method === 'merge') return ranked;
  const { provider } = first.device;
  return isHealthStore(provider) ? ranked.filter(({ device }) => device.provider === provider) : [first];
}
