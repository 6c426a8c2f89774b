import { clamp } from '../../../clamp.ts';
import { baselineOf, lnOf, recentReadings, spreads, usualOf, type Baseline } from '../../inputs/baseline.ts';
import { entryOf, scoreOf, weigh } from '../../publish/factors.ts';
import { subScoreOf, type Knots } from '../../inputs/interpolate.ts';
import type { Ingredient, NamedBaseline, Scored } from '../../score.ts';

/** Readings of the night and the previous days, oldest first. Variability and temperature each use one measure per person. */
export interface RecoveryInput {
  readonly hrv: number | null;
  readonly hrvHistory: readonly (number | null)[];
  readonly restingHeartRate: number | null;
  readonly restingHeartRateHistory: readonly (number | null)[];
  readonly sleepScore: number | null;
  /** Training loads up to yesterday. */
  readonly loadHistory: readonly (number | null)[];
  readonly respiratoryRate: number | null;
  readonly respiratoryRateHistory: readonly (number | null)[];
  readonly bodyTemperature: number | null;
  readonly bodyTemperatureHistory: readonly (number | null)[];
}

/** The person's usual state. */
export const neutral = 50;

/** Resting heart rate and sleep are just enough. Only heart rate variability is not. */
const leastWeight = 0.45;

// Plews 2013, Buchheit 2014: half of the usual spread is the smallest meaningful change.
const deadZoneSd = 0.5;
// Le Meur 2013, Bellenger 2016: variability far above normal can indicate overreaching. The curve declines from +2 sd.
const declineStartSd = 2;
const fallPerSd = 0.5;
/** Scales the logistic curve to approximate the normal distribution. */
const logisticScale = 1.702;

// Plews 2014: the mean of a week reflects training status better than single days do, given at least three readings.
const trendDays = 7;
const leastTrendReadings = 3;

// 75 is the neutral point of the sleep score.
const sleepKnots: Knots = [
  [40, 0],
  [75, 50],
  [100, 100],
];

// Williams 2017: exponentially weighted loads distinguish more from less than usual. As a predictor of injuries (Gabbett 2016), their ratio did no
// better than random numbers (Impellizzeri 2020), hence no such claim and a small weight.
const acuteDays = 7;
const chronicDays = 28;
const startDays = 7;
const leastLoadDays = 4;
const leastChronicLoad = 20;
const loadBalanceSd = 0.35;

const deepestPenalty = 12;
// Natarajan 2021: 90% of healthy people take 11.8 to 19.2 breaths per minute. A rise by 3 marked a third of symptomatic infections.
const respiratoryRise: Rise = { from: 1, to: 3 };
// Maijala 2019: skin at night is 0.30 °C (sd 0.12) warmer in the luteal phase, which gives no penalty. Smarr 2020: fever is well above that.
const temperatureRise: Rise = { from: 0.5, to: 1.5 };

/** Has the body returned to its own normal this morning? Null without a baseline of heart data, or with too little other data. */
export function scoreRecovery(input: RecoveryInput): Scored | null {
  const parts = weighRecovery(input, subScoreOf(sleepKnots, input.sleepScore));
  return parts && scoreOf('recovery_score', neutral, parts.ingredients, parts);
}

/** What moves recovery, and what it was compared with. */
export interface RecoveryParts {
  readonly ingredients: Ingredient[];
  readonly baselines: NamedBaseline[];
  readonly figures: Record<string, number>;
}

