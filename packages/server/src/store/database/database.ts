import { isIP } from 'node:net';
import pg from 'pg';
import { parseDatabaseUrl, type DatabaseLogin } from '../../database-settings.ts';
import { enterBoundary, type DatabaseRole } from './boundary.ts';
import { parseTimestamp } from './timestamp.ts';
import { WatchedClient } from './watched-client.ts';

/** A pool or a transaction: anything that a store function can query. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(query: {
    name?: string;
    text: string;
    values?: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

export interface SessionOptions {
  /** A login is read again for each connection. */
  url: string | DatabaseLogin;
  role: DatabaseRole;
  statementTimeoutMs: number;
  applicationName: string;
  /** Called with every response of the server. */
  onResponse?: () => void;
}

export interface PoolOptions extends Omit<SessionOptions, 'onResponse'> {
  max: number;
  /** Whether statements are prepared under their names, true by default. An older pooler cannot route them. */
  namedStatements?: boolean;
}

const ownParsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, parseTimestamp],
]);

/** The pool closes idle connections after this time, so a longer silence means that the server lost its client. */
const idleTimeoutMs = 30_000;
const lostClientMs = 40_000;
const connectionTimeoutMs = 5_000;
/** The server cancels a statement itself. A response that is this late is not coming. */
const deadlineSlackMs = 2_000;

/** Opens a pool. Each connection gets its role and limits and is verified before its first statement. */
export function openPool(options: PoolOptions): pg.Pool {
  const { role, namedStatements = true } = options;
  const settings = commonSettings(options);
  if (role !== 'owner') settings['idle_session_timeout'] = String(lostClientMs);
  // An idle open transaction would hold back vacuum and the event feed of all tenants.
  settings['idle_in_transaction_session_timeout'] = '30000';
  // Requests query by key, so one plan serves them all. By default the server would plan the larger statements again on every call.
  if (role === 'service') settings['plan_cache_mode'] = 'force_generic_plan';
  if (role === 'sign_in') settings['search_path'] = 'auth';
  const watch = { deadlineMs: deadlineOf(options), namedStatements };
  class PoolConnection extends WatchedClient {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, ...accessConfig(options.url) }, watch);
    }
  }
  const pool = new pg.Pool({
    ...connectionConfig(options),
    Client: PoolConnection,
    verify(client, done) {
      enterBoundary(client as unknown as WatchedClient, { role, settings, mayBePooled: true }).then(
        () => done(),
        done,
      );
    },
    max: options.max,
    idleTimeoutMillis: idleTimeoutMs,
  });
  // The pool replaces an idle connection that breaks. Without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}

/**
 * Opens a dedicated session for work under session locks. If it falls silent because its process is frozen or disconnected, the server ends it within
 * seconds and releases its locks, so it cannot write when it wakes.
 */
export async function openSession(options: SessionOptions): Promise<pg.Client> {
  const settings = {
    ...commonSettings(options),
    idle_session_timeout: '5000',
    idle_in_transaction_session_timeout: '5000',
    // Every query is by key, even while a table is too small or too new for the planner to know that.
    enable_seqscan: 'off',
    plan_cache_mode: 'force_generic_plan',
  };
  const { role, onResponse } = options;
  const watch = { deadlineMs: deadlineOf(options), onResponse, namedStatements: true };
  const config = { ...connectionConfig(options), ...accessConfig(options.url) };
  const client = new WatchedClient(config, watch);
  try {
    await client.connect();
    await enterBoundary(client, { role, settings, mayBePooled: false });
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return client;
}

function commonSettings({ statementTimeoutMs }: SessionOptions): Record<string, string> {
  return {
    TimeZone: 'UTC',
    // JIT compilation takes longer than any of our statements.
    jit: 'off',
    statement_timeout: String(statementTimeoutMs),
    row_security: 'on',
  };
}

function deadlineOf({ role, statementTimeoutMs }: SessionOptions): number {
  return role === 'owner' ? Infinity : statementTimeoutMs + deadlineSlackMs;
}

function connectionConfig({ role, applicationName }: SessionOptions): pg.ClientConfig {
  // The authentication library compares times as dates.
  const parsers = role === 'sign_in' ? new Map([[pg.types.builtins.INT8, Number]]) : ownParsers;
  return {
    pipeline: true,
    application_name: applicationName,
    connectionTimeoutMillis: connectionTimeoutMs,
    types: { getTypeParser: (oid: number) => parsers.get(oid) ?? pg.types.getTypeParser(oid) },
  };
}

/** Server, user, password and TLS of a connection. */
function accessConfig(login: string | DatabaseLogin): pg.ClientConfig {
  if (typeof login === 'string') return { connectionString: login };
  const url = login.url.read();
  const host = parseDatabaseUrl(url)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  return {
    connectionString: url,
    ...(login.password && { password: login.password.read() }),
    // The driver names the host to TLS only if it is no address. Without `host`, the certificate of an address would have to name localhost.
    ...(login.tls && { ssl: { ...login.tls.read(), ...(isIP(host) !== 0 && { host }) } }),
  };
}

/** Runs `work` in one transaction. `BEGIN` and `prologue` are pipelined with the first query, so they cost no round trip. */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<T>,
  prologue: { text: string; values: unknown[] }[] = [],
): Promise<T> {
  return runTransaction(pool, work, prologue);
}

/** The same for work whose statements, and the pauses between them, may each take up to `limitMs`. */
export function inLimitedTransaction<T>(
  pool: pg.Pool,
  limitMs: number,
  work: (tx: Queryable) => Promise<T>,
  prologue: { text: string; values: unknown[] }[] = [],
): Promise<T> {
  const limits = {
    text: `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
    values: [String(limitMs)],
  };
  return runTransaction(pool, work, [...prologue, limits], limitMs);
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<T>,
  prologue: { text: string; values: unknown[] }[],
  limitMs?: number,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    using _deadline =
      limitMs !== undefined && client instanceof WatchedClient
        ? client.extendDeadline(limitMs + deadlineSlackMs)
        : undefined;
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
