import {
  addDays,
  explainScore,
  findMetric,
  sentenceOf,
  shownScore,
  timezoneOfDay,
  type DayNumber,
  currentRecipe,
  type Confidence,
  type RecipeVersion,
  type Score,
  type ScoreAccount,
  type ScoreType,
  type VersionedScore,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { toPublished } from '../../store/scores/days.ts';
import { highestHeartRate, personMetrics } from '../../store/scores/months.ts';
import { readExplainedScore, type ExplainedScoreRows } from '../../store/scores/reads.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { loadPersonDays, neededFor } from './load-person-days.ts';

/** A score with its explanation. */
export interface ScoreExplanation extends ScoreAccount {
  timezone: string;
  type: ScoreType;
  day: DayNumber;
  state: 'published' | 'pending' | 'none';
  /** The published score, or null. */
  shown: (VersionedScore & { publishedMs: number }) | null;
  /** The recipe of the published score, else the one that the next score is computed with. */
  version: RecipeVersion;
  confidence: Confidence | null;
  why: string;
  devices: ExplainedScoreRows['devices'];
}

/** Explains a score by recomputing it from stored data with the code that computed it. */
export async function readScoreExplanation(
  ctx: Pick<Context, 'db' | 'clock'>,
  tenant: Tenant,
  userId: string,
  { type, day }: { type: ScoreType; day: DayNumber },
): Promise<ScoreExplanation> {
  const range = { from: day, to: day };
  const { months, highestSince, scoreDays, sleep, workoutHighs } = neededFor(range);
  const rows = await readExplainedScore(ctx.db, tenant, userId, {
    metrics: personMetrics,
    months,
    earlier: { metric: highestHeartRate, firstMonth: highestSince },
    scoreDays,
    sleep,
    workoutHighs,
  });
  if (!rows) throw userNotFound(formatId('user', userId));
  const { timezones, daysAhead } = rows.user;
  const stored = rows.scoreDays.find((row) => row.day === day)?.scores[type];
  const published = stored ? toPublished(stored) : null;
  // Inputs that depend on the time are explained as of publication.
  const nowMs = published?.publishedMs ?? addDays(ctx.clock.now(), timezones, daysAhead);
  // A score of an earlier recipe is explained with that recipe.
  const version = published?.version ?? currentRecipe;
  const account = explainScore(
    loadPersonDays({ profile: rows.profile, timezones }, range, rows),
    day,
    type,
    nowMs,
    version,
  );
  const shown = published && { ...shownScore(published), publishedMs: published.publishedMs };
  const upToDate = isSame(shown, account.scored) && !rows.waiting;
  const { displayName } = findMetric(type)!;
  const current = account.scored?.value ?? null;
  return {
    ...account,
    timezone: timezoneOfDay(day, timezones),
    type,
    day,
    shown,
    version,
    confidence: (shown ?? account.scored)?.confidence ?? null,
    state: upToDate ? (shown ? 'published' : 'none') : 'pending',
    why: sentenceOf({
      type,
      name: displayName,
      shown,
      current,
      upToDate,
      waiting: rows.waiting,
      lacking: account.lacking,
    }),
    devices: rows.devices,
  };
}

function isSame(shown: Score | null, current: Score | null): boolean {
  if (!shown || !current) return !shown && !current;
  const isSameFactor = ({ name, contribution }: Score['factors'][number], at: number) =>
    name === current.factors[at]?.name && contribution === current.factors[at].contribution;
  return (
    shown.value === current.value &&
    shown.factors.length === current.factors.length &&
    shown.factors.every(isSameFactor)
  );
}
