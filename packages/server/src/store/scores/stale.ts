import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';
import type { Profile } from '../users/users.ts';
import { devicesOf, noAccount, type DeviceRow } from '../uploads/pending-batches.ts';
import type { ConsolidationSettings, Timezones } from '@tributary/domain';
import { timezonesOf } from '../users/timezones.ts';

/** Days of a user whose scores may have changed. */
export interface StaleDays {
  userId: string;
  days: Iterable<number>;
  /** The subset whose scores are published immediately. */
  urgentDays: Iterable<number>;
  /** The only changed day, if only metrics that are measured all day changed on it. Its scores may be held. */
  calmDay: number | null;
}

/** How long scores wait for more data, counted from the first change. */
export interface ScoreWaits {
  liveMs: number;
  sandboxMs: number;
  /** For users who have no score yet. */
  firstMs: number;
}

/** Rows of earlier versions have no account. */
const keepAccount = 'account_id = excluded.account_id';

/** Marks scores as stale, in the transaction of the change. Must run before anything that changes the user's row. */
export async function markScoresStale(
  tx: Queryable,
  stale: readonly StaleDays[],
  waits: ScoreWaits,
): Promise<void> {
  await tx.query({
    name: 'stale-scores/mark',
    text: `INSERT INTO stale_scores AS s (user_id, account_id, due_at, days, urgent_days)
           SELECT u.id, u.account_id, greatest(held.until, tributary_now() + interval '1 millisecond' *
             CASE WHEN u.score_status <> 'ready' THEN $4::int8 WHEN u.environment = 'sandbox' THEN $5::int8 ELSE $6::int8 END),
             m.days::int4multirange, m.urgent::int4multirange
           FROM unnest($1::uuid[], $2::text[], $3::text[], $7::int4[]) AS m (user_id, days, urgent, calm_day)
           JOIN users u ON u.id = m.user_id
           LEFT JOIN LATERAL (SELECT d.hold_until AS until FROM score_days d
                              WHERE d.user_id = m.user_id AND d.day = date '1970-01-01' + m.calm_day OFFSET 0) AS held ON true
           ON CONFLICT (user_id) DO UPDATE SET ${keepAccount}, due_at = least(s.due_at, excluded.due_at), days = s.days + excluded.days,
             urgent_days = s.urgent_days + excluded.urgent_days`,
    values: [
      stale.map(({ userId }) => userId),
      stale.map(({ days }) => printRanges(days)),
      stale.map(({ urgentDays }) => printRanges(urgentDays)),
      waits.firstMs,
      waits.sandboxMs,
      waits.liveMs,
      stale.map(({ calmDay }) => calmDay),
    ],
  });
}

/** Schedules days for a later time: scores that may not be published yet, and days that end. */
export async function postponeScores(
  tx: Queryable,
  postponed: readonly { userId: string; accountId: string; dueMs: number; days: Iterable<number> }[],
): Promise<void> {
  await tx.query({
    name: 'stale-scores/postpone',
    text: `INSERT INTO stale_scores AS s (user_id, account_id, due_at, days, again)
           SELECT user_id, account_id, to_timestamp(due_ms / 1000), '{}', days::int4multirange
           FROM unnest($1::uuid[], $2::float8[], $3::text[], $4::uuid[]) AS m (user_id, due_ms, days, account_id)
           ON CONFLICT (user_id) DO UPDATE SET ${keepAccount}, due_at = least(s.due_at, excluded.due_at), again = s.again + excluded.again`,
    values: [
      postponed.map(({ userId }) => userId),
      postponed.map(({ dueMs }) => dueMs),
      postponed.map(({ days }) => printRanges(days)),
      postponed.map(({ accountId }) => accountId),
    ],
  });
}

/** A user whose scores are to be recomputed, locked until the transaction ends. */
export interface StaleUser {
  userId: string;
  accountId: string;
  environment: Environment;
  timezones: Timezones;
  settings: ConsolidationSettings;
  profile: Profile;
  scoreStatus: 'pending' | 'computing' | 'ready';
  daysAhead: number;
  devices: DeviceRow[];
  /** Days with new data. */
  days: number[];
  urgentDays: ReadonlySet<number>;
  /** Days that are scored again without new data. */
  again: number[];
}

/** Maximum accounts among which to search for due users. */
const mostVisits = 100;

/** Users to score next. */
interface DueUsers {
  userIds: string[];
  /** The account after which the next search begins. */
  lastAccount: string;
}

/**
 * Finds users whose scores are due. If there are more than the limit, most of them are of different accounts, beginning after the account `after`, so
 * that no account waits for all users of another. The others are those that have waited longest. Visits a limited number of accounts, because most
 * accounts always have users that are due later.
 */
