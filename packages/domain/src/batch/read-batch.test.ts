import { defaultScopes, scopes, type BatchWire } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { chunkMs } from '../samples/chunk.ts';
import { countValues, readBatch, type ReadBatch } from './read-batch.ts';

const receivedMs = Date.UTC(2026, 2, 2, 12);
const facts = { batchId: '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10', createdMs: receivedMs, receivedMs, scopes };
const device = { provider: 'apple_health', id: 'w', kind: 'watch' } as const;

const read = (body: Partial<BatchWire>, over: object = {}): ReadBatch =>
  readBatch({ batch_id: facts.batchId, device, ...body }, { ...facts, ...over });
const codes = (batch: ReadBatch) => batch.rejections.listed.map(({ code }) => code);
const series = (over: object) => ({
  metric: 'heart_rate',
  start: '2026-03-02T07:00:00Z',
  values: [60],
  ...over,
});
const record = (over: object) => ({
  metric: 'heart_rate',
  start: '2026-03-02T07:00:00Z',
  value: 60,
  ...over,
});

describe('series', () => {
  test('splits a series where a chunk ends', () => {
    const { samples } = read({
      series: [series({ start: '2026-03-02T07:59:55Z', interval_seconds: 5, values: [60, 61] })],
    });
    expect(samples.map(({ chunk }) => chunk * chunkMs)).toEqual([
      Date.UTC(2026, 2, 2, 4),
      Date.UTC(2026, 2, 2, 8),
    ]);
    expect(samples.map(({ readings }) => [...readings.values])).toEqual([[60e6], [61e6]]);
  });

  test('accepts offsets in any order and uses the last value listed for an instant', () => {
    const { samples, repeats } = read({
      series: [series({ offsets_seconds: [9, 0, 9], values: [60, 61, 62] })],
    });
    expect([...samples[0]!.readings.values]).toEqual([61e6, 62e6]);
    expect(repeats).toBe(1);
  });

  test.each([
    ['neither interval nor offsets', { values: [60, 61] }],
    ['too few offsets', { offsets_seconds: [0], values: [60, 61] }],
  ])('rejects a series with %s', (_, over) => {
    const batch = read({ series: [series(over)] });
    expect(codes(batch)).toEqual(['invalid_series']);
    expect(batch.rejections.count).toBe(2);
  });

  test('stores durations for counted values, and for measured values only if their interval is long', () => {
    const durations = (metric: string, interval_seconds: number) =>
      read({ series: [series({ metric, interval_seconds, values: [1, 2].map((n) => n * 60) })] }).samples[0]
        ?.readings.durations;
    expect([...durations('steps', 60)!]).toEqual([60_000, 60_000]);
    expect(durations('heart_rate', 60)).toBeNull();
    expect([...durations('heart_rate', 300)!]).toEqual([300_000, 300_000]);
  });
});

