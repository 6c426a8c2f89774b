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

/** The service sees one tenant at a time, the operator all of them, the owner is for migrations alone. */
export type DatabaseRole = 'service' | 'operator' | 'owner';

export interface PoolOptions {
  url: string;
  role: DatabaseRole;
  max: number;
  statementTimeoutMs: number;
  applicationName: string;
}

const numericParsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, parseTimestamp],
]);

/** Opens a pool whose connections work as `role` from their first statement on. */
export function openPool(options: PoolOptions): pg.Pool {
  const settings = ['-c TimeZone=UTC', `-c statement_timeout=${options.statementTimeoutMs}`];
  // A transaction left open would hold back vacuum and the event feed of everyone.
  settings.push('-c idle_in_transaction_session_timeout=30000');
  if (options.role !== 'owner') settings.push(`-c role=tributary_${options.role}`);
  const pool = new pg.Pool({
    connectionString: options.url,
    options: settings.join(' '),
    max: options.max,
    pipeline: true,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    types: { getTypeParser: (oid: number) => numericParsers.get(oid) ?? pg.types.getTypeParser(oid) },
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
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
    const opening = Promise.all([client.query('BEGIN'), ...prologue.map((query) => client.query(query))]);
    opening.catch(() => {}); // reported below, after the work that was sent behind it
    const result = await work(client);
    await opening;
    const ended = await client.query('COMMIT');
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and not with an error.
    if (ended.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
