import { baselineOf, type Spread } from '../../inputs/baseline.ts';
import { interpolate, type Knots } from '../../inputs/interpolate.ts';
import { limitTo, scoreOf, type Limit } from '../../publish/factors.ts';
import type { NamedBaseline, Scored } from '../../score.ts';
import { neutral, scoreDeviation, weighRecovery, type RecoveryInput } from '../one/recovery.ts';

/** Readings of the night and the previous days. The time asleep is compared with the person's own nights, like everything else. */
export interface RecoveryInputTwo extends Omit<RecoveryInput, 'sleepScore'> {
  readonly asleepMinutes: number | null;
  readonly asleepHistory: readonly (number | null)[];
}

/** Chosen: how much the time asleep of one person varies from night to night, in minutes. */
const asleepSpread: Spread = { priorSd: 50, floorSd: 30 };

// Chosen: a reading this far from normal indicates illness or a measurement under other conditions, and outweighs everything else.
/** The highest score by the rise of the resting heart rate, in beats per minute. */
const restingLimit: Knots = [
  [10, 100],
  [25, 30],
];
/** The highest score by the drop of variability, as a share of its usual value. */
const hrvLimit: Knots = [
  [0.4, 100],
  [0.75, 30],
];

/**
 * Has the body returned to its own normal this morning? A person whose readings are all as usual scores 50. Null without a baseline of heart
 * data, or with too little other data.
 */
export function scoreRecoveryTwo(input: RecoveryInputTwo): Scored | null {
  const { asleepMinutes, asleepHistory, hrv, restingHeartRate } = input;
  const asleep = asleepMinutes === null ? null : baselineOf(asleepHistory, asleepSpread);
  const sleep = asleep && scoreDeviation((asleepMinutes! - asleep.centre) / asleep.sd);
  const parts = weighRecovery(input, sleep);
  if (parts === null) return null;
  const baselines: NamedBaseline[] = [...parts.baselines];
  if (asleep) baselines.push({ input: 'asleep', transform: 'none', ...asleep });
  const limits: Limit[] = [];
  for (const { input: name, centre } of parts.baselines)
    if (name === 'resting_heart_rate')
      limits.push(['resting_heart_rate_limit', interpolate(restingLimit, restingHeartRate! - centre)]);
    else limits.push(['hrv_limit', interpolate(hrvLimit, 1 - hrv! / Math.exp(centre))]);
  const ingredients = limitTo(neutral, parts.ingredients, limits);
  return scoreOf('recovery_score', neutral, ingredients, { baselines, figures: parts.figures, version: 2 });
}
