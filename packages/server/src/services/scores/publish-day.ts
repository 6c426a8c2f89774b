import {
  dailyOfScores,
  dayEndMs,
  dayOf,
  publish,
  scoreTypes,
  valuesWithScores,
  type DayNumber,
  type Publishing,
  type ScoredDay,
  type ScoreType,
} from '@tributary/domain';
import { toPublished, toStored, type StoredScores } from '../../store/scores/days.ts';
import type { StaleUser } from '../../store/scores/stale.ts';
import type { ScoreMonths } from './score-months.ts';

/** The result of scoring a user. */
export interface Outcome {
  /** Scores whose published values changed, and the range of days. */
  changed: { types: Set<ScoreType>; first: DayNumber; last: DayNumber };
  /** Whether any readable data may have changed, including factors, daily values and stress samples. */
  published: boolean;
  /** Days that are scored again, and when. */
  postponed: { dueMs: number; days: Set<DayNumber> };
}

export function noOutcome(): Outcome {
  return {
    changed: { types: new Set(), first: Infinity, last: -Infinity },
    published: false,
    postponed: { dueMs: Infinity, days: new Set() },
  };
}

export function postpone({ postponed }: Outcome, day: DayNumber, dueMs: number): void {
  postponed.dueMs = Math.min(postponed.dueMs, dueMs);
  postponed.days.add(day);
}

const dailyByScore = Map.groupBy(Object.keys(dailyOfScores), (metricId) => dailyOfScores[metricId]!);

/** Publishes the scores of a day. Daily values follow the score they belong to. Those that belong to none are never held back. */
export function publishDay(
  user: Pick<StaleUser, 'timezones' | 'urgentDays'>,
  day: DayNumber,
  nowMs: number,
  before: StoredScores,
  scored: ScoredDay,
  scoreMonths: ScoreMonths,
  outcome: Outcome,
): { scores: StoredScores; changed: boolean; heldUntilMs: number | null } {
  const today = dayOf(nowMs, user.timezones);
  const publishing: Publishing = {
    nowMs,
    today,
    todayEndsMs: dayEndMs(today, user.timezones),
    urgent: user.urgentDays.has(day),
  };
  const scores: StoredScores = { ...before };
  let isChanged = false;
  let heldUntilMs: number | null = null;
  for (const type of scoreTypes) {
    const known = before[type] ? toPublished(before[type]) : null;
    const publication = publish(known, scored.scores[type], publishing);
    if (publication.outcome === 'held') {
      postpone(outcome, day, publication.untilMs);
      heldUntilMs = Math.min(heldUntilMs ?? Infinity, publication.untilMs);
      continue;
    }
    if (publication.outcome === 'published') {
      const { score } = publication;
      if (score) scores[type] = toStored(score);
      else delete scores[type];
      isChanged = true;
      if (score?.tenths !== known?.tenths) noteChange(outcome, type, day);
      scoreMonths.set(type, day, score && score.tenths / 10);
    }
    for (const metricId of dailyByScore.get(type) ?? [])
      isChanged = scoreMonths.set(metricId, day, scored.daily[metricId] ?? null) || isChanged;
  }
  for (const metricId of valuesWithScores)
    isChanged = scoreMonths.set(metricId, day, scored.daily[metricId] ?? null) || isChanged;
  return { scores, changed: isChanged, heldUntilMs };
}

function noteChange({ changed }: Outcome, type: ScoreType, day: DayNumber): void {
  changed.types.add(type);
  changed.first = Math.min(changed.first, day);
  changed.last = Math.max(changed.last, day);
}
