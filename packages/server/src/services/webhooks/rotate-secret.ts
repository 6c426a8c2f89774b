import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { rotateSecret as rotate } from '../../store/webhooks.ts';
import { createSigningSecret } from './signing-secret.ts';
import { webhookNotFound } from './webhook-not-found.ts';

const overlapMs = 24 * 3_600_000;

/** Makes a new secret, answered this once; the one before stays valid for a day. Throws `not_found`. */
export async function rotateSecret(
  ctx: Pick<Context, 'db' | 'keyring'>,
  tenant: Tenant,
  id: string,
): Promise<{ secret: string; previousValidUntil: string }> {
  const { shown, sealed } = createSigningSecret(ctx.keyring, id);
  const until = await asTenant(ctx.db, tenant, (tx) => rotate(tx, tenant, id, { secret: sealed, overlapMs }));
  if (until === null) throw webhookNotFound(formatId('wh', id));
  return { secret: shown, previousValidUntil: until };
}
