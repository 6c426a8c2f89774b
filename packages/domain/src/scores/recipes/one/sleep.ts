import { scoreOf, weigh } from '../../publish/factors.ts';
import { interpolate, subScoreOf, type Knots } from '../../inputs/interpolate.ts';
import type { Scored } from '../../score.ts';

/** The sleep of a date. */
export interface SleepInput {
  /** In completed years. */
  readonly age: number | null;
  /** In all sessions of the date, like deep and REM. Null if none of them is a main sleep. */
  readonly asleepMinutes: number | null;
  readonly deepMinutes: number | null;
  readonly remMinutes: number | null;
  readonly efficiencyPercent: number | null;
  readonly awakeAfterOnsetMinutes: number | null;
  readonly latencyMinutes: number | null;
  /** The sleep regularity index of the last days. */
  readonly regularityIndex: number | null;
}

/** Sleep that just meets expert recommendations: good thresholds score 75, poor ones 25. */
export const neutral = 75;

// Chosen: duration first, stages late. Experts found no agreement on stages (Ohayon 2017), and wearables detect them with a sensitivity of 50 to
// 86% (Robbins 2024). Long awakenings are left out because few devices count them.
export const sleepWeights = {
  duration: 0.35,
  regularity: 0.2,
  efficiency: 0.15,
  continuity: 0.15,
  restorative_sleep: 0.1,
  latency: 0.05,
} as const;

/** Duration is enough. */
const leastWeight = sleepWeights.duration;

// Hirshkowitz 2015: recommended hours by age, and the outer limits of what may be appropriate. Watson 2015 also recommends 7 hours for adults.
const hoursByAge = [
  { below: 14, low: 9, high: 11, outerLow: 7, outerHigh: 12 },
  { below: 18, low: 8, high: 10, outerLow: 7, outerHigh: 11 },
  { below: 26, low: 7, high: 9, outerLow: 6, outerHigh: 11 },
  { below: 65, low: 7, high: 9, outerLow: 6, outerHigh: 10 },
  { below: Infinity, low: 7, high: 8, outerLow: 5, outerHigh: 9 },
] as const;
const ageIfUnknown = 40;

// Windred 2024, 60,977 people: median 81.0, quartiles 73.8 and 86.3. Regularity predicted mortality better than duration did.
export const regularityKnots: Knots = [
  [41, 0],
  [60, 25],
  [73.8, 55],
  [81, 75],
  [86.3, 90],
  [95, 100],
];

// Ohayon 2017: 85% or more is good, less than 74% is poor.
export const efficiencyKnots: Knots = [
  [65, 0],
  [74, 25],
  [85, 75],
  [92, 95],
  [95, 100],
];

// Ohayon 2017: up to 20 minutes awake after falling asleep is good, 41 or more is poor.
export const continuityKnots: Knots = [
  [0, 100],
  [10, 95],
  [20, 75],
  [41, 25],
  [90, 0],
];

// Percentage of sleep that is deep or REM.
export const restorativeKnots: Knots = [
  [10, 0],
  [20, 30],
  [33, 75],
  [42, 100],
  [60, 100],
  [75, 60],
];

// Ohayon 2017: falling asleep within 30 minutes is good, an hour or more is poor.
export const latencyKnots: Knots = [
  [0, 100],
  [15, 95],
  [30, 75],
  [60, 25],
  [90, 0],
];

/** How does the night compare with expert recommendations? Null without sleep. All other inputs are optional. */
export function scoreSleep(input: SleepInput): Scored | null {
  const { age, asleepMinutes } = input;
  if (asleepMinutes === null) return null;
  const restorativePercent = restorativeOf(input);
  const hoursAsleep = asleepMinutes / 60;
  const ingredients = weigh(
    neutral,
    [
      ['duration', sleepWeights.duration, interpolate(durationKnots(age), hoursAsleep)],
      ['regularity', sleepWeights.regularity, subScoreOf(regularityKnots, input.regularityIndex)],
      ['efficiency', sleepWeights.efficiency, subScoreOf(efficiencyKnots, input.efficiencyPercent)],
      ['continuity', sleepWeights.continuity, subScoreOf(continuityKnots, input.awakeAfterOnsetMinutes)],
      ['restorative_sleep', sleepWeights.restorative_sleep, subScoreOf(restorativeKnots, restorativePercent)],
      ['latency', sleepWeights.latency, subScoreOf(latencyKnots, input.latencyMinutes)],
    ],
    leastWeight,
  );
  return (
    ingredients && scoreOf('sleep_score', neutral, ingredients, { figures: figuresOf(restorativePercent) })
  );
}

/** The percentage of sleep that is deep or REM. Null without stages. */
export function restorativeOf({
  asleepMinutes,
  deepMinutes,
  remMinutes,
}: Pick<SleepInput, 'asleepMinutes' | 'deepMinutes' | 'remMinutes'>): number | null {
  if (!asleepMinutes || deepMinutes === null || remMinutes === null) return null;
  return (100 * (deepMinutes + remMinutes)) / asleepMinutes;
}

export function figuresOf(restorativePercent: number | null): Record<string, number> {
  return restorativePercent === null ? {} : { restorative_percent: restorativePercent };
}

/** The recommended hours of sleep, and the limits of what may be appropriate. */
export function recommendedHours(age: number | null): (typeof hoursByAge)[number] {
  return hoursByAge.find(({ below }) => (age ?? ageIfUnknown) < below)!;
}

/** By hours asleep: full marks from an hour above the lower recommendation to the upper one. */
export function durationKnots(age: number | null): Knots {
  const { low, high, outerLow, outerHigh } = recommendedHours(age);
  return [
    [outerLow - 2, 0],
    [outerLow, 55],
    [low, 85],
    [Math.min(low + 1, high), 100],
    [high, 100],
    [outerHigh, 80],
    [outerHigh + 2, 50],
  ];
}
