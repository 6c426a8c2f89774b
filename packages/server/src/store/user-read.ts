import type pg from 'pg';
import type { Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Statement, type Tenant } from './tenant.ts';

/** What every read about a user has to know of the user. */
export interface ReadUser {
  /** Goes up with every change that an answer may depend on. */
  version: number;
  /** Which days are cut by. */
  timezone: string;
}

/** Holds for rows of `users u` that this tenant may see. */
export const activeInTenant = `in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.status = 'active'`;

// Health tables are walled by user: the wall is set from the row that both tenant walls let through.
export const userWall = `LATERAL (SELECT set_config('tributary.user_id', u.id::text, true) AS user_id OFFSET 0) AS user_wall`;

/** Ties a sub-select to the wall, so that it cannot be evaluated before the wall stands. */
export const behindWall = 'user_wall.user_id IS NOT NULL';

/**
 * A read of one user's data behind all walls in one statement, which answers no row when this tenant has no such user. `$1` and `$2` are
 * the tenant, `$3` is the user, further parameters follow. `columns` are sub-selects on `u`, each with the condition `behindWall`.
 */
export function userRead(name: string, columns: string): Statement {
  return tenantRead(
    name,
    `SELECT u.data_version AS version, coalesce(u.timezone, 'UTC') AS timezone${columns ? `, ${columns}` : ''}
     FROM users u, ${userWall} WHERE ${activeInTenant} AND u.id = $3`,
  );
}

const selectUser = userRead('users/read', '');

/** The user as reads see it, or null when this tenant has no such user. Looks at no data. */
export function findReadUser(db: Queryable, tenant: Tenant, userId: string): Promise<ReadUser | null> {
  return readUser<ReadUser>(db, tenant, selectUser, userId, []);
}

/** Runs a statement made by `userRead`; null when this tenant has no such user. */
export async function readUser<Row extends ReadUser>(
  db: Queryable,
  tenant: Tenant,
  statement: Statement,
  userId: string,
  values: readonly unknown[],
): Promise<Row | null> {
  const [row] = await readAsTenant<Row & pg.QueryResultRow>(db, tenant, statement, [userId, ...values]);
  return row ?? null;
}

/** Notes that answers about a user changed in other tables. */
export async function touchUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query({ text: 'UPDATE users SET data_version = data_version WHERE id = $1', values: [userId] });
}
