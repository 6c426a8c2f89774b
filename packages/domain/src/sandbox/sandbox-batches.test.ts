import { archetypes, batchLimits, scopes, type BatchWire } from '@tributary/contract';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { countValues, readBatch } from '../batch/read-batch.ts';
import { dayEndMs, dayStartMs, parseDay } from '../days.ts';
import { sandboxBatches, type SandboxBatch, type SandboxSpan } from './sandbox-batches.ts';
import { truthOf } from './day/truth.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A span of whole days from a date. */
function spanOf(firstDate: string, days: number, over: Partial<SandboxSpan> = {}): SandboxSpan {
  const firstDay = parseDay(firstDate)!;
  const timezone = over.timezone ?? 'Europe/Berlin';
  const toMs = dayEndMs(firstDay + days - 1, timezone);
  return { seed: '3fa2b1c0', archetype: 'athlete', firstDay, timezone, fromMs: 0, toMs, ...over };
}

const of = (batches: SandboxBatch[], kind: string) => batches.find(({ device }) => device.kind === kind)!;

/** All reported values by `device metric time`, and sessions by ID. Throws if something is reported twice. */
function collectReports(batches: SandboxBatch[]): Map<string, unknown> {
  const all = new Map<string, unknown>();
  const add = (key: string, value: unknown) => {
    if (all.has(key)) throw new Error(`${key} is reported twice`);
    all.set(key, value);
  };
  for (const { device, series, records, daily, sleep, workouts } of batches) {
    const source = `${device.provider} ${device.kind}`;
    for (const { metric, start, interval_seconds: seconds, values } of series)
      values.forEach((value, at) =>
        add(`${source} ${metric} ${Date.parse(start) + at * seconds! * 1000}`, value),
      );
    for (const { metric, start, value } of records) add(`${source} ${metric} ${Date.parse(start)}`, value);
    for (const { metric, date, value } of daily) add(`${source} ${metric} ${date}`, value);
    for (const session of [...sleep, ...workouts]) add(`${source} ${session.id}`, JSON.stringify(session));
  }
  return all;
}

/** The sum of a metric over everything a device reports. */
function total(batch: SandboxBatch, metric: string): number {
  const inSeries = batch.series.flatMap((one) => (one.metric === metric ? one.values : []));
  const single = [...batch.records, ...batch.daily];
  const inRecords = single.flatMap((one) => (one.metric === metric ? [one.value] : []));
  return [...inSeries, ...inRecords].reduce((sum, value) => sum + value, 0);
}

function rejectionsOf(batch: SandboxBatch, receivedMs: number): unknown[] {
  const batchId = '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10';
  const body = { batch_id: batchId, ...batch } as BatchWire;
  const read = readBatch(body, { batchId, createdMs: receivedMs, receivedMs, scopes });
  expect(read.repeats).toBe(0);
  return read.rejections.listed;
}

/** Weeks with clock changes: by an hour, by half an hour, at midnight, and by a skipped day. */
const weeks = [
  ['2026-03-25', 'Europe/Berlin'],
  ['2026-10-20', 'America/New_York'],
  ['2026-10-28', 'America/New_York'],
  ['2026-03-30', 'Australia/Lord_Howe'],
  ['2026-10-01', 'Australia/Lord_Howe'],
  ['2018-11-01', 'America/Sao_Paulo'],
  ['2011-12-26', 'Pacific/Apia'],
  ['2026-01-05', 'Asia/Kathmandu'],
] as const;

describe.each(archetypes)('uploads of %s', (archetype) => {
  const spans = weeks.flatMap(([date, timezone]) =>
    (inject('thorough') ? ['1', '2', '3'] : ['1']).map((seed) =>
      spanOf(date, 7, { archetype, timezone, seed }),
    ),
  );
  const uploads = spans.map((span) => ({ span, batches: sandboxBatches(span) }));

  test('are accepted without rejections', () => {
    for (const { span, batches } of uploads) {
      expect(batches.length).toBeGreaterThanOrEqual(3);
      for (const batch of batches) {
        expect(rejectionsOf(batch, span.toMs)).toEqual([]);
        expect(countValues(batch as BatchWire)).toBeLessThanOrEqual(batchLimits.values);
      }
    }
  });

  test('report every instant once and contain no overlapping sessions', () => {
    for (const { batches } of uploads) {
      collectReports(batches);
      for (const { sleep, workouts } of batches) {
        const sessions = [...sleep, ...workouts].sort((a, b) => (a.start < b.start ? -1 : 1));
        sessions.forEach(({ start }, at) => {
          if (at > 0) expect(sessions[at - 1]!.end <= start).toBe(true);
        });
      }
    }
  });
});

