import type { Context } from '../../context.ts';
import { parseId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import { asTenant } from '../../store/tenant.ts';
import { record } from '../audit/record.ts';

/** Writes down that an operator read data of a person. */
export async function recordRead(
  ctx: Pick<Context, 'db' | 'newId'>,
  acting: Acting,
  userId: string,
  operation: string,
): Promise<void> {
  if (parseId('user', userId) === null) return; // then nothing was read
  await asTenant(ctx.db, acting, (tx) =>
    record(ctx, tx, acting, {
      action: 'user.read',
      target: { type: 'user', id: userId },
      data: { operation },
    }),
  );
}
