import type { Queryable } from '../database/database.ts';
import type { ErasedTable } from './erasure-list.ts';
import type { Tenant } from '../database/tenant.ts';

/** Records, with the deletion of a user, that all its data is to be erased. */
export async function insertErasure(tx: Queryable, tenant: Tenant, userId: string): Promise<void> {
  await tx.query({
    name: 'erasures/insert',
    text: `INSERT INTO erasures (user_id, account_id, environment, requested_at) VALUES ($3, $1, $2, tributary_now())`,
    values: [tenant.accountId, tenant.environment, userId],
  });
}

/** The tenant of an unfinished erasure; null if there is none. */
export async function findUnfinishedErasure(db: Queryable, userId: string): Promise<Tenant | null> {
  const result = await db.query<Tenant>({
    name: 'erasures/find',
    text: `SELECT account_id AS "accountId", environment FROM erasures WHERE user_id = $1 AND finished_at IS NULL`,
    values: [userId],
  });
  return result.rows[0] ?? null;
}

/** Users whose erasure was requested longer ago than `olderThanMs` and is not finished. */
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

/** Deletes up to `most` rows of a user from a table and adds them to the count of the erasure. Returns their number. */
export function eraseSomeRows(
  tx: Queryable,
  userId: string,
  { name, rows }: ErasedTable,
  most: number,
): Promise<number> {
  const some = `ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${rows} LIMIT ${most}))`;
  return changeAndCount(tx, userId, name, `DELETE FROM ${name} WHERE ${some}`);
}

/** The same for all rows, including those that another transaction is changing. */
export function eraseRows(tx: Queryable, userId: string, { name, rows }: ErasedTable): Promise<number> {
  return changeAndCount(tx, userId, name, `DELETE FROM ${name} WHERE ${rows}`);
}

const withContent = `user_id = $1 AND (metrics <> '{}' OR device_id IS NOT NULL OR data <> '{}')`;

/** Tables with events: unsequenced first, then sequenced. In this order, because events move the same way. */
const eventTables = ['events', 'feed'] as const;

/** Erases the content of up to `most` events of a user in each table. They keep their position. Returns the larger number. */
export async function emptySomeEvents(tx: Queryable, userId: string, most: number): Promise<number> {
  let emptied = 0;
  for (const table of eventTables) {
    const some = `(tableoid, ctid) IN (SELECT tableoid, ctid FROM ${table} WHERE ${withContent} LIMIT ${most})`;
    emptied = Math.max(emptied, await changeAndCount(tx, userId, table, emptying(table, some)));
  }
  return emptied;
}

/** The same for all events. */
export async function emptyEvents(tx: Queryable, userId: string): Promise<void> {
  for (const table of eventTables) await changeAndCount(tx, userId, table, emptying(table, withContent));
}

function emptying(table: string, rows: string): string {
  return `UPDATE ${table} SET metrics = '{}', device_id = NULL, data = '{}' WHERE ${rows}`;
}

/** A change and its count are one statement, so that no failure can separate them. */
async function changeAndCount(tx: Queryable, userId: string, name: string, change: string): Promise<number> {
  const sum = `coalesce((e.removed ->> '${name}')::int8, 0) + c.rows`;
  const result = await tx.query<{ rows: number }>({
    text: `WITH gone AS (${change} RETURNING 1), counted AS (SELECT count(*) AS rows FROM gone)
           UPDATE erasures e SET removed = jsonb_set(e.removed, '{${name}}', to_jsonb(${sum}))
           FROM counted c WHERE e.user_id = $1 RETURNING c.rows`,
    values: [userId],
  });
  return result.rows[0]!.rows;
}

/** Deletes the user itself and closes the erasure. Returns the number of deleted rows by table. */
export async function finishErasure(tx: Queryable, userId: string): Promise<Record<string, number>> {
  await tx.query({ text: 'DELETE FROM users WHERE id = $1', values: [userId] });
  const result = await tx.query<{ removed: Record<string, number> }>({
    text: `UPDATE erasures SET finished_at = tributary_now(), removed = removed || '{"users": 1}' WHERE user_id = $1 RETURNING removed`,
    values: [userId],
  });
  return result.rows[0]!.removed;
}