describe('a week', () => {
  const span = spanOf('2026-03-02', 7);
  const batches = sandboxBatches(span);
  const truth = truthOf(span, 0, 6);
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

  test('consists of one upload per device', () => {
    expect(batches.map(({ device }) => [device.id, device.provider, device.kind])).toEqual([
      ['cloud', 'oura', 'ring'],
      ['cloud', 'withings', 'scale'],
      ['watch-40da15e3', 'apple_health', 'watch'],
      ['phone-828604d6', 'apple_health', 'phone'],
    ]);
  });

  test('consists of uploads of Health Connect for people with an Android phone', () => {
    for (const other of [{ archetype: 'older_adult' }, { platform: 'android' }] as const)
      expect(sandboxBatches({ ...span, ...other }).map(({ device }) => device.provider)).toEqual([
        'oura',
        'withings',
        'health_connect',
        'health_connect',
      ]);
  });

  test('is reproducible to the byte', () => {
    expect(JSON.stringify(sandboxBatches(span))).toBe(JSON.stringify(batches));
    expect(JSON.stringify(sandboxBatches({ ...span, seed: '3fa2b1c1' }))).not.toBe(JSON.stringify(batches));
  });

  test('begins with the night before its first day, and an Android watch reports every night too', () => {
    const android = sandboxBatches({ ...span, platform: 'android' });
    const ids = ['02', '03', '04', '05', '06', '07', '08'].map((day) => `sleep-2026-03-${day}`);
    expect(of(batches, 'watch').sleep).toEqual([]);
    expect(of(android, 'watch').sleep.map(({ id }) => id)).toEqual(ids);
    expect(of(batches, 'ring').sleep.flatMap(({ id }) => (id.startsWith('sleep') ? [id] : []))).toEqual(ids);
    expect(Date.parse(of(batches, 'ring').sleep[0]!.start)).toBeLessThan(
      dayStartMs(span.firstDay, span.timezone),
    );
  });

  test('reports steps close to the truth on every device, with the fewest on the phone', () => {
    const walked = sum(truth.flatMap(({ steps }) => steps));
    const share = (kind: string) => total(of(batches, kind), 'steps') / walked;
    expect(share('watch')).toBeGreaterThan(0.85);
    expect(share('watch')).toBeLessThan(1);
    expect(Math.abs(share('ring') - 1.05)).toBeLessThan(0.1);
    expect(share('phone')).toBeGreaterThan(0.5);
    expect(share('phone')).toBeLessThan(1);
  });

  test('reports all food and drink', () => {
    for (const metric of ['dietary_energy', 'protein', 'fiber', 'sodium', 'potassium', 'water'] as const)
      expect(total(of(batches, 'phone'), metric)).toBe(sum(truth.map(({ food }) => food[metric])));
    for (const metric of ['added_sugar', 'fat_saturated'] as const)
      expect(total(of(batches, 'phone'), metric)).toBe(sum(truth.map(({ food }) => food[metric])));
  });

  test('reports the resting energy of every day, in whole kilocalories', () => {
    // Mifflin-St Jeor: 10 × 74 kg + 6.25 × 181 cm − 5 × 27 years + 5.
    expect(total(of(batches, 'watch'), 'resting_energy')).toBe(7 * 1741);
    const active = of(batches, 'watch').series.filter(({ metric }) => metric === 'active_calories');
    expect(active.flatMap(({ values }) => values).every(Number.isInteger)).toBe(true);
  });

  test('reports a workout trace that matches the heart rate of the day', () => {
    const { workouts, series } = of(batches, 'watch');
    expect(workouts.map(({ id, sport_type: sport }) => `${id} ${sport}`)).toEqual([
      'workout-2026-03-02 running',
      'workout-2026-03-03 swimming',
      'workout-2026-03-04 running',
      'workout-2026-03-05 strength_training',
      'workout-2026-03-06 cycling',
      'workout-2026-03-07 cycling',
    ]);
    const slots = new Map(
      series.flatMap(({ metric, start, values }) =>
        metric === 'heart_rate'
          ? values.map((bpm, at) => [Date.parse(start) + at * 300_000, bpm] as const)
          : [],
      ),
    );
    for (const { start, end, heart_rate: trace } of workouts) {
      expect(trace!.values).toHaveLength((Date.parse(end) - Date.parse(start)) / 60_000);
      trace!.values.forEach((bpm, minute) => {
        const slotMs = Math.floor((Date.parse(start) + minute * 60_000) / 300_000) * 300_000;
        expect(Math.abs(bpm - slots.get(slotMs)!)).toBeLessThanOrEqual(3);
      });
    }
  });

  test('reports distances only for workouts that cover ground', () => {
    const speeds = of(batches, 'watch').workouts.map(({ sport_type: sport, values }) => [
      sport,
      values!['distance'] === undefined
        ? null
        : Math.round((values!['distance'] * 60) / values!['duration']!),
    ]);
    expect(speeds).toEqual([
      ['running', 10],
      ['swimming', 2],
      ['running', 10],
      ['strength_training', null],
      ['cycling', 25],
      ['cycling', 26],
    ]);
  });

  test('reports no heart rate variability during workouts, and none by day on the watch', () => {
    const readings = (kind: string) =>
      of(batches, kind).series.flatMap(({ metric, start, values }) =>
        metric === 'heart_rate_variability_rmssd'
          ? values.map((_, at) => Date.parse(start) + at * 300_000)
          : [],
      );
    for (const { start, end } of of(batches, 'watch').workouts) {
      const inside = (ms: number) => ms >= Date.parse(start) && ms < Date.parse(end);
      expect([...readings('ring'), ...readings('watch')].filter(inside)).toEqual([]);
    }
    expect(readings('ring').length).toBe(7 * 288 - (55 + 60 + 70 + 60 + 75 + 180) / 5);
    expect(readings('watch').length).toBeLessThan(7 * 130);
  });
});