describe('readings', () => {
  test.each([
    ['below the plausible range', { value: 24 }, 'out_of_range'],
    ['above the plausible range', { value: 251 }, 'out_of_range'],
    ['at the edge of the plausible range', { value: 25 }, null],
    ['more steps than a minute allows', { metric: 'steps', value: 301 }, 'rate_too_high'],
    ['as many steps as a minute allows', { metric: 'steps', value: 300 }, null],
    ['more steps in a longer interval', { metric: 'steps', value: 600, end: '2026-03-02T07:02:00Z' }, null],
    ['a negative count', { metric: 'steps', value: -1 }, 'out_of_range'],
    ['one day in the future', { start: '2026-03-03T12:00:00Z' }, null],
    ['more than one day in the future', { start: '2026-03-03T12:00:01Z' }, 'invalid_time'],
    ['before 1970', { start: '1969-12-31T23:59:59Z' }, 'invalid_time'],
    ['a day after the start of 1970', { start: '1970-01-02T00:00:00Z' }, 'unset_clock'],
    ['more than a day after the start of 1970', { start: '1970-01-02T00:00:01Z' }, null],
    ['a day before the start of 2001', { start: '2000-12-31T00:00:00Z' }, 'unset_clock'],
    ['an end before the start', { end: '2026-03-02T06:59:59Z' }, 'invalid_time'],
    ['a duration above two days', { end: '2026-03-04T07:00:01Z' }, 'invalid_time'],
    ['a score', { metric: 'recovery_score' }, 'not_accepted'],
    ['a workout metric', { metric: 'heart_rate_avg' }, 'not_accepted'],
    ['a computed metric', { metric: 'pulse_pressure' }, 'not_accepted'],
    ['an unknown metric', { metric: 'mood' }, 'unknown_metric'],
    ['a unit that cannot be converted', { unit: 'kg' }, 'unknown_unit'],
    ['a unit that can be converted', { metric: 'body_temperature', value: 98.6, unit: '°F' }, null],
  ])('validates a reading: %s', (_, over, code) => {
    expect(codes(read({ records: [record(over)] }))).toEqual(code ? [code] : []);
  });

  test('stores readings in the catalog unit with the original unit', () => {
    const { samples } = read({
      records: [record({ metric: 'weight', value: 100, unit: 'lb', utc_offset: '-03:30' })],
    });
    expect([...samples[0]!.readings.values]).toEqual([45_359_237]);
    expect(samples[0]!.readings.owners[0]).toMatchObject({ utcOffsetMinutes: -210 });
    expect(samples[0]!.readings.owners[0]!.unitCode).toBeGreaterThan(0);
  });

  test('drops a record that the same batch deletes', () => {
    const { samples, records } = read({
      records: [record({ id: 'x' }), record({ id: 'y', start: '2026-03-02T07:05:00Z' })],
      deletions: [{ kind: 'record', id: 'x' }],
    });
    expect([...samples[0]!.readings.values]).toEqual([60e6]);
    expect(records.map(({ id }) => id)).toEqual(['y']);
  });

  test('uses the last record listed for an ID and metric', () => {
    const { samples, records, repeats } = read({
      records: [
        record({ id: 'x', value: 70 }),
        record({ id: 'x', value: 98, metric: 'blood_oxygen' }),
        record({ id: 'x', value: 71, start: '2026-03-02T07:05:00Z' }),
      ],
    });
    expect(samples.map(({ readings }) => [...readings.values]).toSorted()).toEqual([[71e6], [98e6]]);
    expect(records).toMatchObject([
      { id: 'x', startMs: Date.UTC(2026, 2, 2, 7) },
      { id: 'x', startMs: Date.UTC(2026, 2, 2, 7, 5) },
    ]);
    expect(repeats).toBe(1);
  });

  test('gives a record without a reading of its own an older stamp than the batch', () => {
    const { records } = read({
      records: [record({ id: 'x' }), record({ id: 'y' }), record({ id: 'z', start: '2026-03-02T07:05:00Z' })],
    });
    const { batchId, createdMs } = facts;
    expect(records).toMatchObject([
      { id: 'x', stamp: { createdMs, batchId: expect.stringMatching(/^0{8}-/) } },
      { id: 'y', stamp: { createdMs, batchId } },
      { id: 'z', stamp: { createdMs, batchId } },
    ]);
  });

  test.each([
    ['in mmol/L by default', [5.5], {}, [5_500_000]],
    ['in mg/dL if only that is plausible', [180.182], {}, [10_000_000]],
    ['by the other values of a series', [25, 90.091], {}, [1_387_486, 5_000_000]],
    ['in the given unit', [25], { unit: 'mmol/L' }, [25_000_000]],
    ['not if both units are plausible', [19.83, 33.3], {}, 'ambiguous_unit'],
    ['not if the values disagree', [5.5, 90], {}, 'ambiguous_unit'],
    ['not if no unit is plausible', [1.09, 601], {}, 'out_of_range'],
  ])('reads blood glucose: %s', (_, values, over, expected) => {
    const batch = read({
      series: [series({ metric: 'blood_glucose', interval_seconds: 300, values, ...over })],
    });
    if (typeof expected === 'string') expect(codes(batch)).toEqual([expected]);
    else expect([...batch.samples[0]!.readings.values]).toEqual(expected);
  });

  test('pairs blood pressure by time and uses the last value listed for each time', () => {
    const pressure = (which: string, value: number, over: object = {}) =>
      record({ metric: `blood_pressure_${which}`, value, ...over });
    expect(codes(read({ records: [pressure('systolic', 80), pressure('diastolic', 80)] }))).toEqual([
      'inconsistent_pressure',
      'inconsistent_pressure',
    ]);
    const fine = [
      [pressure('systolic', 80), pressure('systolic', 120), pressure('diastolic', 90)],
      [pressure('systolic', 80), pressure('diastolic', 90, { start: '2026-03-02T07:00:01Z' })],
      // The pair of a value that is rejected itself counts.
      [pressure('diastolic', 90), pressure('systolic', 120), pressure('systolic', 80, { unit: 'kg' })],
    ];
    expect(fine.map((records) => codes(read({ records })))).toEqual([[], [], ['unknown_unit']]);
    const { records } = read({
      records: [pressure('systolic', 80, { id: 'a' }), pressure('diastolic', 90, { id: 'a' })],
    });
    expect(records).toEqual([]);
  });

  test('rejects readings of reproductive health unless the session names it', () => {
    const flow = record({ metric: 'menstrual_flow', value: 3 });
    expect(codes(read({ records: [flow] }, { scopes: defaultScopes }))).toEqual(['out_of_scope']);
    expect(
      codes(
        read({ daily: [{ metric: 'pregnancy', date: '2026-03-01', value: 1 }] }, { scopes: defaultScopes }),
      ),
    ).toEqual(['out_of_scope']);
    expect(codes(read({ records: [flow] }, { scopes: ['reproductive_health'] }))).toEqual([]);
  });

  test.each([
    ['menstrual_flow', 1.5],
    ['menstrual_flow', 5],
    ['ovulation_test', -1],
    ['contraception', 0.001],
  ])('rejects %s %d, which is no level', (metric, value) => {
    expect(codes(read({ records: [record({ metric, value })] }))).toEqual(['out_of_range']);
  });

  test('rejects readings outside the scopes of the session', () => {
    const batch = read({ records: [record({}), record({ metric: 'steps' })] }, { scopes: ['vitals'] });
    expect(codes(batch)).toEqual(['out_of_scope']);
  });
});

