import { operations } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { toAuditWire } from '../../services/audit/audit-wire.ts';
import { listAudit } from '../../services/audit/list-audit.ts';
import type { App } from '../frame/app-type.ts';
import { callerOf } from '../frame/auth.ts';

export function registerAuditRoutes(app: App, ctx: Context): void {
  app.get('/v1/audit', { schema: operations.listAudit }, async (request) => {
    const { action, target_id: targetId, actor_id: actorId, since, until, limit, cursor } = request.query;
    const page = await listAudit(ctx, callerOf(request).tenant, {
      action,
      targetId,
      actorId,
      since: since && toMilliseconds(since),
      until: until && toMilliseconds(until),
      limit,
      cursor,
    });
    return { data: page.entries.map(toAuditWire), next_cursor: page.nextCursor };
  });
}

/** Normalizes a time so that the cursor can compare it. */
function toMilliseconds(time: string): string {
  return new Date(time).toISOString();
}