describe('devices that share a health store', () => {
  const batches = sandboxBatches(spanOf('2026-03-02', 14));
  const slotsOf = (kind: string) =>
    new Map(
      batches
        .filter(({ device }) => device.kind === kind)
        .flatMap(({ series }) => series)
        .flatMap(({ metric, start, values }) =>
          metric === 'steps'
            ? values.map((value, at) => [Date.parse(start) + at * 300_000, value] as const)
            : [],
        ),
    );
  const [watch, phone] = [slotsOf('watch'), slotsOf('phone')];

  test('count most steps twice, and each counts some that the other misses', () => {
    const sum = (slots: Map<number, number>, isIncluded: (timeMs: number) => boolean) =>
      [...slots].reduce((all, [timeMs, value]) => all + (isIncluded(timeMs) ? value : 0), 0);
    const all = sum(watch, () => true);
    expect(sum(watch, (timeMs) => phone.has(timeMs)) / all).toBeGreaterThan(0.5);
    expect(sum(watch, (timeMs) => !phone.has(timeMs)) / all).toBeGreaterThan(0.15);
    expect(sum(phone, (timeMs) => !watch.has(timeMs)) / all).toBeGreaterThan(0.02);
  });
});

describe('metrics of simulated users', () => {
  /** Daily metrics and sleep values that the interface names, and those that they are computed from. */
  const named = [
    'steps',
    'distance',
    'resting_heart_rate',
    'heart_rate',
    'heart_rate_variability_rmssd',
    'active_calories',
    'resting_energy',
    'blood_oxygen',
    'exercise',
    'weight',
    'lean_body_mass',
    'sleep_skin_temperature',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
  ];
  const onlyIos = ['heart_rate_variability', 'sleep_body_temperature'];
  const reportedBy = (batches: SandboxBatch[]) =>
    new Set(
      batches.flatMap(({ series, records, daily, sleep }) => [
        ...[...series, ...records, ...daily].map(({ metric }) => metric),
        ...sleep.flatMap(({ vitals }) => Object.keys(vitals ?? {})),
      ]),
    );

  test.each(archetypes)('include those that the interface names for %s', (archetype) => {
    const metrics = reportedBy(sandboxBatches(spanOf('2026-03-02', 7, { archetype })));
    for (const metric of named) expect(metrics).toContain(metric);
    const isIos = sandboxBatches(spanOf('2026-03-02', 1, { archetype })).some(
      ({ device }) => device.provider === 'apple_health',
    );
    if (isIos) for (const metric of onlyIos) expect(metrics).toContain(metric);
  });

  test('include details of workouts', () => {
    const { workouts } = of(sandboxBatches(spanOf('2026-03-02', 7)), 'watch');
    const keysOf = (sport: string) =>
      Object.keys(workouts.find(({ sport_type }) => sport_type === sport)!.values!);
    expect(keysOf('running')).toEqual(
      expect.arrayContaining(['steps', 'avg_mets', 'elevation_gain', 'weather_temperature_c']),
    );
    expect(keysOf('swimming')).toEqual(
      expect.arrayContaining(['avg_mets', 'swimming_lap_length_m', 'swimming_stroke_count']),
    );
  });
});

