import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { Story, watch } from './story.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const day = '2026-03-10';
const cuff = { provider: 'apple_health', id: 'cuff', kind: 'meter' };
const record = (metric: string, value: number, over: object = {}) => ({
  metric: metric.replace('bp_', 'blood_pressure_'),
  start: `${day}T08:00:00Z`,
  value,
  ...over,
});
const codes = ({ rejected }: { rejected: { list: string; index: number; code: string }[] }) =>
  rejected.map(({ list, index, code }) => [list, index, code]);

describe('blood pressure', () => {
  test('rejects a reading whose systolic pressure is not above the diastolic one', async () => {
    const story = await Story.begin(app, 'UTC');
    const other = { start: `${day}T09:00:00Z` };
    const receipt = await story.receipt(cuff, {
      records: [
        record('bp_systolic', 80),
        record('bp_diastolic', 120),
        record('heart_rate', 70),
        record('bp_systolic', 118, other),
        record('bp_diastolic', 76, other),
      ],
    });
    expect(codes(receipt)).toEqual([
      ['records', 0, 'inconsistent_pressure'],
      ['records', 1, 'inconsistent_pressure'],
    ]);
    expect(receipt.counts).toMatchObject({ new: 3, rejected: 2 });
    expect(await story.value('blood_pressure_systolic', day)).toBe(118);
    expect(await story.value('blood_pressure_diastolic', day)).toBe(76);
    expect(await story.value('pulse_pressure', day)).toBe(42);
  });

  test('rejects only the inconsistent values of a series, and inconsistent totals', async () => {
    const story = await Story.begin(app, 'UTC');
    const series = (metric: string, values: number[]) => ({
      metric,
      start: `${day}T08:00:00Z`,
      interval_seconds: 3600,
      values,
    });
    const receipt = await story.receipt(cuff, {
      series: [
        series('blood_pressure_systolic', [120, 90, 130]),
        series('blood_pressure_diastolic', [80, 90, 70]),
      ],
      daily: [
        { metric: 'blood_pressure_systolic', date: '2026-03-09', value: 80 },
        { metric: 'blood_pressure_diastolic', date: '2026-03-09', value: 81 },
      ],
    });
    expect(codes(receipt)).toEqual([
      ['series', 0, 'inconsistent_pressure'],
      ['series', 1, 'inconsistent_pressure'],
      ['daily', 0, 'inconsistent_pressure'],
      ['daily', 1, 'inconsistent_pressure'],
    ]);
    expect(receipt.rejected[0]).toMatchObject({ position: 1, count: 1 });
    expect(await story.values('blood_pressure_systolic', '2026-03-09', day)).toEqual([null, 125]);
  });

  // @contract daily-2/fields: A derived value outside the range of its metric is null, with the reason `implausible`
  test('derives nothing from values of different uploads that contradict each other', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([cuff, { records: [record('bp_systolic', 80)] }]);
    await story.upload([cuff, { records: [record('bp_diastolic', 120)] }]);
    expect(await story.value('blood_pressure_systolic', day)).toBe(80);
    for (const metric of ['pulse_pressure', 'mean_arterial_pressure']) {
      expect(await story.value(metric, day)).toBeNull();
      expect(await story.reason(metric, day)).toBe('implausible');
    }
    expect((await story.explain('pulse_pressure', day)).summary).toBe(
      'No value for pulse pressure on 2026-03-10: it is computed as systolic − diastolic blood pressure, and the result is outside the plausible range.',
    );
    await story.upload([cuff, { records: [record('bp_diastolic', 60)] }]);
    expect(await story.value('pulse_pressure', day)).toBe(20);
    expect(await story.reason('pulse_pressure', day)).toBeNull();
  });
});

describe('sleep', () => {
  const night = (minutes: object, over: object = {}) => ({
    id: 'night',
    start: `${day}T00:00:00Z`,
    end: `${day}T02:30:00Z`,
    minutes,
    ...over,
  });
  const asleepSince = (start: string) => ({
    stages: [{ stage: 'asleep', start: `${day}T${start}:00Z`, end: `${day}T02:30:00Z` }],
  });

  test.each([
    ['more minutes asleep than the session has', night({ asleep: 600 }), 'exceeds_session'],
    ['more minutes in bed than the session has', night({ in_bed: 153 }), 'exceeds_session'],
    ['stages that add up to more', night({ deep: 51, light: 51, rem: 51 }), 'exceeds_session'],
    ['more minutes asleep than in bed', night({ asleep: 130, in_bed: 120 }), 'asleep_exceeds_in_bed'],
    [
      'stages longer than the time in bed',
      night({ in_bed: 120 }, asleepSince('00:00')),
      'asleep_exceeds_in_bed',
    ],
  ])('rejects %s', async (_, session, code) => {
    const story = await Story.begin(app, 'UTC');
    expect(codes(await story.receipt(watch, { sleep: [session] }))).toEqual([['sleep', 0, code]]);
    expect(await story.sessions('sleep', day)).toEqual([]);
    expect(await story.value('asleep', day)).toBeNull();
  });

  test('accepts minutes that differ by rounding', async () => {
    const story = await Story.begin(app, 'UTC');
    await story.upload([
      watch,
      { sleep: [night({ asleep: 152, in_bed: 150, deep: 52, light: 50, rem: 50 })] },
    ]);
    expect(await story.value('asleep', day)).toBe(152);
  });
});

test('rejects data from a clock that was never set', async () => {
  const story = await Story.begin(app, 'UTC');
  const at = (start: string) => record('heart_rate', 60, { start });
  const session = { id: 's', start: '2001-01-01T00:10:00Z', end: '2001-01-01T01:10:00Z' };
  const receipt = await story.receipt(watch, {
    records: [
      at('1970-01-01T00:00:00Z'),
      at('1970-01-02T00:00:00Z'),
      at('1970-01-02T00:00:01Z'),
      at('2000-12-30T23:59:59Z'),
      at('2000-12-31T00:00:00Z'),
      at('2001-01-02T00:00:00Z'),
      at('2001-01-02T00:00:01Z'),
    ],
    daily: ['1970-01-02', '1970-01-03', '2000-12-30', '2000-12-31'].map((date) => ({
      metric: 'steps',
      date,
      value: 5000,
    })),
    sleep: [session],
    workouts: [{ ...session, sport_type: 'running' }],
  });
  expect(codes(receipt)).toEqual([
    ['records', 0, 'unset_clock'],
    ['records', 1, 'unset_clock'],
    ['records', 4, 'unset_clock'],
    ['records', 5, 'unset_clock'],
    ['daily', 0, 'unset_clock'],
    ['daily', 3, 'unset_clock'],
    ['sleep', 0, 'unset_clock'],
    ['workouts', 0, 'unset_clock'],
  ]);
});

test('reads blood glucose without a unit only if just one unit is possible', async () => {
  const story = await Story.begin(app, 'UTC');
  const glucose = (value: number, hour: number, unit?: string) =>
    record('blood_glucose', value, { start: `${day}T0${hour}:00:00Z`, ...(unit && { unit }) });
  const receipt = await story.receipt(cuff, {
    series: [{ metric: 'blood_glucose', start: `${day}T09:00:00Z`, interval_seconds: 300, values: [30, 90] }],
    records: [glucose(5.5, 1), glucose(99.1001, 2), glucose(25, 3), glucose(25, 4, 'mmol/L')],
  });
  expect(codes(receipt)).toEqual([['records', 2, 'ambiguous_unit']]);
  expect(await story.value('blood_glucose_min', day)).toBe(1.7);
  expect(await story.value('blood_glucose_max', day)).toBe(25);
});
