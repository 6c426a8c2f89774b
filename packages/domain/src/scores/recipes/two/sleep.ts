import { limitTo, scoreOf, weigh } from '../../publish/factors.ts';
import { interpolate, type Knots } from '../../inputs/interpolate.ts';
import type { Scored } from '../../score.ts';
import {
  continuityKnots,
  durationKnots,
  efficiencyKnots,
  figuresOf,
  latencyKnots,
  neutral,
  regularityKnots,
  restorativeKnots,
  restorativeOf,
  sleepWeights,
  type SleepInput,
} from '../one/sleep.ts';

/** The night, and the person's usual readings for those that are missing. */
export interface SleepInputTwo extends SleepInput {
  readonly usual: UsualNight;
}

/** Medians of the previous 60 days. Null with fewer than three readings. */
interface UsualNight {
  readonly regularityIndex: number | null;
  readonly efficiencyPercent: number | null;
  readonly awakeAfterOnsetMinutes: number | null;
  readonly restorativePercent: number | null;
  readonly latencyMinutes: number | null;
}

// Windred 2024: median regularity. Boulos 2019: efficiency 86%, latency 15 minutes, deep sleep and REM 39% of sleep. Its 48 minutes awake are those
// of nights in a laboratory. 35 minutes is chosen for nights at home.
const medianNight = {
  regularityIndex: 81,
  efficiencyPercent: 86,
  awakeAfterOnsetMinutes: 35,
  restorativePercent: 39,
  latencyMinutes: 15,
} as const satisfies Record<keyof UsualNight, number>;

/** The highest score by hours asleep. Too short a night is never good, however well the person slept. */
const durationLimit: Knots = [
  [0, 0],
  [3, 30],
  [4, 45],
  [5, 60],
  [6, 78],
  [7, 100],
];

const components = [
  ['regularity', 'regularityIndex', regularityKnots],
  ['efficiency', 'efficiencyPercent', efficiencyKnots],
  ['continuity', 'awakeAfterOnsetMinutes', continuityKnots],
  ['restorative_sleep', 'restorativePercent', restorativeKnots],
  ['latency', 'latencyMinutes', latencyKnots],
] as const satisfies readonly (readonly [keyof typeof sleepWeights, keyof UsualNight, Knots])[];

/**
 * How does the night compare with expert recommendations? Null without sleep. A missing reading counts as the person's usual one, else as the
 * population median, so that a new sensor does not move the score unless it measures something unusual.
 */
export function scoreSleepTwo(input: SleepInputTwo): Scored | null {
  const { age, asleepMinutes, usual } = input;
  if (asleepMinutes === null) return null;
  const hoursAsleep = asleepMinutes / 60;
  const restorativePercent = restorativeOf(input);
  const tonight: UsualNight = { ...input, restorativePercent };
  const weighed = weigh(
    neutral,
    [
      ['duration', sleepWeights.duration, interpolate(durationKnots(age), hoursAsleep)],
      ...components.map(([name, reading, knots]) => {
        const counted = tonight[reading] ?? usual[reading] ?? medianNight[reading];
        return [name, sleepWeights[name], interpolate(knots, counted)] as const;
      }),
    ],
    0,
  )!;
  const assumed = new Set<string>(
    components.filter(([, reading]) => tonight[reading] === null).map(([name]) => name),
  );
  const ingredients = weighed.map((one) =>
    assumed.has(one.name) ? { ...one, assumed: true as const } : one,
  );
  const limits = [['duration_limit', interpolate(durationLimit, hoursAsleep)]] as const;
  // Regularity describes the week. Without anything else, only the hours of the night are known.
  const isKnown = components.some(([name]) => name !== 'regularity' && !assumed.has(name));
  return scoreOf('sleep_score', neutral, limitTo(neutral, ingredients, limits), {
    figures: figuresOf(restorativePercent),
    version: 2,
    confidence: isKnown ? 'normal' : 'low',
  });
}
