import type { DayFacts } from './day-facts.ts';
import type { ScoredDay } from './score-day.ts';
import { leastCoveredMinutes, type Prepared } from './score-inputs.ts';
import { leastEpochs } from './stress.ts';

/** What is measured all day long, and so changes with every report. */
export const continuousMetrics: readonly string[] = [
  'heart_rate',
  'heart_rate_max',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'steps',
  'active_calories',
  'resting_energy',
  'total_energy',
];

const epochMinutes = 5;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** As long does a score stay that was just shown. */
const afterShownMs = 2 * hourMs;
/** So long is not looked again after nothing was different. */
const afterSameMs = hourMs;

/**
 * Until when more of what is measured all day long need not be looked at: what has a value may not change sooner, and what has none cannot
 * have one sooner. Everything else that changes is looked at without that delay.
 */
export function holdUntilMs(
  { scores, prepared }: Pick<ScoredDay, 'scores' | 'prepared'>,
  facts: Pick<DayFacts, 'coveredMinutes' | 'epochs'> | undefined,
  { nowMs, isShown, heldUntilMs }: { nowMs: number; isShown: boolean; heldUntilMs: number | null },
): number {
  const again = heldUntilMs ?? nowMs + (isShown ? afterShownMs : afterSameMs);
  const lackingMinutes = [
    scores.strain_score ? Infinity : leastCoveredMinutes - (facts?.coveredMinutes ?? 0),
    scores.stress_score ? Infinity : (leastEpochs - (facts?.epochs.length ?? 0)) * epochMinutes,
    // Where the variability of the day stands in for that of the night, a first value may come with the next report.
    scores.recovery_score || isOfTheNight(prepared.recovery_score) ? Infinity : 0,
  ];
  const first = nowMs + Math.max(0, Math.min(...lackingMinutes)) * minuteMs;
  return Math.min(again, first);
}

function isOfTheNight({ metrics }: Prepared<unknown>): boolean {
  return metrics.includes('sleep_heart_rate_variability');
}