test('keeps the date of totals and accepts days that have begun in any time zone', () => {
  const daily = ['2026-03-01', '2026-03-04', '2026-03-05', '1969-12-31'].map((date) => ({
    metric: 'steps',
    date,
    value: 9,
  }));
  const batch = read({ daily });
  expect(batch.totals.map(({ day }) => day)).toEqual([20_513, 20_516]);
  expect(codes(batch)).toEqual(['invalid_time', 'invalid_time']);
  expect(batch.totals[0]).toMatchObject({ metricNo: findMetric('steps')!.no, micros: 9e6 });
});

test('keeps the plausible values of sessions and rejects the others', () => {
  const night = { id: 'n', start: '2026-03-01T22:00:00Z', end: '2026-03-02T06:00:00Z' };
  const batch = read({
    sleep: [
      { ...night, vitals: { sleep_heart_rate: 52, sleep_blood_oxygen: 400, steps: 3 } },
      { ...night, end: '2026-03-02T22:00:01Z' },
      { ...night, stages: [{ stage: 'deep', start: '2026-03-01T21:00:00Z', end: '2026-03-01T23:00:00Z' }] },
    ],
    workouts: [
      {
        id: 'w',
        sport_type: 'Running',
        start: night.start,
        end: night.end,
        values: { distance: 400, active_calories: 300 },
      },
    ],
  });
  expect(batch.sleep).toMatchObject([{ id: 'n', vitals: { sleep_heart_rate: 52 } }]);
  expect(batch.workouts).toMatchObject([{ sport: 'running', values: { active_calories: 300 } }]);
  expect(codes(batch)).toEqual([
    'out_of_range',
    'not_accepted',
    'invalid_time',
    'invalid_time',
    'out_of_range',
  ]);
});

test('drops heart rate readings outside their workout', () => {
  const { workouts, rejections } = read({
    workouts: [
      {
        id: 'w',
        sport_type: 'running',
        start: '2026-03-02T07:00:00Z',
        end: '2026-03-02T07:00:10Z',
        heart_rate: { start: '2026-03-02T06:59:55Z', interval_seconds: 5, values: [90, 100, 300, 110, 120] },
      },
    ],
  });
  expect(workouts[0]!.heartRate).toEqual({ offsetsMs: [0, 10_000], bpm: [100, 110] });
  expect(rejections.count).toBe(3);
});

test('lists at most 100 rejections but counts all of them', () => {
  const batch = read({ records: Array.from({ length: 150 }, () => record({ value: 999 })) });
  expect(batch.rejections.listed).toHaveLength(100);
  expect(batch.rejections.count).toBe(150);
});

test('counts every value of an upload toward its limit', () => {
  const body = {
    batch_id: facts.batchId,
    device,
    series: [series({ values: [1, 2, 3] })],
    records: [record({})],
    daily: [{ metric: 'steps', date: '2026-03-01', value: 1 }],
    deletions: [{ kind: 'sleep' as const, id: 'x' }],
  };
  expect(countValues(body)).toBe(6);
});
