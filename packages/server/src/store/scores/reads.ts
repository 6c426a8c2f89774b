import type { DayNumber, DayRange } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import { workoutHigh, type StoredScores } from './days.ts';
import type { Tenant } from '../database/tenant.ts';
import { inUserScope, readUser, userRead, type ReadUser } from '../users/read.ts';
import type { Profile } from '../users/users.ts';

const dayAt = (parameter: string) => `(date '1970-01-01' + ${parameter}::int4)`;
const listOf = (row: string, from: string) => `(SELECT coalesce(json_agg(${row}), '[]') FROM ${from})`;

const selectRecent = userRead(
  'scores/recent',
  `${listOf(
    `json_build_object('day', s.day - date '1970-01-01', 'scores', s.scores) ORDER BY s.day DESC`,
    `score_days s WHERE s.user_id = u.id AND s.day BETWEEN ${dayAt('$4')} AND ${dayAt('$5')} AND ${inUserScope}`,
  )} AS days`,
);

interface PublishedScores extends ReadUser {
  days: { day: DayNumber; scores: StoredScores }[];
}

/** Published scores by day, newest first; null if this tenant has no such user. */
export function readPublishedScores(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { from, to }: DayRange,
): Promise<PublishedScores | null> {
  return readUser<PublishedScores>(db, tenant, selectRecent, userId, [from, to]);
}

const selectExplained = userRead(
  'scores/explained',
  `u.profile,
   EXISTS (SELECT FROM stale_scores w WHERE w.user_id = u.id AND w.days @> $10::int4 AND ${inUserScope}) AS waiting,
   ${listOf(
     `json_build_array(m.metric_no, m.month, encode(m.detail, 'base64'))`,
     `canonical_months m WHERE m.user_id = u.id AND m.metric_no = ANY ($4::int2[]) AND m.month BETWEEN $5 AND $6 AND ${inUserScope}`,
   )} AS months,
   ${listOf(
     `json_build_array(m.metric_no, m.month, encode(m.detail, 'base64'))`,
     `canonical_months m WHERE m.user_id = u.id AND m.metric_no = $7 AND m.month >= $8 AND m.month < $5 AND ${inUserScope}`,
   )} AS earlier,
   ${listOf(
     `json_build_array(s.day - date '1970-01-01', s.scores, encode(s.facts, 'base64'))`,
     `score_days s WHERE s.user_id = u.id AND s.day BETWEEN ${dayAt('$9')} AND ${dayAt('$10')} AND ${inUserScope}`,
   )} AS "scoreDays",
   ${listOf(
     `json_build_object('day', s.day - date '1970-01-01', 'startMs', ${epochMs('s.start_at')}, 'endMs', ${epochMs('s.end_at')},
       'isMain', s.is_main) ORDER BY s.day, s.start_at, s.id`,
     `canonical_sleep s WHERE s.user_id = u.id AND s.day BETWEEN ${dayAt('$11')} AND ${dayAt('$12')} AND ${inUserScope}`,
   )} AS sleep,
   ${listOf(
     `json_build_object('day', s.day - date '1970-01-01', 'bpm', ${workoutHigh})`,
     `canonical_workouts s WHERE s.user_id = u.id AND s.day BETWEEN ${dayAt('$13')} AND ${dayAt('$10')} AND ${workoutHigh} IS NOT NULL
       AND ${inUserScope}`,
   )} AS "workoutHighs",
   (SELECT coalesce(json_object_agg(d.device_no, json_build_object('id', d.id, 'provider', d.provider)), '{}')
    FROM devices d WHERE d.user_id = u.id AND ${inUserScope}) AS devices`,
);

/** What to read to explain a score. */
export interface ScoreWanted {
  metrics: readonly number[];
  months: { first: number; last: number };
  /** One more metric, read further back. */
  earlier: { metric: number; firstMonth: number };
  scoreDays: DayRange;
  sleep: DayRange;
  /** Up to the last of the score days. */
  workoutHighs: Pick<DayRange, 'from'>;
}

/** Everything from which the scores of a day can be recomputed. */
export interface ExplainedScoreRows {
  user: ReadUser;
  profile: Profile;
  /** Whether data of the day changed since it was scored. */
  waiting: boolean;
  months: { metricNo: number; month: number; content: Buffer }[];
  scoreDays: { day: DayNumber; scores: StoredScores; facts: Buffer }[];
  sleep: { day: DayNumber; startMs: number; endMs: number; isMain: boolean }[];
  workoutHighs: { day: DayNumber; bpm: number }[];
  /** By device number. */
  devices: Record<number, { id: string; provider: string }>;
}

type MonthRow = [metricNo: number, month: number, content: string];

/** Reads it in one statement; null if this tenant has no such user. */
export async function readExplainedScore(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { metrics, months, earlier, scoreDays, sleep, workoutHighs }: ScoreWanted,
): Promise<ExplainedScoreRows | null> {
  const row = await readUser<
    ReadUser &
      Pick<ExplainedScoreRows, 'profile' | 'waiting' | 'sleep' | 'workoutHighs' | 'devices'> & {
        months: MonthRow[];
        earlier: MonthRow[];
        scoreDays: [day: DayNumber, scores: StoredScores, facts: string][];
      }
  >(db, tenant, selectExplained, userId, [
    metrics,
    months.first,
    months.last,
    earlier.metric,
    earlier.firstMonth,
    scoreDays.from,
    scoreDays.to,
    sleep.from,
    sleep.to,
    workoutHighs.from,
  ]);
  return (
    row && {
      user: row,
      profile: row.profile,
      waiting: row.waiting,
      months: [...row.months, ...row.earlier].map(([metricNo, month, content]) => ({
        metricNo,
        month,
        content: Buffer.from(content, 'base64'),
      })),
      scoreDays: row.scoreDays.map(([day, scores, facts]) => ({
        day,
        scores,
        facts: Buffer.from(facts, 'base64'),
      })),
      sleep: row.sleep,
      workoutHighs: row.workoutHighs,
      devices: row.devices,
    }
  );
}
