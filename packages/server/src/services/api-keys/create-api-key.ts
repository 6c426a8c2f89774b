import type { Context } from '../../context.ts';
import { createSecretToken, hashSecret, hintOf } from '../../credentials/secret-token.ts';
import { replaceApiKey, type ApiKey } from '../../store/api-keys.ts';
import { inTransaction, type Queryable } from '../../store/database.ts';
import type { Environment } from '../../store/tenant.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

const lifetimeDays = 90;

export interface NewApiKey extends ApiKey {
  /** Shown once: only its hash is kept. */
  secret: string;
}

/** Makes the key of an environment and revokes the one before, on every node within a second. */
export async function createApiKey(
  ctx: Pick<Context, 'operator' | 'newId' | 'broker'>,
  input: { accountId: string; environment: Environment },
): Promise<NewApiKey> {
  const key = await inTransaction(ctx.operator, (tx) =>
    insertKey(tx, ctx.newId(), input.accountId, input.environment),
  );
  announceCredentialChange(ctx);
  return key;
}

/** The same inside a transaction of the caller, who announces the change after the commit. */
export async function insertKey(
  tx: Queryable,
  id: string,
  accountId: string,
  environment: Environment,
): Promise<NewApiKey> {
  const prefix = `sk_${environment}_` as const;
  const secret = createSecretToken(prefix);
  const key = await replaceApiKey(tx, {
    id,
    accountId,
    environment,
    hash: hashSecret(secret),
    hint: hintOf(prefix, secret),
    lifetimeDays,
  });
  return { ...key, secret };
}
