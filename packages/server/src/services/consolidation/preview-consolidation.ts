import {
  changeSettings,
  consolidationKeyOf,
  fromMicros,
  isOptIn,
  metrics,
  placeInMonth,
  roundTo,
  type CanonicalValue,
  type DayNumber,
  type DayRange,
  type Metric,
  type SettingsPatch,
} from '@tributary/domain';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findConsolidationWithDevices } from '../../store/users/consolidation.ts';
import type { Queryable } from '../../store/database/database.ts';
import { snapshotAsTenant, type Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { UserState, type Device } from '../layers/user-state.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { checkProviders } from './check-providers.ts';
import { withSlot } from './preview-slots.ts';
import { previewMonth, type MonthPreview } from './preview-month.ts';

export interface PreviewInput {
  patch: SettingsPatch;
  /** Returns the requested days, which depend on the user's time zone. */
  daysFor: (user: ReadUser) => DayRange;
}

/** A daily value and its device. The device is null for a derived value. */
interface PreviewedValue {
  value: number;
  device: Device | null;
}

export interface Preview extends DayRange {
  metrics: {
    metric: Metric;
    daysChanged: number;
    changes: { day: DayNumber; before: PreviewedValue | null; after: PreviewedValue | null }[];
  }[];
  sleep: { daysChanged: number; changes: MonthPreview['sleep'] };
}

/** Maximum number of changes that are listed. Further changes are only counted. */
const mostChanges = 31;

/**
 * Returns what a settings change would change between two days, without storing it. The caller has checked the patch against the catalog. Throws
 * `user_not_found` or `invalid_provider`.
 */
export function previewConsolidation(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  { patch, daysFor }: PreviewInput,
): Promise<Preview> {
  const preview = async (tx: Queryable): Promise<Preview> => {
    const consolidation = await findConsolidationWithDevices(tx, tenant, userId);
    if (!consolidation) throw userNotFound(formatId('user', userId), 'user_not_found');
    const range = daysFor(consolidation);
    checkProviders(patch, consolidation.providers);
    const settings = changeSettings(consolidation.settings, patch);
    const { timezones, heightCm } = consolidation;
    const user = { ...tenant, userId, timezones, settings, heightCm };
    const devices = consolidation.devices ?? [];
    const byMetric = new Map<number, MonthPreview['values']>();
    const sleep: MonthPreview['sleep'] = [];
    for (const days of monthsOf(range)) {
      const month = await previewMonth(tx, new UserState(user, devices), days);
      for (const value of month.values) {
        const known = byMetric.get(value.metricNo);
        if (known) known.push(value);
        else byMetric.set(value.metricNo, [value]);
      }
      sleep.push(...month.sleep);
      await turnOfOthers(); // a year takes long enough to delay other requests in this process
    }
    const known = new UserState(user, devices).devices;
    return {
      ...range,
      metrics: metrics.flatMap((metric) => {
        const values = isShown(metric, patch) ? (byMetric.get(metric.no) ?? []) : [];
        return values.length > 0 ? [previewMetric(metric, values, known)] : [];
      }),
      sleep: { daysChanged: sleep.length, changes: sleep.slice(0, mostChanges) },
    };
  };
  return withSlot(tenant.accountId, () => snapshotAsTenant(ctx.db, tenant, preview));
}

/** Opt-in metrics are shown only if the patch names them. */
function isShown(metric: Metric, { metrics: named = {} }: SettingsPatch): boolean {
  return !isOptIn(metric) || Object.hasOwn(named, consolidationKeyOf(metric) ?? '');
}

function previewMetric(
  metric: Metric,
  values: MonthPreview['values'],
  devices: readonly Device[],
): Preview['metrics'][number] {
  const shown = (canonicalValue: CanonicalValue | null): PreviewedValue | null =>
    canonicalValue && {
      value: roundTo(fromMicros(canonicalValue.micros), metric.precision),
      device: devices.find(({ deviceNo }) => deviceNo === canonicalValue.source) ?? null,
    };
  return {
    metric,
    daysChanged: values.length,
    changes: values
      .slice(0, mostChanges)
      .map(({ day, before, after }) => ({ day, before: shown(before), after: shown(after) })),
  };
}

/** The days of a range, grouped by calendar month. */
function monthsOf({ from, to }: DayRange): DayNumber[][] {
  const days = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return [...Map.groupBy(days, (day) => placeInMonth(day).month).values()];
}
