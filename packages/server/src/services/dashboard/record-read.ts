import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';

/** Audits that a dashboard user read data of a user. */
export async function recordRead(
  ctx: Pick<Context, 'db' | 'newId'>,
  acting: Acting,
  userId: string,
  operation: string,
): Promise<void> {
  await asTenant(ctx.db, acting, (tx) =>
    record(ctx, tx, acting, {
      action: 'user.read',
      target: { type: 'user', id: formatId('user', userId) },
      data: { operation },
    }),
  );
}
