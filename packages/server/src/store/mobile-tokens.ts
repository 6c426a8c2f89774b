import type { Queryable } from './database.ts';
import type { Tenant } from './tenant.ts';

/** Stores a mobile token for a user of the tenant; null when the tenant has no such user, else when the token ends. */
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

/** Deletes tokens that ended more than a day ago. */
export async function deleteExpiredMobileTokens(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM mobile_tokens WHERE expires_at < tributary_now() - interval '1 day'`,
  });
  return result.rowCount ?? 0;
}
