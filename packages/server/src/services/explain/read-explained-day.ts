import type { DayNumber, Metric } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { readExplainedDay as readRow, type DayRow, type DayWanted } from '../../store/reads/explanations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { wantedFor } from './day-inputs.ts';

/** A metric and day with the data that explains them. */
export interface ReadDay {
  userId: string;
  metric: Metric;
  wanted: DayWanted;
  row: DayRow;
}

/** Reads the data that explains a metric and day of a user. Throws `not_found`. */
export async function readExplainedDay(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  { metric, day }: { metric: Metric; day: DayNumber },
): Promise<ReadDay> {
  const wanted = wantedFor(metric.no, day);
  const row = await readRow(ctx.db, tenant, userId, wanted);
  if (!row) throw userNotFound(formatId('user', userId));
  return { userId, metric, wanted, row };
}
