import { describe, expect, test } from 'vitest';
import { findMetric, metrics } from '../catalog/catalog.ts';
import { derivedMetrics } from '../day/derive.ts';
import { toMicros } from '../samples/micros.ts';
import { sleepAnswers } from '../sessions/sleep-day.ts';
import { workoutAnswers } from '../sessions/workout-day.ts';
import { formulaOf } from './formulas.ts';
import { summarizeDay, type DaySummary } from './summarize-day.ts';

const day: DaySummary = {
  metric: findMetric('weight')!,
  date: '2026-03-01',
  micros: toMicros(72.125),
  decision: { applied: 'priority', contributors: [1], verdicts: new Map() },
  candidates: 1,
  enabled: 1,
  labelOf: (deviceNo) => `device ${deviceNo}`,
  missing: null,
  isPending: false,
};

describe('a value', () => {
  test.each([
    [{}, 'Weight on 2026-03-01 is 72.13 kg: device 1 is the only enabled device with a value.'],
    [{ candidates: 3, enabled: 1 }, / 2 devices with a value are left out by the settings\.$/],
    [{ isPending: true }, /A change is still being worked in/],
    [
      { enabled: 3, candidates: 3, decision: { ...day.decision, applied: 'merge', contributors: [2, 1] } },
      'Weight on 2026-03-01 is 72.13 kg: the union over time of device 2 and device 1.',
    ],
  ] as [Partial<DaySummary>, string | RegExp][])('%#', (change, expected) => {
    expect(summarizeDay({ ...day, ...change })).toMatch(expected);
  });
});

describe('no value', () => {
  const none: DaySummary = { ...day, micros: null, candidates: 0, enabled: 0 };
  test.each([
    [{ missing: 'no_device' }, 'no device is connected'],
    [{ missing: 'unsupported' }, 'no connected device can tell it'],
    [{ missing: 'not_synced_yet' }, 'no device that takes part has synced since that day began'],
    [{ missing: 'not_reported' }, 'no device reported it'],
    [{ missing: 'excluded' }, 'the settings leave out every provider that could tell it'],
    [
      { missing: 'excluded', candidates: 1 },
      '1 device has a value, but its provider is left out by the settings',
    ],
    [
      { metric: findMetric('pulse_pressure')! },
      'it would be systolic − diastolic blood pressure, and not all of that is known',
    ],
    [{ metric: findMetric('sleep_debt')! }, 'this version of the service does not work it out'],
  ] as [Partial<DaySummary>, string][])('%#', (change, words) => {
    expect(summarizeDay({ ...none, ...change })).toContain(`has no value on 2026-03-01: ${words}.`);
  });
});

test('everything that is derived has its formula, and nothing else has', () => {
  const derived = [...derivedMetrics.map(({ no }) => no), ...sleepAnswers, ...workoutAnswers];
  const told = metrics.filter(({ no }) => formulaOf(no) !== null).map(({ no }) => no);
  expect(told.toSorted()).toEqual(derived.toSorted());
});
