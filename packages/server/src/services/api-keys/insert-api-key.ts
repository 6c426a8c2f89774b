import type { Context } from '../../context.ts';
import { createSecretToken, hashSecret, hintOf } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { ActingForAccount } from '../../store/audit/actor.ts';
import { replaceApiKey, type ApiKey } from '../../store/accounts/api-keys.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';

const lifetimeDays = 90;

export interface NewApiKey extends ApiKey {
  /** Shown once. Only its hash is stored. */
  secret: string;
}

/** Creates the key of an environment and revokes the previous one in the caller's transaction. The caller announces the change after the commit. */
export async function insertApiKey(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: ActingForAccount,
  environment: Environment,
): Promise<NewApiKey> {
  const prefix = `sk_${environment}_` as const;
  const secret = createSecretToken(prefix);
  const { key, replaced } = await replaceApiKey(tx, {
    id: ctx.newId(),
    accountId: acting.accountId,
    environment,
    hash: hashSecret(secret),
    hint: hintOf(prefix, secret),
    lifetimeDays,
    createdBy: acting.actor.id,
  });
  await record(ctx, tx, acting, {
    action: 'api_key.created',
    target: { type: 'api_key', id: formatId('key', key.id) },
    data: { environment, hint: key.hint, replaced: replaced && formatId('key', replaced) },
  });
  return { ...key, secret };
}
