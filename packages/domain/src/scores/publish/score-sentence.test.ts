import { expect, test } from 'vitest';
import type { Factor } from '../score.ts';
import { sentenceOf, type ScoreStatus } from './score-sentence.ts';

const factor = (name: string, contribution: number): Factor => ({
  name,
  contribution,
  direction:
    name === 'baseline' || Math.abs(contribution) < 0.5
      ? 'neutral'
      : contribution > 0
        ? 'positive'
        : 'negative',
});

const recovery: ScoreStatus = {
  type: 'recovery_score',
  name: 'Recovery',
  shown: {
    value: 56.9,
    factors: [
      factor('baseline', 50),
      factor('sleep', 8),
      factor('load_balance', -1.1),
      factor('hrv_trend', 0),
    ],
  },
  current: 56.9,
  upToDate: true,
  waiting: false,
  lacking: null,
};

test.each<[string, Partial<ScoreStatus>, string]>([
  [
    'low confidence',
    {
      type: 'sleep_score',
      name: 'Sleep',
      shown: {
        value: 28.5,
        factors: [factor('baseline', 75), factor('duration', -30), factor('duration_limit', -16.5)],
        confidence: 'low',
      },
    },
    'Sleep is 28.5 (poor). Starting from the neutral 75, duration subtracts 30.0 and the limit for short sleep subtracts 16.5. Confidence is low, because only the time asleep is known.',
  ],
  [
    'too little food, without naming good nutrients',
    {
      type: 'nutrition_score',
      name: 'Nutrition',
      shown: {
        value: 30,
        factors: [factor('baseline', 50), factor('too_little_energy', -52), factor('fiber', 32)],
      },
    },
    'Nutrition is 30.0 (poor). Less energy was logged than the body needs, which limits the score.',
  ],
  [
    'the factors that moved it',
    {},
    'Recovery is 56.9 (moderate). Starting from the neutral 50, sleep adds 8.0 and load balance subtracts 1.1.',
  ],
  [
    'heart rate variability as HRV',
    { shown: { value: 52.9, factors: [factor('baseline', 50), factor('hrv_today', 2.9)] } },
    "Recovery is 52.9 (moderate). Starting from the neutral 50, the day's HRV adds 2.9.",
  ],
  [
    'that no factor moved it',
    { shown: { value: 50.4, factors: [factor('baseline', 50), factor('sleep', 0.4)] } },
    'Recovery is 50.4 (moderate). No factor moved it half a point or more from the neutral 50.',
  ],
  [
    'the parts of a sum that starts at 0',
    {
      type: 'strain_score',
      name: 'Strain',
      shown: {
        value: 65.3,
        factors: [
          factor('vigorous_activity', 47.2),
          factor('light_activity', 13.6),
          factor('moderate_activity', 4.5),
        ],
      },
    },
    'Strain is 65.3 (moderate). Vigorous activity adds 47.2, light activity adds 13.6 and moderate activity adds 4.5.',
  ],
  [
    'that nothing contributed on a day of rest',
    { type: 'strain_score', name: 'Strain', shown: { value: 0, factors: [] } },
    'Strain is 0.0 (light). No factor contributed half a point or more.',
  ],
  [
    'that another value is waiting',
    { upToDate: false, current: 61 },
    'Recovery is 56.9 (moderate). Starting from the neutral 50, sleep adds 8.0 and load balance subtracts 1.1. The current data gives 61.0, which is published when the score may change again.',
  ],
  [
    'that the data is gone',
    { upToDate: false, current: null, lacking: 'no main sleep ends on this date' },
    'Recovery is 56.9 (moderate). Starting from the neutral 50, sleep adds 8.0 and load balance subtracts 1.1. The current data no longer gives a score: no main sleep ends on this date.',
  ],
  [
    'that newer data is waiting',
    { upToDate: false, waiting: true },
    'Recovery is 56.9 (moderate). Starting from the neutral 50, sleep adds 8.0 and load balance subtracts 1.1. Newer data for this date is waiting to be scored.',
  ],
  [
    'that the first data is waiting',
    { shown: null, current: null, upToDate: false, waiting: true, lacking: 'no food was logged' },
    'Recovery has no value yet. Data for this date is waiting to be scored.',
  ],
  [
    'that a first value is waiting',
    { shown: null, upToDate: false },
    'Recovery is computed as 56.9 but not published yet.',
  ],
  [
    'the data that is missing',
    { shown: null, current: null, lacking: 'no food was logged' },
    'Recovery has no value: no food was logged.',
  ],
])('states %s', (_, change, sentence) => {
  expect(sentenceOf({ ...recovery, ...change })).toBe(sentence);
});
