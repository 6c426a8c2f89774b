import {
  decodeDeviceDay,
  originalOf,
  readingOfDay,
  type CanonicalValue,
  type DayNumber,
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
import { wantedMonths, type DailyAnswer, type DayChoice } from './read-daily.ts';
import { AnswersByDay, printExact, type UnitSystem } from './read-exact-daily.ts';

/** The device of a value, and the value in that device's own unit. */
export interface ValueSource {
  provider: string;
  deviceId: string;
  originalValue: number | null;
  originalUnit: string | null;
}

/** The source of one daily value. */
export interface DaySource {
  /** Null for a value derived from other canonical values. */
  source: ValueSource | null;
  /** The contributing devices, best rank first. Empty if only one device contributed. */
  contributors: ValueSource[];
}

export interface SourcedAnswer extends DailyAnswer {
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
): Promise<SourcedAnswer> {
  const wanted = wantedMonths(metrics, choice.widest);
  const found = await readSourcedMonths(ctx.db, tenant, userId, wanted, choice.widest);
  if (!found) throw userNotFound(formatId('user', userId));
  const { user, settings, devices } = found;
  const range = choice.resolve(user);
  const answers = new AnswersByDay(found.months);
  const told = new Map<DayNumber, Map<number, DeviceDay>>();
  for (const { day, deviceNo, data } of found.days) {
    const ofDay = told.get(day) ?? new Map<number, DeviceDay>();
    told.set(day, ofDay.set(deviceNo, decodeDeviceDay(unpack(data), day)));
  }
  const byNumber = new Map(devices.map((device) => [device.deviceNo, device]));
  const days = Array.from({ length: range.to - range.from + 1 }, (_, at) => range.from + at);
  return {
    user,
    range,
    values: printExact(metrics, range, answers, units),
    sources: metrics.map((metric) =>
      days.map((day) => {
        const answer = answers.of(metric, day);
        return answer && sourceOf(metric, answer, told.get(day), byNumber);
      }),
    ),
    reasons: metrics.map((metric) => {
      const reasonFor = reasonsFor(metric, { settings, devices, told, timezone: user.timezone });
      return days.map((day) => (answers.of(metric, day) ? null : reasonFor(day)));
    }),
  };
}

function sourceOf(
  metric: Metric,
  { source, contributors }: CanonicalValue,
  told: Map<number, DeviceDay> | undefined,
  devices: Map<number, NamedDevice>,
): DaySource {
  const nameOf = (deviceNo: number): ValueSource | null => {
    const device = devices.get(deviceNo);
    if (!device) return null;
    const content = told?.get(deviceNo);
    const reading = content && readingOfDay(content, metric.no);
    const original = reading ? originalOf(metric, reading.micros, reading.unitCode) : null;
    return {
      provider: device.provider,
      deviceId: device.id,
      originalValue: original?.value ?? null,
      originalUnit: original?.unit ?? null,
    };
  };
  return { source: nameOf(source), contributors: contributors.flatMap((part) => nameOf(part) ?? []) };
}
