import { dayMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { rotateSecret as rotate } from '../../store/webhooks/webhooks.ts';
import { record } from '../audit/record.ts';
import { createSigningSecret } from './signing-secret.ts';
import { webhookNotFound } from './webhook-not-found.ts';

const overlapMs = dayMs;

/** Creates a new secret, which is returned only here. The previous one stays valid for a day. Throws `not_found`. */
export async function rotateSecret(
  ctx: Pick<Context, 'db' | 'keyring' | 'newId'>,
  acting: Acting,
  id: string,
): Promise<{ secret: string; previousValidUntil: string }> {
  const { shown, sealed } = createSigningSecret(ctx.keyring, id);
  const target = { type: 'webhook', id: formatId('wh', id) };
  const until = await asTenant(ctx.db, acting, async (tx) => {
    const validUntil = await rotate(tx, acting, id, { secret: sealed, overlapMs });
    if (validUntil === null) throw webhookNotFound(target.id);
    await record(ctx, tx, acting, { action: 'webhook.secret_rotated', target });
    return validUntil;
  });
  return { secret: shown, previousValidUntil: until };
}
