import type { Scope } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

/** Stores a mobile token for a user of the tenant. Returns its expiration, or null if the tenant has no such user. */
export async function insertMobileToken(
  tx: Queryable,
  tenant: Tenant,
  token: { hash: Buffer; userId: string; scopes: readonly string[]; lifetimeSeconds: number },
): Promise<string | null> {
  const result = await tx.query<{ expiresAt: string }>({
    name: 'mobile-tokens/insert',
    text: `INSERT INTO mobile_tokens (hash, account_id, environment, user_id, scopes, expires_at)
           SELECT $4, u.account_id, u.environment, u.id, $5, tributary_now() + $6 * interval '1 second' FROM users u
           WHERE in_tenant(u.account_id, u.environment, $1, $2) AND u.id = $3 AND u.status = 'active'
           RETURNING expires_at AS "expiresAt"`,
    values: [
      tenant.accountId,
      tenant.environment,
      token.userId,
      token.hash,
      token.scopes,
      token.lifetimeSeconds,
    ],
  });
  return result.rows[0]?.expiresAt ?? null;
}

/** The identity of a used mobile token. */
export interface SpentMobileToken {
  tenant: Tenant;
  userId: string;
  scopes: Scope[];
}

/** Deletes a token, in the transaction of its bearer, so that it works once; null if there is none or it has expired. */
export async function spendMobileToken(tx: Queryable, hash: Buffer): Promise<SpentMobileToken | null> {
  const result = await tx.query<Tenant & Omit<SpentMobileToken, 'tenant'>>({
    name: 'mobile-tokens/spend',
    text: `DELETE FROM mobile_tokens WHERE hash = $1 AND expires_at > tributary_now()
           RETURNING account_id AS "accountId", environment, user_id AS "userId", scopes`,
    values: [hash],
  });
  const [row] = result.rows;
  if (!row) return null;
  const { accountId, environment, userId, scopes } = row;
  return { tenant: { accountId, environment }, userId, scopes };
}

/** Deletes tokens that expired more than a day ago. */
export async function deleteExpiredMobileTokens(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM mobile_tokens WHERE expires_at < tributary_now() - interval '1 day'`,
  });
  return result.rowCount ?? 0;
}
