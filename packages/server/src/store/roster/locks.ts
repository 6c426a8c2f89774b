import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

/**
 * Locks the roster of this tenant until the transaction ends. Its changes are few and short, and serializing them avoids conflicts. Taken before any
 * row lock: the user's row comes next, roster rows last.
 */
export async function lockRoster(tx: Queryable, { accountId, environment }: Tenant): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('roster:' || $1 || ':' || $2, 0))`,
    values: [accountId, environment],
  });
}
