import { operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { readTimeseries } from '../../../services/timeseries/read-timeseries.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { respondIfUnchanged, etagOf } from '../../caching/conditional.ts';
import { invalid, readDays } from '../../parameters/date-range.ts';
import { readTimeseriesMetrics } from '../../parameters/metric-list.ts';
import { streamTimeseries } from '../../wire/timeseries-text.ts';
import { userIdOf } from '../../parameters/user-id.ts';

const mostDays = 31;
const mostSamples = 700_000;

export function registerTimeseriesRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/timeseries', { schema: operations.listTimeseries }, async (request, reply) => {
    const {
      unit_system: units = 'metric',
      include_sources: sources = false,
      resolution = 'raw',
    } = request.query;
    const metrics = readTimeseriesMetrics(request.query.metrics);
    const requestedDays = readDays(request.query, 1, mostDays);
    const bucketMs = readResolution(resolution);
    const userId = userIdOf(request.params.id);

    // Form 1 requires both dates.
    const range = { from: requestedDays.from!, to: requestedDays.to! };
    const etagFor = (user: ReadUser) => etagOf(request, user, range.to);
    if (await respondIfUnchanged(ctx, request, reply, userId, etagFor)) return reply;

    const { tenant } = callerOf(request);
    const timeseries = await readTimeseries(ctx, tenant, userId, metrics, range, bucketMs);
    if (timeseries.count > mostSamples) {
      const problem = `must be set to a longer interval such as 60s. These days have ${timeseries.count} samples, more than the limit of ${mostSamples} per response`;
      throw invalid('resolution', problem);
    }
    void reply.header('ETag', etagFor(timeseries.user)).type('application/json; charset=utf-8');
    return reply.send(streamTimeseries(timeseries, units, sources));
  });
}

/** The bucket length in milliseconds; null for raw samples. */
function readResolution(resolution: string): number | null {
  if (resolution === 'raw') return null;
  const [, count, unit] = /^([1-9]\d{0,4})([sm])$/.exec(resolution) ?? [];
  const seconds = Number(count) * (unit === 'm' ? 60 : 1);
  if (unit === undefined || seconds > 86_400)
    throw invalid(
      'resolution',
      'must be raw, or a whole number of seconds or minutes up to one day such as 30s or 5m',
    );
  return seconds * 1000;
}
