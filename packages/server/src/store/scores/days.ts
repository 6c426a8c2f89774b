import type { DayNumber, EpochNorms, PublishedScore, RecipeVersion, ScoreType } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { joined } from '../database/joined-bytes.ts';
import { epochMs } from '../uploads/pending-batches.ts';

/**
 * [tenths, factors, published at in ms, local day of that, times on it, recipe, 1 for low confidence]. Compact, because there is one per score, user and
 * day. Releases before recipe 2 neither write nor read the last two, so a score without them is of recipe 1.
 */
type StoredScore = [
  tenths: number,
  factors: PublishedScore['factors'],
  publishedMs: number,
  publishedDay: number,
  times: number,
  version?: RecipeVersion,
  isLow?: 1,
];

export type StoredScores = Partial<Record<ScoreType, StoredScore>>;

/** Heart rate, kind of variability and its logarithm. Each baseline has a center, a standard deviation and a number of days. */
type StoredNorms = [StoredBaseline | null, EpochNorms['hrvKind'], StoredBaseline | null];
type StoredBaseline = [number, number, number];

export interface ScoreDayRow {
  userId: string;
  day: DayNumber;
  scores: StoredScores;
  facts: Buffer;
  norms: StoredNorms | null;
}

/** A range of days of a user, inclusive. */
export interface UserDays {
  userId: string;
  from: DayNumber;
  to: DayNumber;
}

const dayAt = (parameter: string) => `date '1970-01-01' + ${parameter}`;

/** Selects `columns` of a table of days, for the range of each user. */
function selectDays(columns: string, table: string, order = ''): string {
  return `SELECT k.user_id AS "userId", s.* FROM unnest($1::uuid[], $2::int4[], $3::int4[]) AS k (user_id, from_day, to_day),
          LATERAL (SELECT s.day - date '1970-01-01' AS day, ${columns} FROM ${table} s WHERE s.user_id = k.user_id
                     AND s.day BETWEEN ${dayAt('k.from_day')} AND ${dayAt('k.to_day')} ${order} OFFSET 0) AS s`;
}

function columnsOf(wanted: readonly UserDays[]): unknown[] {
  return [wanted.map(({ userId }) => userId), wanted.map(({ from }) => from), wanted.map(({ to }) => to)];
}

/** Reads the stored scores of some users. */
export async function readScoreDays(tx: Queryable, wanted: readonly UserDays[]): Promise<ScoreDayRow[]> {
  const result = await tx.query<ScoreDayRow>({
    name: 'score-days/read',
    text: selectDays('s.scores, s.facts, s.norms', 'score_days'),
    values: columnsOf(wanted),
  });
  return result.rows;
}

/** A sleep session as scoring reads it. */
export interface ScoredSleepRow {
  userId: string;
  day: DayNumber;
  startMs: number;
  endMs: number;
  isMain: boolean;
}

const span = `${epochMs('s.start_at')} AS "startMs", ${epochMs('s.end_at')} AS "endMs"`;
export const workoutHigh = `(s.content -> 'trace' ->> 'maxBpm')::float8`;
const inOrder = 'ORDER BY s.day, s.start_at, s.id';

export async function readScoredSleep(tx: Queryable, wanted: readonly UserDays[]): Promise<ScoredSleepRow[]> {
  const result = await tx.query<ScoredSleepRow>({
    name: 'score-days/sleep',
    text: selectDays(`${span}, s.is_main AS "isMain"`, 'canonical_sleep', inOrder),
    values: columnsOf(wanted),
  });
  return result.rows;
}

export interface ScoredWorkoutRow {
  userId: string;
  day: DayNumber;
  id: string;
  startMs: number;
  endMs: number;
  content: {
    values: Record<string, number>;
    trace: { meanBpm: number } | null;
    histogram: [number, number][];
  };
}

export async function readScoredWorkouts(
  tx: Queryable,
  wanted: readonly UserDays[],
): Promise<ScoredWorkoutRow[]> {
  const result = await tx.query<ScoredWorkoutRow>({
    name: 'score-days/workouts',
    text: selectDays(`s.id, ${span}, s.content`, 'canonical_workouts', inOrder),
    values: columnsOf(wanted),
  });
  return result.rows;
}

/** The highest heart rate of the workouts with a trace, by day. */
export async function readWorkoutHighs(
  tx: Queryable,
  wanted: readonly UserDays[],
): Promise<{ userId: string; day: DayNumber; bpm: number }[]> {
  const result = await tx.query<{ userId: string; day: DayNumber; bpm: number }>({
    name: 'score-days/workout-highs',
    text: selectDays(`${workoutHigh} AS bpm`, 'canonical_workouts', `AND ${workoutHigh} IS NOT NULL`),
    values: columnsOf(wanted),
  });
  return result.rows;
}

