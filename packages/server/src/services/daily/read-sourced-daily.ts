import {
  dayEndMs,
  dayStartMs,
  decodeDeviceDay,
  inputsOf,
  metricOf,
  originalOf,
  readingOfDay,
  shownCoverage,
  type CanonicalValue,
  type DayNumber,
  type DaySpan,
  type DeviceDay,
  type Metric,
} from '@tributary/domain';
import type { MissingReason } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { readSourcedMonths, type NamedDevice } from '../../store/reads/daily.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { unpack } from '../layers/packing.ts';
import { reasonsFor } from './missing-reasons.ts';
import { wantedMonths, type DailyValues, type DayChoice } from './read-daily.ts';
import { CanonicalValuesByDay, printExact, type UnitSystem } from './read-exact-daily.ts';

/** The device of a value, and the value in that device's own unit. */
export interface ValueSource {
  provider: string;
  deviceId: string;
  originalValue: number | null;
  originalUnit: string | null;
  /** The share of the day that the device observed, for daily values. Null if they come from sessions. */
  coverage?: number | null;
}

/** The source of one daily value. */
export interface DaySource {
  /** Null for a value derived from other canonical values. */
  source: ValueSource | null;
  /** The contributing devices, best rank first. Empty if only one device contributed. */
  contributors: ValueSource[];
}

export interface SourcedDailyValues extends DailyValues {
  /** Per metric and day. Null if there is no value. */
  sources: (DaySource | null)[][];
  /** Per metric and day. Null if there is a value. */
  reasons: (MissingReason | null)[][];
}

/** Returns daily values with their sources, and the reasons for missing values. */
export async function readSourcedDaily(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  choice: DayChoice,
  units: UnitSystem,
): Promise<SourcedDailyValues> {
  // Inputs of derived metrics explain why those have no value.
  const inputs = metrics.flatMap(({ no }) => inputsOf(no).map(metricOf));
  const wanted = wantedMonths([...new Set([...metrics, ...inputs])], choice.widest);
  const result = await readSourcedMonths(ctx.db, tenant, userId, wanted, choice.widest);
  if (!result) throw userNotFound(formatId('user', userId));
  const { user, settings, devices } = result;
  const range = choice.resolve(user);
  const canonicalValues = new CanonicalValuesByDay(result.months);
  const daysByDevice = new Map<DayNumber, Map<number, DeviceDay>>();
  for (const { day, deviceNo, data } of result.days) {
    const ofDay = daysByDevice.get(day) ?? new Map<number, DeviceDay>();
    daysByDevice.set(day, ofDay.set(deviceNo, decodeDeviceDay(unpack(data), day)));
  }
  const byNumber = new Map(devices.map((device) => [device.deviceNo, device]));
  const days = Array.from({ length: range.to - range.from + 1 }, (_, at) => range.from + at);
  return {
    user,
    range,
    values: printExact(metrics, range, canonicalValues, units),
    sources: metrics.map((metric) =>
      days.map((day) => {
        const canonicalValue = canonicalValues.of(metric, day);
        if (!canonicalValue) return null;
        const span = { startMs: dayStartMs(day, user.timezones), endMs: dayEndMs(day, user.timezones) };
        return sourceOf(metric, canonicalValue, { contents: daysByDevice.get(day), span }, byNumber);
      }),
    ),
    reasons: metrics.map((metric) => {
      const reasonFor = reasonsFor(metric, {
        settings,
        devices,
        deviceDays: daysByDevice,
        timezones: user.timezones,
        isKnown: (metricNo, day) => canonicalValues.of(metricOf(metricNo), day) !== null,
      });
      return days.map((day) => (canonicalValues.of(metric, day) ? null : reasonFor(day)));
    }),
  };
}

function sourceOf(
  metric: Metric,
  { source, contributors }: CanonicalValue,
  { contents, span }: { contents: Map<number, DeviceDay> | undefined; span: DaySpan },
  devices: Map<number, NamedDevice>,
): DaySource {
  const nameOf = (deviceNo: number): ValueSource | null => {
    const device = devices.get(deviceNo);
    if (!device) return null;
    const content = contents?.get(deviceNo);
    const reading = content && readingOfDay(content, metric.no);
    const original = reading ? originalOf(metric, reading.micros, reading.unitCode) : null;
    return {
      provider: device.provider,
      deviceId: device.id,
      originalValue: original?.value ?? null,
      originalUnit: original?.unit ?? null,
      coverage: content && reading ? shownCoverage(content, metric.no, reading, span) : null,
    };
  };
  return { source: nameOf(source), contributors: contributors.flatMap((part) => nameOf(part) ?? []) };
}