describe('weigh-ins', () => {
  test('happen on three of five mornings', () => {
    const batches = sandboxBatches(spanOf('2026-01-01', 200, { archetype: 'office_worker' }));
    const weights = batches.flatMap(({ records }) => records.filter(({ metric }) => metric === 'weight'));
    expect(weights.length).toBeGreaterThan(100);
    expect(weights.length).toBeLessThan(140);
    const mean = weights.reduce((sum, { value }) => sum + value, 0) / weights.length;
    expect(mean).toBeCloseTo(66, 0);
  });
});

describe('days of unusual length', () => {
  const timesOf = (date: string, kind: string, metric: string) =>
    of(sandboxBatches(spanOf(date, 1)), kind).series.flatMap((one) =>
      one.metric === metric ? [[one.start, one.values.length] as const] : [],
    );

  test('has no samples after the end of a short day', () => {
    expect(timesOf('2026-03-29', 'ring', 'heart_rate')).toEqual([['2026-03-28T23:00:00.000Z', 276]]);
    expect(timesOf('2026-03-29', 'watch', 'resting_energy')).toEqual([['2026-03-28T23:00:00.000Z', 23]]);
  });

  test('has no samples in the last hour of a long day', () => {
    expect(timesOf('2026-10-25', 'ring', 'heart_rate')).toEqual([['2026-10-24T22:00:00.000Z', 288]]);
  });

  test('has no samples on a skipped day', () => {
    const lengthOf = (days: number) =>
      collectReports(sandboxBatches(spanOf('2011-12-29', days, { timezone: 'Pacific/Apia' }))).size;
    expect(lengthOf(2)).toBe(lengthOf(1));
    expect(lengthOf(3)).toBeGreaterThan(lengthOf(2));
  });
});

describe('a span', () => {
  test('has no data if it is empty or ends before the first day', () => {
    const span = spanOf('2026-03-02', 3);
    const startMs = dayStartMs(span.firstDay, span.timezone);
    expect(sandboxBatches({ ...span, toMs: startMs })).toEqual([]);
    expect(sandboxBatches({ ...span, fromMs: span.toMs })).toEqual([]);
    expect(sandboxBatches({ ...span, fromMs: span.toMs + dayMs })).toEqual([]);
  });

  test('reports a slot only after it ends', () => {
    const span = spanOf('2026-03-02', 1);
    const startMs = dayStartMs(span.firstDay, span.timezone);
    const slots = (minutes: number) =>
      of(sandboxBatches({ ...span, toMs: startMs + minutes * 60_000 }), 'ring').series.find(
        ({ metric }) => metric === 'heart_rate',
      )!.values.length;
    expect([slots(5), slots(9.99), slots(10), slots(700)]).toEqual([1, 1, 2, 140]);
  });

  test('stays within the upload limits if it is long', () => {
    const batches = sandboxBatches(spanOf('2026-03-02', 40));
    expect(batches.filter(({ device }) => device.kind === 'watch')).toHaveLength(3);
    for (const batch of batches)
      expect(countValues(batch as BatchWire)).toBeLessThanOrEqual(batchLimits.values);
    collectReports(batches);
  });

  test('reports the same data in three parts as in one', () => {
    const anySplit = fc.record({
      seed: fc.string({ maxLength: 12 }),
      archetype: fc.constantFrom(...archetypes),
      week: fc.constantFrom(...weeks),
      hours: fc.tuple(fc.double({ min: 0, max: 96, noNaN: true }), fc.nat(96)),
    });
    fc.assert(
      fc.property(anySplit, ({ seed, archetype, week: [date, timezone], hours }) => {
        const span = spanOf(date, 4, { seed, archetype, timezone });
        const startMs = dayStartMs(span.firstDay, timezone);
        const splitTimes = [...hours]
          .sort((a, b) => a - b)
          .map((hour) => startMs + Math.round(hour * hourMs));
        const edges = [span.fromMs, ...splitTimes, Math.max(span.toMs, splitTimes[1]!)];
        const parts = [0, 1, 2].map((at) => ({ ...span, fromMs: edges[at]!, toMs: edges[at + 1]! }));
        expect(collectReports(parts.flatMap(sandboxBatches))).toEqual(
          collectReports(sandboxBatches({ ...span, toMs: edges[3]! })),
        );
      }),
      { numRuns: inject('thorough') ? 40 : 8 },
    );
  });
});
