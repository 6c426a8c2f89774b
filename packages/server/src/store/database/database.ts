import pg from 'pg';
import { parseTimestamp } from './timestamp.ts';

/** A pool or a transaction: anything that a store function can query. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(query: {
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

/**
 * The service sees one tenant at a time, the operator sees all, and the owner is only for migrations. `sign_in` sees the dashboard users and is for
 * the authentication library.
 */
export type DatabaseRole = 'service' | 'operator' | 'owner' | 'sign_in';

export interface PoolOptions {
  url: string;
  role: DatabaseRole;
  max: number;
  statementTimeoutMs: number;
  applicationName: string;
}

const ownParsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, parseTimestamp],
]);

/** Opens a pool whose connections use `role` from their first statement on. */
export function openPool(options: PoolOptions): pg.Pool {
  // An idle open transaction would hold back vacuum and the event feed of all tenants.
  const settings = ['idle_in_transaction_session_timeout=30000'];
  // Requests query by key, so one plan serves them all. By default the server would plan the larger statements again on every call.
  if (options.role === 'service') settings.push('plan_cache_mode=force_generic_plan');
  if (options.role === 'sign_in') settings.push('search_path=auth');
  const pool = new pg.Pool({
    ...connectionConfig(options, settings),
    max: options.max,
    idleTimeoutMillis: 30_000,
  });
  // The pool replaces an idle connection that breaks. Without a listener it would end the process.
  pool.on('error', () => {});
  // So would a connection that breaks within a transaction, which fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Opens a dedicated session for work under session locks. If it falls silent because its process is frozen or disconnected, the server ends it within
 * seconds and releases its locks, so it cannot write when it wakes.
 */
export async function openSession(options: Omit<PoolOptions, 'max'>): Promise<pg.Client> {
  const client = new pg.Client(
    connectionConfig(options, [
      'idle_session_timeout=5000',
      'idle_in_transaction_session_timeout=5000',
      // Every query is by key, even while a table is too small or too new for the planner to know that.
      'enable_seqscan=off',
      'plan_cache_mode=force_generic_plan',
    ]),
  );
  client.on('error', () => {}); // the current or next statement fails with the reason
  await client.connect();
  return client;
}

function connectionConfig(options: Omit<PoolOptions, 'max'>, settings: string[]): pg.ClientConfig {
  // JIT compilation takes longer than any of our statements.
  const all = ['TimeZone=UTC', 'jit=off', `statement_timeout=${options.statementTimeoutMs}`, ...settings];
  if (options.role !== 'owner') all.push(`role=tributary_${options.role}`);
  // The authentication library compares times as dates.
  const parsers = options.role === 'sign_in' ? new Map([[pg.types.builtins.INT8, Number]]) : ownParsers;
  return {
    connectionString: options.url,
    options: all.map((setting) => `-c ${setting}`).join(' '),
    pipeline: true,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    types: { getTypeParser: (oid: number) => parsers.get(oid) ?? pg.types.getTypeParser(oid) },
  };
}

/** Runs `work` in one transaction. `BEGIN` and `prologue` are pipelined with the first query, so they cost no round trip. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<T>,
  prologue: { text: string; values: unknown[] }[] = [],
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await transact(client, work, prologue, (failure) => (broken = failure));
  } finally {
    client.release(broken);
  }
}

/** The same on one session. Calls `onBroken` if not even the rollback reached the server. */
export async function transact<T>(
  client: Pick<pg.ClientBase, 'query'>,
  work: (tx: Queryable) => Promise<T>,
  prologue: { text: string; values: unknown[] }[] = [],
  onBroken: (failure: Error) => void = () => {},
): Promise<T> {
  try {
    const opening = Promise.all([client.query('BEGIN'), ...prologue.map((query) => client.query(query))]);
    opening.catch(() => {}); // reported below, after the work that was sent behind it
    const result = await work(client);
    await opening;
    const ended = await client.query('COMMIT');
    // PostgreSQL responds to the COMMIT of a failed transaction with ROLLBACK instead of an error.
    if (ended.command !== 'COMMIT') throw new Error('the transaction failed and was rolled back');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}
