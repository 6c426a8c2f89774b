import { ApiError } from '@tributary/contract';
import type { DayRange, Metric } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { shownValue } from '../daily/read-exact-daily.ts';
import { readTimeseries } from '../timeseries/read-timeseries.ts';

/** Limit for charts and browser memory. */
const mostSamples = 700_000;

export interface SampleColumns {
  /** Time of the first sample, or null if there is none. */
  startMs: number | null;
  /** Seconds since the previous sample. */
  seconds: number[];
  values: number[];
}

/** Returns the samples of one metric that the API would return, as columns. */
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
      message: `These days contain ${count} samples, more than the limit of ${mostSamples}. Request fewer days.`,
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
    // Yields to the event loop after unpacking each chunk.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return columns;
}
