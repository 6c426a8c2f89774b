import { hourMs, minuteMs } from '../../durations.ts';
import type { DayFacts } from '../inputs/day-facts.ts';
import type { ScoredDay } from '../score-day.ts';
import type { Prepared } from '../inputs/score-inputs.ts';
import { leastCoveredMinutes } from '../inputs/strain-inputs.ts';
import { leastEpochs } from '../recipes/stress.ts';

/** Metrics that are measured all day, and so change with every report. */
export const continuousMetrics: readonly string[] = [
  'heart_rate',
  'heart_rate_max',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'steps',
  'active_calories',
  'resting_energy',
  'total_energy',
  'blood_glucose',
];

const epochMinutes = 5;
/** How long a score stays after it was published. */
const afterShownMs = 2 * hourMs;
/** Delay before the next check if nothing changed. */
const afterSameMs = hourMs;

/**
 * Until when new data of metrics that are measured all day can be ignored: existing scores may not change earlier, and missing ones cannot
 * have a value earlier. Other changes are processed without this delay.
 */
export function publishDelayUntilMs(
  { scores, prepared }: Pick<ScoredDay, 'scores' | 'prepared'>,
  facts: Pick<DayFacts, 'coveredMinutes' | 'epochs'> | undefined,
  {
    nowMs,
    isShown,
    heldUntilMs: publishableAtMs,
  }: { nowMs: number; isShown: boolean; heldUntilMs: number | null },
): number {
  const again = publishableAtMs ?? nowMs + (isShown ? afterShownMs : afterSameMs);
  const lackingMinutes = [
    scores.strain_score ? Infinity : leastCoveredMinutes - (facts?.coveredMinutes ?? 0),
    scores.stress_score ? Infinity : (leastEpochs - (facts?.epochs.length ?? 0)) * epochMinutes,
    // If daytime variability replaces that of the night, a first value may come with the next report.
    scores.recovery_score || isOfTheNight(prepared.recovery_score) ? Infinity : 0,
  ];
  const first = nowMs + Math.max(0, Math.min(...lackingMinutes)) * minuteMs;
  return Math.min(again, first);
}

function isOfTheNight({ metrics }: Prepared<unknown>): boolean {
  return metrics.includes('sleep_heart_rate_variability');
}
