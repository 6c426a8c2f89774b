import { sampleOperations as operations } from '@tributary/contract';
import { metrics as catalog, parseDay, type DayRange, type Metric } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { shownUnit } from '../../services/daily/read-exact-daily.ts';
import { requireMeasured } from '../../services/operators/authenticate-operator.ts';
import { readSampleColumns } from '../../services/dashboard/read-sample-columns.ts';
import type { App } from '../frame/app-type.ts';
import { invalid } from '../parameters/date-range.ts';
import { userIdOf } from '../parameters/user-id.ts';
import { tenantOf } from './environment.ts';
import { operatorOf } from './operators.ts';

const mostDays = 31;

/** Returns samples of one user as columns, for charts. */
export function registerSampleRoutes(app: App, ctx: Context): void {
  app.get(
    '/users/:id/samples',
    { schema: operations.getSamples, config: { role: 'viewer' } },
    async (request) => {
      const { environment, from, to } = request.query;
      requireMeasured(operatorOf(request), environment);
      const metric = readMetric(request.query.metric);
      const range = readRange(from, to);
      const userId = userIdOf(request.params.id);
      const tenant = tenantOf(request, environment);
      const { startMs, seconds, values } = await readSampleColumns(ctx, tenant, userId, metric, range);
      return {
        metric: metric.id,
        unit: shownUnit(metric, 'metric'),
        start: startMs === null ? null : new Date(startMs).toISOString(),
        seconds,
        values,
      };
    },
  );
}

function readMetric(id: string): Metric {
  const metric = catalog.find((one) => one.id === id && one.timeseries);
  if (!metric) throw invalid('metric', 'must be a metric with samples (list metrics with GET /v1/metrics)');
  return metric;
}

function readRange(first: string, last: string): DayRange {
  const [from, to] = [parseDay(first), parseDay(last)];
  if (from === null) throw invalid('from', 'must be a calendar date between 1900 and 2200');
  if (to === null || to < from) throw invalid('to', 'must be a calendar date on or after from');
  if (to - from >= mostDays) throw invalid('to', `must be within ${mostDays} days of from, both included`);
  return { from, to };
}
