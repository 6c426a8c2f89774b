import { encodeFacts, findMetric, formatDay, scoreMetrics, type ScoreType } from '@tributary/domain';
import { toPublished, type StoredScores } from '../../store/scores/days.ts';
import { scoreThrough } from './score-through.ts';
import { readStoredValues } from './stored-values.ts';
import type { TestApp } from '../apps/test-app.ts';

/** A stored score. */
export interface StoredScore {
  tenths: number;
  factors: readonly (readonly [string, number])[];
  publishedMs: number;
}

/** All score data of a user: by `type date`, by `metric date`, and, from samples, by date. */
export interface ScoresOf {
  scores: Record<string, StoredScore>;
  daily: Record<string, number>;
  facts: Record<string, string>;
}

/** A day without samples and workouts. */
const noFacts = Buffer.from(
  encodeFacts({ coveredMinutes: 0, awake: [], workouts: [], hrvKind: null, epochs: [] }),
).toString('hex');

export async function readStoredScores(app: TestApp, userId: string): Promise<ScoresOf> {
  const { rows } = await app.admin.query<{
    day: number;
    scores: StoredScores;
    facts: string;
    rest: string;
  }>(
    `SELECT day - date '1970-01-01' AS day, scores, encode(facts, 'hex') AS facts,
       concat_ws(' ', encode(stress, 'hex'), strains, norms) AS rest
     FROM score_days WHERE user_id = $1 ORDER BY day`,
    [userId],
  );
  const result: ScoresOf = { scores: {}, daily: {}, facts: {} };
  for (const { day, scores, facts, rest } of rows) {
    const date = formatDay(day);
    for (const [type, stored] of Object.entries(scores)) {
      const { tenths, factors, publishedMs } = toPublished(stored);
      result.scores[`${type} ${date}`] = { tenths, factors, publishedMs };
    }
    if (facts !== noFacts || Object.keys(scores).length > 0) result.facts[date] = `${facts} ${rest}`;
  }
  const { values } = await readStoredValues(app, userId);
  for (const [key, { value }] of Object.entries(values))
    if (isScoreMetric.has(key.split(' ')[0]!)) result.daily[key] = value;
  return result;
}

const isScoreMetric = new Set(scoreMetrics);

/** The scores whose value or factors differ, as `type date`. */
export function changedBetween(before: ScoresOf, after: ScoresOf): string[] {
  return differentKeys(shownOf(before), shownOf(after));
}

/** All differences between two states except publication times. */
export function differencesBetween(before: ScoresOf, after: ScoresOf): string[] {
  return [
    ...changedBetween(before, after),
    ...differentKeys(before.daily, after.daily).map((key) => `daily ${key}`),
    ...differentKeys(before.facts, after.facts).map((date) => `facts of ${date}`),
  ];
}

function shownOf({ scores }: ScoresOf): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(scores).map(([key, { tenths, factors }]) => [key, [tenths, factors]]),
  );
}

function differentKeys(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).sort();
}

/** The dates of one score among keys such as `sleep_score 2026-03-02`. */
export function datesOf(keys: readonly string[], type: ScoreType): string[] {
  return keys.filter((key) => key.startsWith(`${type} `)).map((key) => key.split(' ')[1]!);
}

/** Deletes all score data of a user and schedules these days as if they were new. */
export async function scoreFromScratch(
  app: TestApp,
  userId: string,
  { from, to }: { from: number; to: number },
): Promise<ScoresOf> {
  await app.admin.query('DELETE FROM score_days WHERE user_id = $1', [userId]);
  await app.admin.query('DELETE FROM canonical_months WHERE user_id = $1 AND metric_no = ANY ($2)', [
    userId,
    scoreMetrics.map((id) => findMetric(id)!.no),
  ]);
  await app.admin.query('DELETE FROM stale_scores WHERE user_id = $1', [userId]);
  await app.admin.query(
    `INSERT INTO stale_scores (user_id, due_at, days) VALUES ($1, tributary_now(), int4multirange(int4range($2, $3)))`,
    [userId, from, to + 1],
  );
  await scoreThrough(app);
  return readStoredScores(app, userId);
}
