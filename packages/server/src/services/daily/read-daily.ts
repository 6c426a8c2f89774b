import { monthSlices, slicePrinted, type DayRange, type Metric, type MonthSlice } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { readPrintedMonths, type WantedMonths } from '../../store/daily-reads.ts';
import type { Tenant } from '../../store/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import type { ReadUser } from '../../store/user-read.ts';

/** Which days of a user are asked about, once the user is known. */
export interface DayChoice {
  /** Certain to contain every day that `resolve` can answer. */
  widest: DayRange;
  resolve: (user: ReadUser) => DayRange;
}

/** The answers for some metrics and days. */
export interface DailyAnswer {
  user: ReadUser;
  range: DayRange;
  /** For each metric its values as JSON prints them, with commas between. */
  values: string[];
}

/**
 * Daily values in metric units, as they lie in the store: nothing is parsed on the way. One statement, also where the timezone decides
 * which days are meant: the months that it may need are read with it.
 */
export async function readDaily(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metrics: readonly Metric[],
  choice: DayChoice,
): Promise<DailyAnswer> {
  const found = await readPrintedMonths(ctx.db, tenant, userId, wantedMonths(metrics, choice.widest));
  if (!found) throw userNotFound(formatId('user', userId));
  const range = choice.resolve(found.user);
  const printed = new Map(
    found.months.map(({ metricNo, month, content }) => [keyOf(metricNo, month), content]),
  );
  const slices = monthSlices(range.from, range.to);
  const values = metrics.map(({ no }) =>
    slices.map((slice) => slicePrinted(printed.get(keyOf(no, slice.month)), slice)).join(','),
  );
  return { user: found.user, range, values };
}

export function wantedMonths(metrics: readonly Metric[], { from, to }: DayRange): WantedMonths {
  const months: MonthSlice[] = monthSlices(from, to);
  return {
    metrics: metrics.map(({ no }) => no),
    firstMonth: months[0]!.month,
    lastMonth: months.at(-1)!.month,
  };
}

/** One number for a metric and month. */
export function keyOf(metricNo: number, month: number): number {
  return metricNo * 100_000 + month;
}