/** The first and the last day that has scores; null if none has. */
export async function readScoredRange(
  tx: Queryable,
  userId: string,
): Promise<{ from: DayNumber; to: DayNumber } | null> {
  const result = await tx.query<{ from: DayNumber | null; to: DayNumber }>({
    name: 'score-days/range',
    text: `SELECT min(day) - date '1970-01-01' AS "from", max(day) - date '1970-01-01' AS "to" FROM score_days WHERE user_id = $1`,
    values: [userId],
  });
  const { from, to } = result.rows[0]!;
  return from === null ? null : { from, to };
}

export interface ScoreDayChange {
  userId: string;
  day: DayNumber;
  scores: StoredScores;
  facts: Uint8Array;
  norms: EpochNorms | null;
  stress: Uint8Array | null;
  strains: Readonly<Record<string, number>>;
  publishDelayUntilMs: number | null;
}

export async function writeScoreDays(tx: Queryable, rows: readonly ScoreDayChange[]): Promise<void> {
  const facts = joined(rows.map((row) => row.facts));
  const stress = joined(rows.map((row) => row.stress ?? new Uint8Array()));
  await tx.query({
    name: 'score-days/write',
    text: `INSERT INTO score_days (user_id, day, scores, facts, norms, stress, strains, hold_until)
           SELECT user_id, ${dayAt('day')}, scores, substring($4::bytea FROM facts_start FOR facts_length), norms,
             CASE WHEN stress_length > 0 THEN substring($7::bytea FROM stress_start FOR stress_length) END, strains,
             to_timestamp(hold_ms / 1000)
           FROM unnest($1::uuid[], $2::int4[], $3::jsonb[], $5::int4[], $6::int4[], $8::int4[], $9::int4[], $10::jsonb[], $11::jsonb[],
                       $12::float8[])
             AS r (user_id, day, scores, facts_start, facts_length, stress_start, stress_length, norms, strains, hold_ms)
           ON CONFLICT (user_id, day) DO UPDATE SET scores = excluded.scores, facts = excluded.facts, norms = excluded.norms,
             stress = excluded.stress, strains = excluded.strains, hold_until = excluded.hold_until`,
    values: [
      rows.map(({ userId }) => userId),
      rows.map(({ day }) => day),
      rows.map(({ scores }) => JSON.stringify(scores)),
      facts.bytes,
      facts.starts,
      facts.lengths,
      stress.bytes,
      stress.starts,
      stress.lengths,
      rows.map(({ norms }) => norms && JSON.stringify(toStoredNorms(norms))),
      rows.map(({ strains }) => JSON.stringify(strains)),
      rows.map(({ publishDelayUntilMs }) => publishDelayUntilMs),
    ],
  });
}

/** Records that scores of these users were published, or that there is nothing to score yet. */
export async function markUsersScored(
  tx: Queryable,
  users: readonly { userId: string; published: boolean; status: 'pending' | 'computing' | 'ready' }[],
): Promise<void> {
  await tx.query({
    name: 'score-days/users',
    text: `UPDATE users u SET score_status = s.status,
             last_score_at = CASE WHEN s.published THEN tributary_now() ELSE u.last_score_at END
           FROM unnest($1::uuid[], $2::bool[], $3::text[]) AS s (user_id, published, status) WHERE u.id = s.user_id`,
    values: [
      users.map(({ userId }) => userId),
      users.map(({ published }) => published),
      users.map(({ status }) => status),
    ],
  });
}

export function toPublished([
  tenths,
  factors,
  publishedMs,
  publishedDay,
  times,
  version = 1,
  isLow,
]: StoredScore): PublishedScore {
  const confidence = isLow ? 'low' : 'normal';
  return { tenths, factors, publishedMs, publishedDay, times, version, confidence };
}

export function toStored(score: PublishedScore): StoredScore {
  const { tenths, factors, publishedMs, publishedDay, times, version, confidence } = score;
  const stored: StoredScore = [tenths, factors, publishedMs, publishedDay, times, version];
  if (confidence === 'low') stored.push(1);
  return stored;
}

export function toNorms([heartRate, hrvKind, lnHrv]: StoredNorms): EpochNorms {
  return { heartRate: heartRate && toBaseline(heartRate), hrvKind, lnHrv: lnHrv && toBaseline(lnHrv) };
}

function toBaseline([centre, sd, readings]: StoredBaseline): NonNullable<EpochNorms['heartRate']> {
  return { centre, sd, readings };
}

function toStoredNorms({ heartRate, hrvKind, lnHrv }: EpochNorms): StoredNorms {
  return [toStoredBaseline(heartRate), hrvKind, toStoredBaseline(lnHrv)];
}

function toStoredBaseline(baseline: EpochNorms['heartRate']): StoredBaseline | null {
  return baseline && [baseline.centre, baseline.sd, baseline.readings];
}
