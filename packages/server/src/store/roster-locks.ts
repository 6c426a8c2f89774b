import type { Queryable } from './database.ts';
import type { Tenant } from './tenant.ts';

/**
 * Keeps the roster of this tenant to the transaction: its changes are few and short, and one at a time they cannot cross one another. Taken
 * before any row; the row of a user comes next, rows of the roster last.
 */
export async function lockRoster(tx: Queryable, { accountId, environment }: Tenant): Promise<void> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('roster:' || $1 || ':' || $2, 0))`,
    values: [accountId, environment],
  });
}
