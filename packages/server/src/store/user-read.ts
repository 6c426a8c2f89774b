import type pg from 'pg';
import type { Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Statement, type Tenant } from './tenant.ts';

/** What every read about a user has to know of the user. */
export interface ReadUser {
  /** Goes up with every change that an answer may depend on. */
  version: number;
  /** Which days are cut by. */
  timezone: string;
  /** By how many days the today of a sandbox user is ahead of ours. */
  daysAhead: number;
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
    `SELECT u.data_version AS version, coalesce(u.timezone, 'UTC') AS timezone, u.days_ahead AS "daysAhead", ${columns}
     FROM users u, ${userWall} WHERE ${activeInTenant} AND u.id = $3`,
  );
}

// Every row has the walls of its own tenant: they are set anew before each of them is looked for. Were the order ever lost, a row would be
// missing, never foreign: it is named by its tenant as well.
const selectMany = {
  name: 'users/read-many',
  text: `SELECT k.at::int4 AS at, u.version, u.timezone, u."daysAhead"
         FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS k (account, environment, user_id, at),
         LATERAL (SELECT set_config('tributary.account', k.account, true) AS account,
                         set_config('tributary.environment', k.environment, true) AS environment OFFSET 0) AS wall,
         LATERAL (SELECT u.data_version AS version, coalesce(u.timezone, 'UTC') AS timezone, u.days_ahead AS "daysAhead" FROM users u
                  WHERE in_tenant(u.account_id, u.environment, k.account::uuid, k.environment) AND u.status = 'active'
                    AND u.id = k.user_id AND wall.account IS NOT NULL AND wall.environment IS NOT NULL OFFSET 0) AS u`,
};

/** Users as reads see them, in the order asked for; null where the tenant has no such user. Looks at no data. */
export async function findReadUsers(
  db: Queryable,
  wanted: readonly { tenant: Tenant; userId: string }[],
): Promise<(ReadUser | null)[]> {
  const result = await db.query<ReadUser & { at: number }>({
    ...selectMany,
    values: [
      wanted.map(({ tenant }) => tenant.accountId),
      wanted.map(({ tenant }) => tenant.environment),
      wanted.map(({ userId }) => userId),
    ],
  });
  const found: (ReadUser | null)[] = wanted.map(() => null);
  for (const { at, ...user } of result.rows) found[at - 1] = user;
  return found;
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