/** Weighs all readings and applies the penalties. Null without a baseline of heart data, or with too little other data. */
export function weighRecovery(
  input: Omit<RecoveryInput, 'sleepScore'>,
  sleep: number | null,
): RecoveryParts | null {
  const hrv = scoreHrv(input);
  const restingHeartRate = scoreRestingHeartRate(input);
  if (hrv === null && restingHeartRate === null) return null;
  const load = balanceLoads(input.loadHistory);
  // Chosen, not measured: 0.60 for the autonomic nervous system, 0.25 for sleep, 0.15 for load. Makers of readiness scores name the same ingredients
  // (Oura, WHOOP). Altini 2021: resting heart rate responds to stressors with less noise than its variability.
  const weighed = weigh(
    neutral,
    [
      ['hrv_today', 0.25, hrv?.today ?? null],
      ['hrv_trend', 0.15, hrv?.trend ?? null],
      ['resting_heart_rate', 0.2, restingHeartRate?.subScore ?? null],
      ['sleep', 0.25, sleep],
      ['load_balance', 0.15, load?.subScore ?? null],
    ],
    leastWeight,
  );
  if (weighed === null) return null;

  const figures: Record<string, number> = {};
  if (load !== null) {
    figures['acute_training_load'] = load.acute;
    figures['chronic_training_load'] = load.chronic;
  }
  const penalties: Ingredient[] = [];
  const penalize = (name: string, reading: number | null, usual: number | null, { from, to }: Rise): void => {
    if (reading === null || usual === null) return;
    figures[`usual_${name}`] = usual;
    penalties.push(entryOf(name, -deepestPenalty * clamp((reading - usual - from) / (to - from), 0, 1)));
  };
  penalize('respiratory_rate', input.respiratoryRate, usualOf(input.respiratoryRateHistory), respiratoryRise);
  penalize('body_temperature', input.bodyTemperature, usualOf(input.bodyTemperatureHistory), temperatureRise);

  const baselines: NamedBaseline[] = [];
  if (hrv !== null) baselines.push({ input: 'heart_rate_variability', transform: 'ln', ...hrv.baseline });
  if (restingHeartRate !== null)
    baselines.push({ input: 'resting_heart_rate', transform: 'none', ...restingHeartRate.baseline });
  return { ingredients: [...weighed, ...penalties], baselines, figures };
}

/** The deviation at which a penalty begins, and the one at which it reaches its maximum. */
interface Rise {
  readonly from: number;
  readonly to: number;
}

interface HrvScores {
  readonly baseline: Baseline;
  readonly today: number;
  readonly trend: number | null;
}

function scoreHrv({ hrv, hrvHistory }: Pick<RecoveryInput, 'hrv' | 'hrvHistory'>): HrvScores | null {
  const today = lnOf(hrv);
  if (today === null) return null;
  const history = hrvHistory.map(lnOf);
  const baseline = baselineOf(history, spreads.lnHrv);
  if (baseline === null) return null;
  const { centre, sd } = baseline;
  const lately = recentReadings(history, trendDays - 1);
  const readings = lately.length + 1;
  const mean = (lately.reduce((sum, each) => sum + each, 0) + today) / readings;
  return {
    baseline,
    today: scoreDeviation((today - centre) / sd),
    trend: readings < leastTrendReadings ? null : scoreDeviation((mean - centre) / sd),
  };
}

function scoreRestingHeartRate(
  input: Pick<RecoveryInput, 'restingHeartRate' | 'restingHeartRateHistory'>,
): { baseline: Baseline; subScore: number } | null {
  const { restingHeartRate, restingHeartRateHistory } = input;
  if (restingHeartRate === null) return null;
  const baseline = baselineOf(restingHeartRateHistory, spreads.restingHeartRate);
  if (baseline === null) return null;
  return { baseline, subScore: scoreDeviation((baseline.centre - restingHeartRate) / baseline.sd) };
}

/** By deviations in the favorable direction: 50 within the dead zone, 93 at the peak. */
export function scoreDeviation(deviations: number): number {
  const noted = Math.sign(deviations) * Math.max(0, Math.abs(deviations) - deadZoneSd);
  const best = declineStartSd - deadZoneSd;
  const counted = noted > best ? Math.max(0, best - fallPerSd * (noted - best)) : noted;
  return 100 / (1 + Math.exp(-logisticScale * counted));
}

interface LoadBalance {
  readonly acute: number;
  readonly chronic: number;
  readonly subScore: number;
}

function balanceLoads(history: readonly (number | null)[]): LoadBalance | null {
  const acute = exponentialMean(history, acuteDays);
  const chronic = exponentialMean(history, chronicDays);
  if (acute === null || chronic === null || recentReadings(history).length < leastLoadDays) return null;
  const balance = (acute - chronic) / Math.max(chronic, leastChronicLoad);
  return { acute, chronic, subScore: 100 / (1 + Math.exp((logisticScale * balance) / loadBalanceSd)) };
}

/** The mean of a history, oldest first, with more weight on later loads. Starts at the mean of the first week. */
export function exponentialMean(history: readonly (number | null)[], spanDays: number): number | null {
  const loads = recentReadings(history);
  if (loads.length === 0) return null;
  const first = loads.subarray(0, startDays);
  const lambda = 2 / (spanDays + 1);
  let mean = first.reduce((sum, load) => sum + load, 0) / first.length;
  for (const load of loads) mean = lambda * load + (1 - lambda) * mean;
  return mean;
}
