import {
  scoreTypes,
  shownScore,
  type DayNumber,
  type ScoreType,
  type VersionedScore,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { toPublished } from '../../store/scores/days.ts';
import { readPublishedScores } from '../../store/scores/reads.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { ReadUser } from '../../store/users/read.ts';
import type { DayChoice } from '../daily/read-daily.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** A published score and its day. */
export interface CurrentScore extends VersionedScore {
  type: ScoreType;
  day: DayNumber;
  publishedMs: number;
}

/** Scores older than this are not current. */
const currentDays = 7;

/** In any time zone, today is at most two days before the last possible day. */
const mostDaysBehind = 2;

/** Returns the newest value of each score up to the last chosen day. Scores without a value are omitted. */
export async function readCurrentScores(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
  choice: DayChoice,
): Promise<{ user: ReadUser; scores: CurrentScore[] }> {
  const last = choice.widest.to;
  const range = { from: last - mostDaysBehind - currentDays + 1, to: last };
  const result = await readPublishedScores(ctx.db, tenant, userId, range);
  if (!result) throw userNotFound(formatId('user', userId));
  const { to } = choice.resolve(result);
  const days = result.days.filter(({ day }) => day <= to && day > to - currentDays);
  const scores = scoreTypes.flatMap((type): CurrentScore[] => {
    const newest = days.find(({ scores: ofDay }) => ofDay[type] !== undefined);
    if (!newest) return [];
    const published = toPublished(newest.scores[type]!);
    return [{ type, day: newest.day, publishedMs: published.publishedMs, ...shownScore(published) }];
  });
  return { user: result, scores };
}
