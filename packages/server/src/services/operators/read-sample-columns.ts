import { ApiError } from '@tributary/contract';
import type { DayRange, Metric } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/tenant.ts';
import { shownValue } from '../daily/read-exact-daily.ts';
import { readTimeseries } from '../timeseries/read-timeseries.ts';

/** What a chart can show, and a browser can hold. */
const mostSamples = 700_000;

export interface SampleColumns {
  /** When the first sample is; null without one. */
  startMs: number | null;
  /** Seconds from the sample before. */
  seconds: number[];
  values: number[];
}

/** The samples of one metric that the API would tell, as columns. */
export async function readSampleColumns(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  metric: Metric,
  range: DayRange,
): Promise<SampleColumns> {
  const { count, pieces } = await readTimeseries(ctx, tenant, userId, [metric], range, null);
  if (count > mostSamples)
    throw new ApiError('invalid_request', {
      message: `These days hold ${count} samples, and an answer at most ${mostSamples}. Ask for fewer days.`,
    });
  const columns: SampleColumns = { startMs: null, seconds: [], values: [] };
  let lastMs = 0;
  for await (const piece of pieces()) {
    for (const { points } of piece)
      for (const [at, timeMs] of points.timesMs.entries()) {
        columns.startMs ??= timeMs;
        columns.seconds.push(columns.seconds.length === 0 ? 0 : (timeMs - lastMs) / 1000);
        columns.values.push(shownValue(metric, points.micros[at]!, 'metric'));
        lastMs = timeMs;
      }
    // Unpacking a piece is enough for one turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return columns;
}
