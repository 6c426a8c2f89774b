import { monthSlices, slicePrinted, type DayRange, type Metric, type MonthSlice } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { readPrintedMonths, type WantedMonths } from '../../store/reads/daily.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import type { ReadUser } from '../../store/users/read.ts';

/** The requested days, which depend on the user's time zone. */
export interface DayChoice {
  /** Contains every day that `resolve` can return. */
  widest: DayRange;
  resolve: (user: ReadUser) => DayRange;
}

/** The canonical values of some metrics and days. */
export interface DailyValues {
  user: ReadUser;
  range: DayRange;
  /** Per metric, the values as comma-separated JSON. */
  values: string[];
}

/**
 * Returns daily values in metric units exactly as stored, without parsing. Uses one statement even if the time zone determines the days: it reads
 * every month that may be needed.
 */
export async function readDaily(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  choice: DayChoice,
): Promise<DailyValues> {
  const result = await readPrintedMonths(ctx.db, tenant, userId, wantedMonths(metrics, choice.widest));
  if (!result) throw userNotFound(formatId('user', userId));
  const range = choice.resolve(result.user);
  const printed = new Map(
    result.months.map(({ metricNo, month, content }) => [keyOf(metricNo, month), content]),
  );
  const slices = monthSlices(range.from, range.to);
  const values = metrics.map(({ no }) =>
    slices.map((slice) => slicePrinted(printed.get(keyOf(no, slice.month)), slice)).join(','),
  );
  return { user: result.user, range, values };
}

export function wantedMonths(metrics: readonly Metric[], { from, to }: DayRange): WantedMonths {
  const months: MonthSlice[] = monthSlices(from, to);
  return {
    metrics: metrics.map(({ no }) => no),
    firstMonth: months[0]!.month,
    lastMonth: months.at(-1)!.month,
  };
}

/** A numeric map key for a metric and month. */
export function keyOf(metricNo: number, month: number): number {
  return metricNo * 100_000 + month;
}
