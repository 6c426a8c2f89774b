import { describe, expect, test } from 'vitest';
import { findMetric, metrics } from '../catalog/catalog.ts';
import { derivedMetrics } from '../day/derive.ts';
import { toMicros } from '../samples/micros.ts';
import { valuesWithScores } from '../scores/daily/daily-values.ts';
import { canonicalSleepMetrics } from '../sessions/sleep-day.ts';
import { canonicalWorkoutMetrics } from '../sessions/workout-day.ts';
import { formulaOf } from './formulas.ts';
import { summarizeDay, type DaySummary } from './summarize-day.ts';

const day: DaySummary = {
  metric: findMetric('weight')!,
  date: '2026-03-01',
  micros: toMicros(72.125),
  decision: { applied: 'priority', contributors: [1], basis: null, verdicts: new Map() },
  candidates: 1,
  enabled: 1,
  providers: 1,
  labelOf: (deviceNo) => `device ${deviceNo}`,
  missing: null,
  isPending: false,
};

describe('a value', () => {
  test.each([
    [{}, 'Weight on 2026-03-01: 72.13 kg, from device 1, the only enabled device with a value.'],
    [{ metric: findMetric('body_mass_index')! }, /from device 1, the only enabled device with a value\.$/],
    [
      { metric: findMetric('body_mass_index')!, decision: { ...day.decision, contributors: [] } },
      /, computed as weight ÷ height²\.$/,
    ],
    [{ candidates: 3, enabled: 1 }, / This user's settings exclude 2 devices that reported a value\.$/],
    [{ isPending: true }, / Recalculating\. The result predates the latest change\./],
    [
      { enabled: 3, candidates: 3, providers: 2, decision: { ...day.decision, applied: 'max' } },
      'Weight on 2026-03-01: 72.13 kg, the highest value of 3 devices, from device 1.',
    ],
    [
      { enabled: 2, candidates: 2, decision: { ...day.decision, applied: 'avg' } },
      'Weight on 2026-03-01: 72.13 kg, from device 1, which ranks highest of 2 devices with a value.',
    ],
    [
      { decision: { ...day.decision, contributors: [] }, isPending: true },
      /^Weight on 2026-03-01: 72\.13 kg, which no connected and enabled device reports anymore\./,
    ],
    [
      { enabled: 3, candidates: 3, decision: { ...day.decision, applied: 'merge', contributors: [2, 1] } },
      'Weight on 2026-03-01: 72.13 kg, merged over time from device 2 and device 1.',
    ],
  ] as [Partial<DaySummary>, string | RegExp][])(
    'states the value and its origin (case %#)',
    (change, expected) => {
      expect(summarizeDay({ ...day, ...change })).toMatch(expected);
    },
  );
});

describe('no value', () => {
  const none: DaySummary = { ...day, micros: null, candidates: 0, enabled: 0 };
  test.each([
    [{ missing: 'no_device' }, 'no device is connected'],
    [{ missing: 'unsupported' }, 'no connected device can report it'],
    [{ missing: 'not_synced_yet' }, 'no enabled device has synced since that day began'],
    [{ missing: 'not_reported' }, 'no device reported it'],
    [{ missing: 'excluded' }, "this user's settings exclude every provider that could report it"],
    [
      { missing: 'excluded', candidates: 1 },
      "1 device has a value, but this user's settings exclude its provider",
    ],
    [
      { metric: findMetric('pulse_pressure')! },
      'it is computed as systolic − diastolic blood pressure, and not all inputs are available',
    ],
    [
      { metric: findMetric('heart_rate_dip')! },
      'it is computed as 100 × (awake − asleep mean heart rate) ÷ awake mean heart rate, and not all inputs are available',
    ],
    [
      { metric: findMetric('body_mass_index')!, missing: 'no_device' },
      'no device reported it, and not all inputs of weight ÷ height² are available',
    ],
    [{ metric: findMetric('stress_score')! }, 'not all inputs of the stress score are available'],
    [
      { metric: findMetric('training_load')! },
      'it is computed with the strain score, and not all inputs are available',
    ],
  ] as [Partial<DaySummary>, string][])('states why there is no value (case %#)', (change, words) => {
    expect(summarizeDay({ ...none, ...change })).toMatch(/^No value for .* on 2026-03-01: /);
    expect(summarizeDay({ ...none, ...change })).toContain(`on 2026-03-01: ${words}.`);
  });
});

test('has a formula for every derived metric and for no other', () => {
  const derived = [
    ...derivedMetrics.map(({ no }) => no),
    ...canonicalSleepMetrics,
    ...canonicalWorkoutMetrics,
    ...valuesWithScores.map((id) => findMetric(id)!.no),
  ];
  const metricsWithFormula = metrics.filter(({ no }) => formulaOf(no) !== null).map(({ no }) => no);
  expect(metricsWithFormula.toSorted()).toEqual(derived.toSorted());
});
