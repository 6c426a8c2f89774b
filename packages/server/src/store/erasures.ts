import type { Queryable } from './database.ts';
import type { ErasedTable } from './erasure-list.ts';
import type { Tenant } from './tenant.ts';

/** Notes, with the deletion of a user, that everything of it is to go. */
export async function insertErasure(tx: Queryable, tenant: Tenant, userId: string): Promise<void> {
  await tx.query({
    name: 'erasures/insert',
    text: `INSERT INTO erasures (user_id, account_id, environment, requested_at) VALUES ($3, $1, $2, tributary_now())`,
    values: [tenant.accountId, tenant.environment, userId],
  });
}

/** Whose user is to be erased; null when it is not, or not any more. */
export async function findUnfinishedErasure(db: Queryable, userId: string): Promise<Tenant | null> {
  const result = await db.query<Tenant>({
    name: 'erasures/find',
    text: `SELECT account_id AS "accountId", environment FROM erasures WHERE user_id = $1 AND finished_at IS NULL`,
    values: [userId],
  });
  return result.rows[0] ?? null;
}

/** Users whose erasure was asked for longer ago than that and has not ended. */
export async function listOverdueErasures(
  db: Queryable,
  olderThanMs: number,
  limit: number,
): Promise<string[]> {
  const result = await db.query<{ userId: string }>({
    text: `SELECT user_id AS "userId" FROM erasures
           WHERE finished_at IS NULL AND requested_at < tributary_now() - $1 * interval '1 millisecond'
           ORDER BY requested_at LIMIT $2`,
    values: [olderThanMs, limit],
  });
  return result.rows.map(({ userId }) => userId);
}

const count = (
  name: string,
  change: string,
) => `WITH gone AS (${change} RETURNING 1), counted AS (SELECT count(*) AS rows FROM gone)
  UPDATE erasures e SET removed = jsonb_set(e.removed, '{${name}}', to_jsonb(coalesce((e.removed ->> '${name}')::int8, 0) + c.rows))
  FROM counted c WHERE e.user_id = $1 RETURNING c.rows`;

/** Removes up to that many rows of a user from a table (null: all) and adds them to what the erasure counted; says how many. */
export function eraseRows(
  tx: Queryable,
  userId: string,
  { name, rows }: ErasedTable,
  limit: number | null,
): Promise<number> {
  const change = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${rows} LIMIT $2))`;
  return changeAndCount(tx, name, change, [userId, limit]);
}

/** Empties up to that many events of a user (null: all), which keep their place; says how many. */
export function emptyEvents(tx: Queryable, userId: string, limit: number | null): Promise<number> {
  const change = `UPDATE events SET metrics = '{}', device_id = NULL, data = '{}' WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM events WHERE user_id = $1 AND (metrics <> '{}' OR device_id IS NOT NULL OR data <> '{}') LIMIT $2))`;
  return changeAndCount(tx, 'events', change, [userId, limit]);
}

async function changeAndCount(
  tx: Queryable,
  name: string,
  change: string,
  values: unknown[],
): Promise<number> {
  const result = await tx.query<{ rows: number }>({
    name: `erasures/${name}`,
    text: count(name, change),
    values,
  });
  return result.rows[0]!.rows;
}

/** Removes the user itself and closes the erasure; answers what it removed in all, by table. */
export async function finishErasure(tx: Queryable, userId: string): Promise<Record<string, number>> {
  await tx.query({ text: 'DELETE FROM users WHERE id = $1', values: [userId] });
  const result = await tx.query<{ removed: Record<string, number> }>({
    text: `UPDATE erasures SET finished_at = tributary_now(), removed = removed || '{"users": 1}' WHERE user_id = $1 RETURNING removed`,
    values: [userId],
  });
  return result.rows[0]!.removed;
}
