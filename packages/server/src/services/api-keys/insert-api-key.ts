import { createSecretToken, hashSecret, hintOf } from '../../credentials/secret-token.ts';
import { replaceApiKey, type ApiKey } from '../../store/api-keys.ts';
import type { Queryable } from '../../store/database.ts';
import type { Environment } from '../../store/tenant.ts';

const lifetimeDays = 90;

export interface NewApiKey extends ApiKey {
  /** Shown once: only its hash is kept. */
  secret: string;
}

/** Makes the key of an environment and revokes the one before, inside a transaction of the caller, who announces it after the commit. */
export async function insertApiKey(
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
