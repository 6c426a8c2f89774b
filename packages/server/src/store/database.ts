import pg from 'pg';
import { parseTimestamp } from './timestamp.ts';

/** A pool or a transaction: whatever a store function can ask. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(query: {
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

/**
 * The service sees one tenant at a time, the operator all of them, the owner is for migrations alone; `sign_in` sees who signs in to the
 * dashboard, and is for the library that does.
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

/** Opens a pool whose connections work as `role` from their first statement on. */
export function openPool(options: PoolOptions): pg.Pool {
  // A transaction left open would hold back vacuum and the event feed of everyone.
  const settings = ['idle_in_transaction_session_timeout=30000'];
  // Requests ask by key, so that one plan serves them all; left to itself, the server plans the larger statements anew at every call.
  if (options.role === 'service') settings.push('plan_cache_mode=force_generic_plan');
  if (options.role === 'sign_in') settings.push('search_path=auth');
  const pool = new pg.Pool({
    ...connectionConfig(options, settings),
    max: options.max,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  // So would one that breaks in the middle of a transaction, which fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Opens one session of its own, for work under locks that belong to the session. One that falls silent, because its process is frozen
 * or cut off, is ended by the server within seconds, and its locks with it: it cannot write when it wakes.
 */
export async function openSession(options: Omit<PoolOptions, 'max'>): Promise<pg.Client> {
  const client = new pg.Client(
    connectionConfig(options, [
      'idle_session_timeout=5000',
      'idle_in_transaction_session_timeout=5000',
      // Everything is asked for by key, also while a table is too small or too new for the planner to see that.
      'enable_seqscan=off',
      'plan_cache_mode=force_generic_plan',
    ]),
  );
  client.on('error', () => {}); // the statement that runs, or the next one, fails and says why
  await client.connect();
  return client;
}

function connectionConfig(options: Omit<PoolOptions, 'max'>, settings: string[]): pg.ClientConfig {
  // Compiling a plan takes longer than any statement of ours runs.
  const all = ['TimeZone=UTC', 'jit=off', `statement_timeout=${options.statementTimeoutMs}`, ...settings];
  if (options.role !== 'owner') all.push(`role=tributary_${options.role}`);
  // The library compares times as dates.
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

/** Runs `work` in one transaction. `BEGIN` and `prologue` travel with the first query, so they cost no round trip. */
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

/** The same on one session; `onBroken` hears when not even the rollback reached the server. */
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
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and not with an error.
    if (ended.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}
