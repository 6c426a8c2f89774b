import type { LimitOverrides } from '../../account-limits.ts';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Environment, type Tenant } from '../database/tenant.ts';

/** Uploads of an environment of an account on a UTC day, and the values in them. */
export interface Usage {
  uploads: number;
  values: number;
}

export interface UsageRow extends Usage {
  accountId: string;
  environment: Environment;
  /** `2026-03-02` */
  day: string;
}

/** Adds to the usage of accounts, and returns the totals with the limits of each account. As operator. */
export async function addUsage(
  db: Queryable,
  added: readonly UsageRow[],
): Promise<(UsageRow & { limits: LimitOverrides })[]> {
  const result = await db.query<UsageRow & { limits: LimitOverrides }>({
    name: 'account-usage/add',
    // Sorted, so that two nodes lock the rows in the same order.
    text: `WITH added AS (
             INSERT INTO account_usage AS u (account_id, environment, day, uploads, "values")
             SELECT * FROM unnest($1::uuid[], $2::text[], $3::date[], $4::int8[], $5::int8[]) AS t ORDER BY 1, 2, 3
             ON CONFLICT (account_id, environment, day) DO UPDATE SET uploads = u.uploads + excluded.uploads, "values" = u."values" + excluded."values"
             RETURNING account_id, environment, day, uploads, "values"
           )
           SELECT n.account_id AS "accountId", n.environment, n.day::text AS day, n.uploads, n."values", a.limits
           FROM added n JOIN accounts a ON a.id = n.account_id`,
    values: [
      added.map(({ accountId }) => accountId),
      added.map(({ environment }) => environment),
      added.map(({ day }) => day),
      added.map(({ uploads }) => uploads),
      added.map(({ values }) => values),
    ],
  });
  return result.rows;
}

const selectDay = tenantRead(
  'account-usage/day',
  `SELECT u.uploads, u."values" FROM account_usage u WHERE in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.day = $3::date`,
);

export async function findUsage(db: Queryable, tenant: Tenant, day: string): Promise<Usage> {
  const [row] = await readAsTenant<Usage>(db, tenant, selectDay, [day]);
  return row ?? { uploads: 0, values: 0 };
}

/** What an account used, in both environments. */
export interface AccountUse extends Usage {
  accountId: string;
  name: string;
  /** Uploads that are not processed yet, among the oldest of all accounts. */
  waiting: number;
}

/** The accounts with the most uploads in the last UTC days, today included. As operator. */
export async function listLargestUse(
  db: Queryable,
  { days, limit, mostWaiting }: { days: number; limit: number; mostWaiting: number },
): Promise<AccountUse[]> {
  const result = await db.query<AccountUse>({
    text: `WITH waiting AS MATERIALIZED (
             SELECT account_id, count(*) AS batches FROM (SELECT account_id FROM pending_batches LIMIT $3) AS oldest GROUP BY account_id
           )
           SELECT a.id AS "accountId", a.name, used.uploads, used."values", coalesce(w.batches, 0) AS waiting
           FROM accounts a LEFT JOIN waiting w ON w.account_id = a.id, LATERAL (
             SELECT coalesce(sum(u.uploads), 0)::int8 AS uploads, coalesce(sum(u."values"), 0)::int8 AS "values"
             FROM (VALUES ('live'), ('sandbox')) AS e (environment) JOIN account_usage u ON u.account_id = a.id AND u.environment = e.environment
               AND u.day > (tributary_now() AT TIME ZONE 'UTC')::date - $1::int4
           ) AS used ORDER BY used.uploads DESC, w.batches DESC NULLS LAST, a.id LIMIT $2`,
    values: [days, limit, mostWaiting],
  });
  return result.rows;
}

/** Deletes the usage of days that are longer ago. */
export async function deleteUsageBefore(db: Queryable, days: number): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM account_usage WHERE day < (tributary_now() AT TIME ZONE 'UTC')::date - $1::int4`,
    values: [days],
  });
  return result.rowCount ?? 0;
}
