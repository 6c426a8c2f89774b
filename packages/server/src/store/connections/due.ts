import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Environment } from '../database/tenant.ts';
import { parseProgress, type PollProgress } from './poll-progress.ts';

/** A connection at the start of a run. */
export interface RunningConnection {
  deviceId: string;
  userId: string;
  accountId: string;
  environment: Environment;
  provider: string;
  externalId: string;
  status: 'active' | 'suspect';
  tokens: Buffer;
  tokenVersion: number;
  runNo: number;
  failures: number;
  isFirst: boolean;
  authorizedMs: number;
  /** When a deep poll last completed; null before the first. */
  deepMs: number | null;
  isPollDue: boolean;
  isDeepDue: boolean;
  /** Whether the provider has pushed since polling last found something new. */
  isPushed: boolean;
  historyFromMs: number;
  historyToMs: number;
  historyDays: number;
  historyStreams: string[];
  /** The categories that the user shares, as bits. */
  scopes: number;
  /** What an interrupted poll has already read. */
  pollProgress: PollProgress;
}

type RunningRow = Omit<RunningConnection, 'pollProgress'> & { pollStreams: string[] };

/** How often deep polls run. */
const deepEvery = `interval '20 hours'`;

export interface DueConnection {
  deviceId: string;
  /** The rate limits it uses, as `environment/provider`. */
  limits: string;
}

/**
 * Due connections, alternating between accounts so that no account waits for all the work of another. Skips users who left, suspended accounts, and
 * the rate limits in `without`. History waits until the connection's live poll is done: otherwise its workers, which return to a connection at once,
 * would keep the lock from the live workers.
 */
export async function listDueConnections(
  db: Queryable,
  priority: 'live' | 'history',
  limit: number,
  without: readonly string[] = [],
): Promise<DueConnection[]> {
  const due = priority === 'live' ? 'due_at' : 'history_due_at';
  const afterLive = priority === 'live' ? '' : 'AND (c.due_at IS NULL OR c.due_at > tributary_now())';
  const result = await db.query<DueConnection>({
    name: `connections/due-${priority}`,
    text: `SELECT candidate.device_id AS "deviceId", candidate.limits FROM accounts a, LATERAL (
             SELECT c.device_id, c.environment || '/' || c.provider AS limits, c.${due} AS due_at, row_number() OVER (ORDER BY c.${due}) AS rank
             FROM connections c JOIN users u ON u.id = c.user_id AND u.status = 'active'
             WHERE c.account_id = a.id AND c.${due} <= tributary_now() AND c.environment || '/' || c.provider <> ALL ($2::text[]) ${afterLive}
             ORDER BY c.${due} LIMIT $1
           ) AS candidate WHERE a.status = 'active' ORDER BY candidate.rank, candidate.due_at LIMIT $1`,
    values: [limit, without],
  });
  return result.rows;
}

/** Begins a run. Writes of an older run are rejected from here on. Null if nothing is due any more. */
export async function beginRun(
  db: Queryable,
  deviceId: string,
  priority: 'live' | 'history',
): Promise<RunningConnection | null> {
  const due = priority === 'live' ? 'due_at' : 'history_due_at';
  const result = await db.query<RunningRow>({
    name: `connections/begin-${priority}`,
    text: `UPDATE connections c SET run_no = run_no + 1 FROM devices d
           WHERE c.device_id = $1 AND c.${due} <= tributary_now() AND c.tokens IS NOT NULL
             AND d.user_id = c.user_id AND d.id = c.device_id AND d.removed_at IS NULL AND d.status IN ('active', 'suspect')
           RETURNING c.device_id AS "deviceId", c.user_id AS "userId", c.account_id AS "accountId", c.environment, c.provider,
             c.external_id AS "externalId", d.status, c.tokens, c.token_version AS "tokenVersion", c.run_no AS "runNo", c.failures,
             c.last_success_at IS NULL OR c.last_success_at < c.authorized_at AS "isFirst",
             ${epochMs('c.authorized_at')} AS "authorizedMs", ${epochMs('c.deep_at')} AS "deepMs", coalesce(c.poll_at <= tributary_now(), true) AS "isPollDue",
             coalesce(c.deep_at < tributary_now() - ${deepEvery}, true) AS "isDeepDue",
             coalesce(c.last_push_at >= c.last_news_at - interval '1 hour', false) AS "isPushed",
             ${epochMs('c.history_from')} AS "historyFromMs", ${epochMs('c.history_to')} AS "historyToMs", c.history_days AS "historyDays",
             c.history_streams AS "historyStreams", c.scopes, c.poll_streams AS "pollStreams"`,
    values: [deviceId],
  });
  const row = result.rows[0];
  if (!row) return null;
  const { pollStreams, ...connection } = row;
  return { ...connection, pollProgress: parseProgress(pollStreams) };
}

/** When new data was last read or pushed, or the time of the consent before that. */
export async function findLastNews(db: Queryable, deviceId: string): Promise<number> {
  const result = await db.query<{ newsMs: number }>({
    name: 'connections/last-news',
    text: `SELECT ${epochMs('greatest(last_news_at, authorized_at)')} AS "newsMs" FROM connections WHERE device_id = $1`,
    values: [deviceId],
  });
  return result.rows[0]?.newsMs ?? 0;
}
