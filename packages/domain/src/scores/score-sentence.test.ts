import { expect, test } from 'vitest';
import type { Factor } from './score.ts';
import { sentenceOf, type ScoreStanding } from './score-sentence.ts';

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

const recovery: ScoreStanding = {
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

test.each<[string, Partial<ScoreStanding>, string]>([
  [
    'what moved it',
    {},
    'Recovery is 56.9 (moderate): from the neutral 50, sleep adds 8.0 and load balance takes 1.1.',
  ],
  [
    'the variability of the heart rate by its letters',
    { shown: { value: 52.9, factors: [factor('baseline', 50), factor('hrv_today', 2.9)] } },
    'Recovery is 52.9 (moderate): from the neutral 50, HRV today adds 2.9.',
  ],
  [
    'that nothing moved it',
    { shown: { value: 50.4, factors: [factor('baseline', 50), factor('sleep', 0.4)] } },
    'Recovery is 50.4 (moderate): nothing moved it far from the neutral 50.',
  ],
  [
    'a sum that starts at nothing',
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
    'Strain is 65.3 (moderate): vigorous activity adds 47.2, light activity adds 13.6 and moderate activity adds 4.5.',
  ],
  [
    'a day of rest',
    { type: 'strain_score', name: 'Strain', shown: { value: 0, factors: [] } },
    'Strain is 0.0 (light): nothing counted.',
  ],
  [
    'that another value waits',
    { upToDate: false, current: 61 },
    'Recovery is 56.9 (moderate): from the neutral 50, sleep adds 8.0 and load balance takes 1.1; the data now give 61.0, to be shown when the score may change again.',
  ],
  [
    'that the data are gone',
    { upToDate: false, current: null, lacking: 'no main sleep ends on this date' },
    'Recovery is 56.9 (moderate): from the neutral 50, sleep adds 8.0 and load balance takes 1.1; the data give none any more: no main sleep ends on this date.',
  ],
  [
    'that newer data wait',
    { upToDate: false, waiting: true },
    'Recovery is 56.9 (moderate): from the neutral 50, sleep adds 8.0 and load balance takes 1.1; newer data of the day wait to be scored.',
  ],
  [
    'that first data wait',
    { shown: null, current: null, upToDate: false, waiting: true, lacking: 'no food was logged' },
    'Recovery has no value yet: data of the day wait to be scored.',
  ],
  [
    'a first value that waits',
    { shown: null, upToDate: false },
    'Recovery is worked out as 56.9 and not shown yet.',
  ],
  [
    'what is lacking',
    { shown: null, current: null, lacking: 'no food was logged' },
    'Recovery has no value: no food was logged.',
  ],
])('tells %s', (_, change, sentence) => {
  expect(sentenceOf({ ...recovery, ...change })).toBe(sentence);
});
