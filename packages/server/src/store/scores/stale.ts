import type { Queryable } from '../database/database.ts';
import type { Environment } from '../database/tenant.ts';
import type { Profile } from '../users/users.ts';
import { devicesOf, type DeviceRow } from '../uploads/pending-batches.ts';
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

/** Marks scores as stale, in the transaction of the change. Must run before anything that changes the user's row. */
export async function markScoresStale(
  tx: Queryable,
  stale: readonly StaleDays[],
  waits: ScoreWaits,
): Promise<void> {
  await tx.query({
    name: 'stale-scores/mark',
    text: `INSERT INTO stale_scores AS s (user_id, due_at, days, urgent_days)
           SELECT u.id, greatest(held.until, tributary_now() + interval '1 millisecond' *
             CASE WHEN u.score_status <> 'ready' THEN $4::int8 WHEN u.environment = 'sandbox' THEN $5::int8 ELSE $6::int8 END),
             m.days::int4multirange, m.urgent::int4multirange
           FROM unnest($1::uuid[], $2::text[], $3::text[], $7::int4[]) AS m (user_id, days, urgent, calm_day)
           JOIN users u ON u.id = m.user_id
           LEFT JOIN LATERAL (SELECT d.hold_until AS until FROM score_days d
                              WHERE d.user_id = m.user_id AND d.day = date '1970-01-01' + m.calm_day OFFSET 0) AS held ON true
           ON CONFLICT (user_id) DO UPDATE SET due_at = least(s.due_at, excluded.due_at), days = s.days + excluded.days,
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
  postponed: readonly { userId: string; dueMs: number; days: Iterable<number> }[],
): Promise<void> {
  await tx.query({
    name: 'stale-scores/postpone',
    text: `INSERT INTO stale_scores AS s (user_id, due_at, days, again)
           SELECT user_id, to_timestamp(due_ms / 1000), '{}', days::int4multirange
           FROM unnest($1::uuid[], $2::float8[], $3::text[]) AS m (user_id, due_ms, days)
           ON CONFLICT (user_id) DO UPDATE SET due_at = least(s.due_at, excluded.due_at), again = s.again + excluded.again`,
    values: [
      postponed.map(({ userId }) => userId),
      postponed.map(({ dueMs }) => dueMs),
      postponed.map(({ days }) => printRanges(days)),
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

/** Takes users whose scores are due and locks each. A user who is locked already is taken later. */
export async function takeStaleUsers(tx: Queryable, limit: number): Promise<StaleUser[]> {
  const locked = await tx.query<{ userId: string }>({
    name: 'stale-scores/lock',
    text: `SELECT user_id AS "userId" FROM (
             SELECT user_id FROM stale_scores WHERE due_at <= tributary_now() ORDER BY due_at, user_id LIMIT $1
           ) AS due WHERE try_lock_user(user_id)`,
    values: [limit],
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
  users: readonly Pick<StaleUser, 'userId' | 'days' | 'urgentDays' | 'again'>[],
): Promise<void> {
  await tx.query({
    name: 'stale-scores/return',
    text: `INSERT INTO stale_scores AS s (user_id, due_at, days, urgent_days, again)
           SELECT user_id, tributary_now(), days::int4multirange, urgent::int4multirange, again::int4multirange
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS m (user_id, days, urgent, again)
           ON CONFLICT (user_id) DO UPDATE SET due_at = least(s.due_at, excluded.due_at), days = s.days + excluded.days,
             urgent_days = s.urgent_days + excluded.urgent_days, again = s.again + excluded.again`,
    values: [
      users.map(({ userId }) => userId),
      users.map(({ days }) => printRanges(days)),
      users.map(({ urgentDays }) => printRanges(urgentDays)),
      users.map(({ again }) => printRanges(again)),
    ],
  });
}

/** Postpones the user that is due first, because scoring it failed. */
export async function postponeFailedScores(db: Queryable, pauseMs: number): Promise<void> {
  await db.query({
    text: `UPDATE stale_scores SET due_at = tributary_now() + $1 * interval '1 millisecond' WHERE user_id =
             (SELECT user_id FROM stale_scores WHERE due_at <= tributary_now() ORDER BY due_at, user_id LIMIT 1)`,
    values: [pauseMs],
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
