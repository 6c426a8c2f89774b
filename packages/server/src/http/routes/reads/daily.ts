import { operations } from '@tributary/contract';
import type { Context } from '../../../context.ts';
import { readDaily } from '../../../services/daily/read-daily.ts';
import { readExactDaily } from '../../../services/daily/read-exact-daily.ts';
import { readSourcedDaily } from '../../../services/daily/read-sourced-daily.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { respondIfUnchanged, etagOf } from '../../caching/conditional.ts';
import { printColumns, printColumnsWith, printRows } from '../../wire/daily-text.ts';
import type { Form } from '../../parameters/choose-form.ts';
import { chooseDays } from '../../parameters/day-choice.ts';
import { invalid, readDays } from '../../parameters/date-range.ts';
import { readMetrics, readTypes } from '../../parameters/metric-list.ts';
import { userIdOf } from '../../parameters/user-id.ts';

const longestRange = { 1: 90, 2: 366 };

export function registerDailyRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/daily', { schema: operations.listDaily }, async (request, reply) => {
    const form = request.form!;
    const {
      metrics: form1List,
      types,
      unit_system: units = 'metric',
      include_sources: sources = false,
    } = request.query;
    const reasons = readReasons(request.query, form);
    const metrics = form === 1 ? readMetrics(form1List) : readTypes(types);
    const requestedDays = readDays(request.query, form, longestRange[form]);
    const userId = userIdOf(request.params.id);

    const choice = await chooseDays(ctx, request, userId, requestedDays);
    const etagFor = (user: ReadUser) => etagOf(request, user, choice.resolve(user).to);
    if (await respondIfUnchanged(ctx, request, reply, userId, etagFor)) return reply;

    const { tenant } = callerOf(request);
    const read = [ctx, tenant, userId, metrics, choice] as const;
    const sourced = sources || reasons ? await readSourcedDaily(...read, units) : null;
    const daily =
      sourced ?? (await (units === 'metric' ? readDaily(...read) : readExactDaily(...read, units)));

    void reply.header('ETag', etagFor(daily.user)).type('application/json; charset=utf-8');
    if (form === 2) {
      if (!sourced) return reply.send(printColumns(metrics, daily, units));
      return reply.send(printColumnsWith(metrics, sourced, units, { sources, reasons }));
    }
    const include = {
      sources: sources ? sourced!.sources : null,
      reasons: reasons ? sourced!.reasons : null,
    };
    return reply.send(printRows(metrics, daily, units, include));
  });
}

interface ReasonsQuery {
  include_missing?: boolean;
  include_reasons?: boolean;
}

/** Whether missing values are returned with their reasons. Form 1 adds rows for them, Form 2 a field. */
function readReasons(
  { include_missing: missing, include_reasons: reasons }: ReasonsQuery,
  form: Form,
): boolean {
  if (form === 1 && reasons !== undefined)
    throw invalid('include_reasons', 'is only supported in Form 2. Use `include_missing` in Form 1');
  if (form === 2 && missing !== undefined)
    throw invalid('include_missing', 'is only supported in Form 1. Use `include_reasons` in Form 2');
  return (form === 1 ? missing : reasons) ?? false;
}
