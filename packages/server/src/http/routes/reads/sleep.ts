import { operations, sleepListResponse } from '@tributary/contract';
import { formatDay } from '@tributary/domain';
import type { Context } from '../../../context.ts';
import { listSleepByCursor } from '../../../services/sleep/list-sleep-by-cursor.ts';
import { listSleep } from '../../../services/sleep/list-sleep.ts';
import type { ReadUser } from '../../../store/users/read.ts';
import type { App } from '../../frame/app-type.ts';
import { callerOf } from '../../frame/auth.ts';
import { respondIfUnchanged, etagOf } from '../../caching/conditional.ts';
import { sendAs } from '../../parameters/install-forms.ts';
import { readPageRequest, readRange } from '../../parameters/session-pages.ts';
import { userIdOf } from '../../parameters/user-id.ts';
import { toSleepListItemWire, toSleepSessionWire } from '../../wire/sessions.ts';

export function registerSleepRoutes(app: App, ctx: Context): void {
  app.get('/v1/users/:id/sleep', { schema: operations.listSleep }, async (request, reply) => {
    const { tenant } = callerOf(request);
    if (request.form === 1) {
      const { unit_system: units = 'metric', include_sources: includeSources = false } = request.query;
      const range = readRange(request);
      const userId = userIdOf(request.params.id);
      const tagFor = (user: ReadUser) => etagOf(request, user, range.to);
      if (await respondIfUnchanged(ctx, request, reply, userId, tagFor)) return reply;
      const { user, sessions } = await listSleep(ctx, tenant, userId, range);
      const data = sessions.map((session) => toSleepSessionWire(session, { units, includeSources }));
      return sendAs(reply.header('ETag', tagFor(user)), sleepListResponse.form1, { data });
    }
    const { userId, ...pageRequest } = readPageRequest(ctx, request, 'sleep');
    const tagFor = (user: ReadUser) => etagOf(request, user, pageRequest.rangeFor(user).to);
    if (await respondIfUnchanged(ctx, request, reply, userId, tagFor)) return reply;
    const { user, range, sessions, nextCursor } = await listSleepByCursor(ctx, tenant, userId, pageRequest);
    const view = { timezones: user.timezones, includeSources: pageRequest.page.includeSources };
    return sendAs(reply.header('ETag', tagFor(user)), sleepListResponse.form2, {
      from_date: formatDay(range.from),
      to_date: formatDay(range.to),
      data: sessions.map((session) => toSleepListItemWire(session, view)),
      next_cursor: nextCursor,
    });
  });
}