export async function findDueUsers(db: Queryable, limit: number, after: string): Promise<DueUsers> {
  const oldest = await db.query<{ userId: string }>({
    name: 'stale-scores/due',
    text: `SELECT user_id AS "userId" FROM stale_scores WHERE due_at <= tributary_now() ORDER BY due_at, user_id LIMIT $1`,
    values: [limit],
  });
  const oldestIds = oldest.rows.map(({ userId }) => userId);
  if (oldestIds.length < limit) return { userIds: oldestIds, lastAccount: after };
  const visited = await db.query<{
    accountId: string;
    userId: string | null;
    visit: number;
    dueCount: number;
  }>({
    name: 'stale-scores/due-by-account',
    text: `WITH RECURSIVE visited AS (
             SELECT $1::uuid AS account_id, 0 AS visit, false AS is_due, 0 AS due_count
             UNION ALL
             SELECT next.account_id, v.visit + 1, next.is_due, v.due_count + next.is_due::int
             FROM visited v, LATERAL (
               SELECT s.account_id, EXISTS (SELECT FROM stale_scores d WHERE d.account_id = s.account_id AND d.due_at <= tributary_now()) AS is_due
               FROM stale_scores s WHERE s.account_id > v.account_id ORDER BY s.account_id LIMIT 1
             ) AS next WHERE v.visit < $3 AND v.due_count < $2
           )
           SELECT v.account_id AS "accountId", v.visit, v.due_count AS "dueCount", due.user_id AS "userId"
           FROM visited v LEFT JOIN LATERAL (
             SELECT user_id, row_number() OVER (ORDER BY due_at, user_id) AS round FROM stale_scores
             WHERE account_id = v.account_id AND due_at <= tributary_now() ORDER BY due_at, user_id LIMIT $2
           ) AS due ON v.is_due WHERE v.visit > 0 ORDER BY due.round NULLS LAST, v.visit`,
    values: [after, limit, mostVisits],
  });
  const inTurn = visited.rows.flatMap(({ userId }) => userId ?? []).slice(0, limit - Math.ceil(limit / 5));
  const last = visited.rows.reduce((latest, row) => (row.visit > latest.visit ? row : latest), {
    accountId: noAccount,
    visit: 0,
    dueCount: 0,
  });
  const isEnd = last.visit < mostVisits && last.dueCount < limit;
  return {
    userIds: [...new Set([...inTurn, ...oldestIds])].slice(0, limit),
    lastAccount: isEnd ? noAccount : last.accountId,
  };
}

/** Takes those of the users whose scores are due and locks each. A user who is locked already is taken later. */
export async function takeStaleUsers(tx: Queryable, userIds: readonly string[]): Promise<StaleUser[]> {
  const locked = await tx.query<{ userId: string }>({
    name: 'stale-scores/lock',
    text: `SELECT user_id AS "userId" FROM (
             SELECT user_id FROM stale_scores WHERE user_id = ANY ($1::uuid[]) AND due_at <= tributary_now() OFFSET 0
           ) AS due WHERE try_lock_user(user_id)`,
    values: [userIds],
  });
  if (locked.rows.length === 0) return [];
  // A separate statement, to see what was marked while the previous one waited for the locks.
  const staleUsers = await tx.query<
    Omit<StaleUser, 'days' | 'urgentDays' | 'again' | 'devices'> & {
      days: string;
      urgentDays: string;
      again: string;
      devices: DeviceRow[] | null;
    }
  >({
    name: 'stale-scores/take',
    text: `WITH gone AS (DELETE FROM stale_scores WHERE user_id = ANY ($1::uuid[]) RETURNING user_id, days, urgent_days, again)
           SELECT u.id AS "userId", u.account_id AS "accountId", u.environment, ${timezonesOf('u')} AS timezones,
             u.consolidation AS settings, u.profile, u.score_status AS "scoreStatus", u.days_ahead AS "daysAhead",
             ${devicesOf('u.id')} AS devices, gone.days::text AS days, gone.urgent_days::text AS "urgentDays",
             gone.again::text AS again
           FROM gone JOIN users u ON u.id = gone.user_id WHERE u.status <> 'deleting'`,
    values: [locked.rows.map(({ userId }) => userId)],
  });
  return staleUsers.rows.map(({ days, urgentDays, again, devices, ...user }) => ({
    ...user,
    devices: devices ?? [],
    days: readRanges(days),
    urgentDays: new Set(readRanges(urgentDays)),
    again: readRanges(again),
  }));
}

/** Marks the rest of a user's days as due again, after a part was scored. */
export async function returnStaleDays(
  tx: Queryable,
  users: readonly Pick<StaleUser, 'userId' | 'accountId' | 'days' | 'urgentDays' | 'again'>[],
): Promise<void> {
  await tx.query({
    name: 'stale-scores/return',
    text: `INSERT INTO stale_scores AS s (user_id, account_id, due_at, days, urgent_days, again)
           SELECT user_id, account_id, tributary_now(), days::int4multirange, urgent::int4multirange, again::int4multirange
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[]) AS m (user_id, days, urgent, again, account_id)
           ON CONFLICT (user_id) DO UPDATE SET ${keepAccount}, due_at = least(s.due_at, excluded.due_at), days = s.days + excluded.days,
             urgent_days = s.urgent_days + excluded.urgent_days, again = s.again + excluded.again`,
    values: [
      users.map(({ userId }) => userId),
      users.map(({ days }) => printRanges(days)),
      users.map(({ urgentDays }) => printRanges(urgentDays)),
      users.map(({ again }) => printRanges(again)),
      users.map(({ accountId }) => accountId),
    ],
  });
}

/** Postpones a user, because scoring failed. */
export async function postponeFailedScores(db: Queryable, userId: string, pauseMs: number): Promise<void> {
  await db.query({
    text: `UPDATE stale_scores SET due_at = tributary_now() + $2 * interval '1 millisecond' WHERE user_id = $1`,
    values: [userId, pauseMs],
  });
}

/** Formats days as a PostgreSQL multirange: `{[20500,20502),[20510,20511)}`. */
function printRanges(days: Iterable<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const day of [...days].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && day <= last.to) last.to = Math.max(last.to, day + 1);
    else ranges.push({ from: day, to: day + 1 });
  }
  return `{${ranges.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

function readRanges(text: string): number[] {
  return [...text.matchAll(/\[(-?\d+),(-?\d+)\)/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) }, (_, at) => Number(from) + at),
  );
}
