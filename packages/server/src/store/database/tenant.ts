import type pg from 'pg';
import { inTransaction, type Queryable } from './database.ts';

export type Environment = 'live' | 'sandbox';

/** The tenant whose data a query may touch. Every tenant query takes one. */
export interface Tenant {
  accountId: string;
  environment: Environment;
}

export interface Statement {
  name: string;
  text: string;
}

/**
 * A tenant-scoped read in one statement: `$1` and `$2` are the tenant, further parameters follow. The first sub-select sets the tenant for this
 * transaction, and `text` cannot run before it because it depends on its row. `OFFSET 0` keeps the planner from undoing that. If the order were ever
 * lost, row-level security would show no row at all, never one of another tenant.
 */
export function tenantRead(name: string, text: string): Statement {
  return {
    name,
    text: `SELECT result.*
FROM (SELECT set_config('tributary.account', $1, true) AS account,
             set_config('tributary.environment', $2, true) AS environment OFFSET 0) AS scope,
LATERAL (SELECT * FROM (${text}) AS inside WHERE scope.account IS NOT NULL AND scope.environment IS NOT NULL OFFSET 0) AS result`,
  };
}

/** The same for rows that belong to an account as a whole: only `$1` is set, to the account. */
export function accountRead(name: string, text: string): Statement {
  return {
    name,
    text: `SELECT result.*
FROM (SELECT set_config('tributary.account', $1, true) AS account OFFSET 0) AS scope,
LATERAL (SELECT * FROM (${text}) AS inside WHERE scope.account IS NOT NULL OFFSET 0) AS result`,
  };
}

/** Runs a statement made by `accountRead` for this account. */
export async function readAsAccount<Row extends pg.QueryResultRow>(
  db: Queryable,
  accountId: string,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const result = await db.query<Row>({
    name: statement.name,
    text: statement.text,
    values: [accountId, ...values],
  });
  return result.rows;
}

/** Runs a statement made by `tenantRead` for this tenant. */
export async function readAsTenant<Row extends pg.QueryResultRow>(
  db: Queryable,
  tenant: Tenant,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const result = await db.query<Row>({
    name: statement.name,
    text: statement.text,
    values: [tenant.accountId, tenant.environment, ...values],
  });
  return result.rows;
}

/** The same, planned for the given values. For lists whose best plan depends on how much of them is read. */
export function readPlannedAsTenant<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  tenant: Tenant,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  return inTransaction(pool, (tx) => readAsTenant<Row>(tx, tenant, statement, values), [
    { text: 'SET LOCAL plan_cache_mode = force_custom_plan', values: [] },
  ]);
}

/** Runs `work` in one transaction that sees only this tenant. */
export function asTenant<T>(pool: pg.Pool, tenant: Tenant, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, work, [tenantScopeOf(tenant)]);
}

/** The same for reads from one snapshot, which does not show concurrent writes. */
export function snapshotAsTenant<T>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, work, [
    { text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] },
    tenantScopeOf(tenant),
  ]);
}

/** Runs `work` in one transaction that sees what a presented credential may see: the row with its hash, which names the tenant. */
export function asBearer<T>(pool: pg.Pool, hash: Buffer, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const text = `SELECT set_config('tributary.credential', $1, true)`;
  return inTransaction(pool, work, [{ text, values: [hash.toString('hex')] }]);
}

/** Scopes the transaction to this tenant, which the row of a presented credential named. */
export async function becomeTenant(tx: Queryable, tenant: Tenant): Promise<void> {
  await tx.query(tenantScopeOf(tenant));
}

function tenantScopeOf({ accountId, environment }: Tenant): { text: string; values: unknown[] } {
  return {
    text: `SELECT set_config('tributary.account', $1, true), set_config('tributary.environment', $2, true)`,
    values: [accountId, environment],
  };
}
