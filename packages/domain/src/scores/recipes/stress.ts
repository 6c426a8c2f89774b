import { baselineOf, lnOf, spreads, type Baseline, type Spread } from '../inputs/baseline.ts';
import { scoreOf, weigh } from '../publish/factors.ts';
import type { Ingredient, NamedBaseline, Scored } from '../score.ts';

/** Five minutes awake, outside workouts and the 15 minutes after them, with fewer than 100 steps. */
export interface StressEpoch {
  readonly bpm: number;
  readonly hrv: number | null;
}

/** The usual epoch of the previous two weeks. */
export interface EpochBaseline {
  readonly heartRate: Baseline;
  /** Null if too few epochs have variability. */
  readonly lnHrv: Baseline | null;
}

/** How widely epochs scatter, which is more than nights do. Baselines use all epochs of the previous two weeks and count their days. */
export const epochNorms = {
  heartRate: { priorSd: 8, floorSd: 4 },
  lnHrv: { priorSd: 0.35, floorSd: 0.15 },
} as const satisfies Record<string, Spread>;

/** The epochs of a date, and the readings of the night and the previous days, oldest first, that replace them. */
export interface StressInput {
  readonly epochs: readonly StressEpoch[];
  readonly epochBaseline: EpochBaseline | null;
  readonly hrv: number | null;
  readonly hrvHistory: readonly (number | null)[];
  readonly restingHeartRate: number | null;
  readonly restingHeartRateHistory: readonly (number | null)[];
}

/** The person's usual arousal when awake and at rest. */
const neutral = 30;

// Kim 2018, 37 studies: psychological stress most often reduces vagal activity, visible as lower variability. Heart rate is the second signal because
// optical sensors lose variability during movement.
const hrvWeight = 0.6;
const heartRateWeight = 0.4;
/** One of the two signals is enough. */
const leastWeight = 0.4;

/** Three hours. */
export const leastEpochs = 36;

/** How steeply arousal rises with deviations from the baseline. */
const steepness = 1.1;
/** Sets the curve to 30 at the baseline: 100 ÷ (1 + 7/3). */
const shift = Math.log(7 / 3);

/**
 * How aroused was the body at rest, compared with its own normal? Arousal is not distress. Martinez 2022, 657 office workers: variability
 * explained about 1% of perceived stress. Computed from epochs awake, else from the night. Null without a baseline of either.
 */
export function scoreStress(input: StressInput): Scored | null {
  const { epochs, epochBaseline } = input;
  return epochBaseline !== null && epochs.length >= leastEpochs
    ? scoreEpochs(epochs, epochBaseline)
    : scoreNight(input);
}

/** The stress of one epoch, from 0 to 100. Not rounded. */
export function stressOfEpoch(epoch: StressEpoch, baseline: EpochBaseline): number {
  const { fromHeartRate, fromHrv } = contributionsOf(epoch, baseline);
  return neutral + fromHeartRate + (fromHrv ?? 0);
}

/** An epoch without comparable variability uses only its heart rate. */
function contributionsOf({ bpm, hrv }: StressEpoch, { heartRate, lnHrv }: EpochBaseline) {
  const aroused = arousalOf(bpm, heartRate, 'rises') - neutral;
  const lnReading = lnOf(hrv);
  if (lnReading === null || lnHrv === null) return { fromHeartRate: aroused, fromHrv: null };
  return {
    fromHeartRate: heartRateWeight * aroused,
    fromHrv: hrvWeight * (arousalOf(lnReading, lnHrv, 'falls') - neutral),
  };
}

/** The mean of all epochs. */
function scoreEpochs(epochs: readonly StressEpoch[], baseline: EpochBaseline): Scored {
  const { heartRate, lnHrv } = baseline;
  let [heartRateSum, hrvSum, epochsWithHrv] = [0, 0, 0];
  for (const epoch of epochs) {
    const { fromHeartRate, fromHrv } = contributionsOf(epoch, baseline);
    heartRateSum += fromHeartRate;
    hrvSum += fromHrv ?? 0;
    epochsWithHrv += fromHrv === null ? 0 : 1;
  }
  const ingredientOf = (name: string, weight: number, share: number, sum: number): Ingredient => {
    const contribution = sum / epochs.length;
    return { name, weight, share, subScore: neutral + contribution / share, contribution };
  };
  const hrvShare = (hrvWeight * epochsWithHrv) / epochs.length;
  const ingredients = [ingredientOf('heart_rate', heartRateWeight, 1 - hrvShare, heartRateSum)];
  const baselines: NamedBaseline[] = [{ input: 'heart_rate', transform: 'none', ...heartRate }];
  if (lnHrv !== null && epochsWithHrv > 0) {
    ingredients.unshift(ingredientOf('heart_rate_variability', hrvWeight, hrvShare, hrvSum));
    baselines.unshift({ input: 'heart_rate_variability', transform: 'ln', ...lnHrv });
  }
  const figures = { epochs: epochs.length, epochs_with_variability: epochsWithHrv };
  return scoreOf('stress_score', neutral, ingredients, { baselines, figures });
}

function scoreNight(input: StressInput): Scored | null {
  const hrvBaseline = baselineOf(input.hrvHistory.map(lnOf), spreads.lnHrv);
  const restingBaseline = baselineOf(input.restingHeartRateHistory, spreads.restingHeartRate);
  const hrv = arousalIfKnown(lnOf(input.hrv), hrvBaseline, 'falls');
  const resting = arousalIfKnown(input.restingHeartRate, restingBaseline, 'rises');
  const ingredients = weigh(
    neutral,
    [
      ['heart_rate_variability', hrvWeight, hrv],
      ['resting_heart_rate', heartRateWeight, resting],
    ],
    leastWeight,
  );
  if (ingredients === null) return null;
  const baselines: NamedBaseline[] = [];
  if (hrv !== null) baselines.push({ input: 'heart_rate_variability', transform: 'ln', ...hrvBaseline! });
  if (resting !== null)
    baselines.push({ input: 'resting_heart_rate', transform: 'none', ...restingBaseline! });
  return scoreOf('stress_score', neutral, ingredients, { baselines });
}

/** The direction in which a reading moves under stress. */
type Reaction = 'rises' | 'falls';

function arousalIfKnown(
  reading: number | null,
  baseline: Baseline | null,
  reaction: Reaction,
): number | null {
  return reading === null || baseline === null ? null : arousalOf(reading, baseline, reaction);
}

/** From 0 to 100, with 30 at the center of the baseline. */
function arousalOf(reading: number, { centre, sd }: Baseline, reaction: Reaction): number {
  const deviations = (reaction === 'rises' ? reading - centre : centre - reading) / sd;
  return 100 / (1 + Math.exp(shift - steepness * deviations));
}
