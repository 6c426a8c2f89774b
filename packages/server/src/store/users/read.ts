import type { Timezones } from '@tributary/domain';
import type pg from 'pg';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Statement, type Tenant } from '../database/tenant.ts';
import { timezonesOf } from './timezones.ts';

/** What every read of a user's data needs to know about the user. */
export interface ReadUser {
  /** Increases with every change that a response may depend on. */
  version: number;
  /** The time zones that days are split by. */
  timezones: Timezones;
  /** How many days a sandbox user is ahead of the current day. */
  daysAhead: number;
}

/** True for rows of `users u` that this tenant may see. */
export const activeInTenant = `in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.status = 'active'`;

// Row-level security on health tables is by user: the user is set from a row that passed the tenant policies.
export const userScope = `LATERAL (SELECT set_config('tributary.user_id', u.id::text, true) AS user_id OFFSET 0) AS user_scope`;

/** Ties a sub-select to the user scope, so that it cannot be evaluated before the scope is set. */
export const inUserScope = 'user_scope.user_id IS NOT NULL';

/**
 * A read of one user's data in one statement, scoped to tenant and user. Returns no row if this tenant has no such user. `$1` and `$2` are the
 * tenant, `$3` is the user, further parameters follow. `columns` are sub-selects on `u`, each with the user scope condition.
 */
export function userRead(name: string, columns: string): Statement {
  return tenantRead(
    name,
    `SELECT u.data_version AS version, ${timezonesOf('u')} AS timezones, u.days_ahead AS "daysAhead", ${columns}
     FROM users u, ${userScope} WHERE ${activeInTenant} AND u.id = $3`,
  );
}

// Sets the tenant again before each row is read. If the order were ever lost, a row would be missing, never one of another tenant, because the
// condition names the tenant as well.
// The planner assumes that the condition of row-level security matches no row, so it estimates every index that starts with the account to be as cheap as the
// primary key, and reading all users of an account by one of them would be slow. These indexes cover active users only. Comparing the status
// outside leaves the primary key as the only one.
/** Exported for the test of its plan. */
export const selectMany = {
  name: 'users/read-many',
  text: `SELECT k.at::int4 AS at, u.version, u.timezones, u."daysAhead"
         FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS k (account, environment, user_id, at),
         LATERAL (SELECT set_config('tributary.account', k.account, true) AS account,
                         set_config('tributary.environment', k.environment, true) AS environment OFFSET 0) AS scope,
         LATERAL (SELECT u.status, u.data_version AS version, ${timezonesOf('u')} AS timezones, u.days_ahead AS "daysAhead" FROM users u
                  WHERE in_tenant(u.account_id, u.environment, k.account::uuid, k.environment)
                    AND u.id = k.user_id AND scope.account IS NOT NULL AND scope.environment IS NOT NULL OFFSET 0) AS u
         WHERE u.status = 'active'`,
};

/** Users as reads see them, in the requested order; null where the tenant has no such user. Reads no health data. */
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
  const users: (ReadUser | null)[] = wanted.map(() => null);
  for (const { at, ...user } of result.rows) users[at - 1] = user;
  return users;
}

/** Runs a statement made by `userRead`; null if this tenant has no such user. */
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

/** Increments the data version after changes to a user in other tables. */
export async function touchUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query({ text: 'UPDATE users SET data_version = data_version WHERE id = $1', values: [userId] });
}
