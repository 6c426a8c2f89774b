import { readBatch } from '@tributary/domain';
import { scopes as allScopes } from '@tributary/contract';
import type { Day, Lab, Sleep } from '@tributary/lab';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, UserApi } from '../provider.ts';
import { connectInLab, readAll, startTestLab } from '../test/lab-api.ts';
import { oura } from './index.ts';
import { streams } from './streams.ts';

const dayMs = 86_400_000;
let lab: Lab;
const apis = new Map<string, UserApi>();

beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

async function apiOf(person: string): Promise<UserApi> {
  const known = apis.get(person) ?? (await connectInLab(lab, oura, person));
  apis.set(person, known);
  return known;
}

/** A stream's data for some days, read as the service does: a span that includes only these days. */
async function readAndMap(
  person: string,
  stream: string,
  dates: readonly string[],
): Promise<BatchBuilder['lists']> {
  const [first, last] = [lab.truth(person, dates[0]!), lab.truth(person, dates.at(-1)!)];
  const span = { fromMs: first.start, toMs: last.end };
  return mapDocuments(stream, await readAll(oura, stream, await apiOf(person), span));
}

function mapDocuments(stream: string, documents: Documents): BatchBuilder['lists'] {
  const batch = new BatchBuilder();
  oura.streams.find(({ name }) => name === stream)!.map(documents, batch);
  return batch.lists;
}

function datesFrom(first: string, days: number): string[] {
  return Array.from({ length: days }, (_, day) =>
    new Date(Date.parse(first) + day * dayMs).toISOString().slice(0, 10),
  );
}

const minutesIn = (sleep: Sleep, ...stages: string[]): number =>
  sleep.stages
    .filter(({ stage }) => stages.includes(stage))
    .reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0);
const iso = (ms: number): string => new Date(ms).toISOString();
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Ordinary days, a clock change at night, one at midnight, an odd offset, and a flight out and back. */
const stays: [person: string, first: string, days: number][] = [
  ['ada', '2026-11-08', 6],
  ['ada', '2026-10-23', 5],
  ['hana', '2026-09-04', 5],
  ['gita', '2026-11-08', 4],
  ['dara', '2026-11-03', 7],
];

describe.each(stays)('%s from %s on', (person, first, count) => {
  const dates = datesFrom(first, count);
  const days = (): Day[] => dates.map((date) => lab.truth(person, date));

  test('maps every sleep once, with its minutes, stages and vitals', async () => {
    const { sleep, deletions } = await readAndMap(person, 'sleep', dates);
    expect(deletions).toEqual([]);
    const byEnd = new Map(sleep.map((one) => [one.end, one]));
    expect(byEnd.size).toBe(sleep.length);
    const sleeps = days().flatMap((day) => day.sleeps);
    expect(sleeps.length).toBeGreaterThanOrEqual(dates.length - 1);
    for (const real of sleeps) {
      const session = byEnd.get(iso(real.end))!;
      expect(session.start).toBe(iso(real.start));
      expect(session.minutes).toEqual({
        asleep: minutesIn(real, 'light', 'deep', 'rem'),
        deep: minutesIn(real, 'deep'),
        light: minutesIn(real, 'light'),
        rem: minutesIn(real, 'rem'),
        awake: minutesIn(real, 'awake'),
        in_bed: (real.end - real.start) / 60_000,
      });
      expect(session.stages).toEqual(
        real.stages.map(({ stage, start, end }) => ({ stage, start: iso(start), end: iso(end) })),
      );
      expect(session.vitals).toEqual({
        sleep_latency: (real.stages[0]!.end - real.start) / 60_000,
        sleep_heart_rate: real.averageHeartRate,
        sleep_heart_rate_min: real.lowestHeartRate,
        ...(real.end - real.start >= 3 * 3_600_000 && { sleep_heart_rate_variability: real.averageHrv }),
        sleep_respiratory_rate: real.respiratoryRate,
      });
    }
  });

  test('maps the lowest heart rate and the variability of the main sleep to each day', async () => {
    const { daily } = await readAndMap(person, 'sleep', dates);
    for (const { date, sleeps } of days()) {
      const main = sleeps.find(({ isMain }) => isMain);
      expect(daily.filter((one) => one.date === date)).toEqual(
        main
          ? [
              { metric: 'resting_heart_rate', date, value: main.lowestHeartRate },
              { metric: 'heart_rate_variability_rmssd', date, value: main.averageHrv },
            ]
          : [],
      );
    }
  });

  test('maps daily steps from four to four, as Oura counts them', async () => {
    const { daily } = await readAndMap(person, 'daily_activity', dates);
    for (const day of days().slice(0, -1)) {
      const tomorrow = datesFrom(day.date, 2)[1]!;
      const [from, to] = [fourAt(day.date, day.timezone), fourAt(tomorrow, day.timezone)];
      const steps = [day, lab.truth(person, tomorrow)].flatMap(({ start, hourlySteps }) =>
        hourlySteps.filter((_, hour) => {
          const atMs = start + hour * 3_600_000;
          return atMs >= from && atMs < to;
        }),
      );
      expect(daily.filter(({ metric, date }) => metric === 'steps' && date === day.date)).toEqual([
        { metric: 'steps', date: day.date, value: sum(steps) },
      ]);
    }
  });

  test('maps heart rate every five minutes, without duplicates', async () => {
    const { series } = await readAndMap(person, 'heartrate', dates);
    const points = series.flatMap(pointsOf);
    expect(points).toEqual(days().flatMap(({ heartRate }) => heartRate.map(({ at, value }) => [at, value])));
    const [from, to] = [days()[0]!.start, days().at(-1)!.end];
    const asleep = (await readAndMap(person, 'sleep', dates)).series
      .filter(({ metric }) => metric === 'heart_rate')
      .flatMap(pointsOf)
      .filter(([at]) => at >= from && at < to);
    expect(asleep.length).toBeGreaterThan(100);
    const known = new Map(points);
    expect(asleep.filter(([at, bpm]) => known.get(at) !== bpm)).toEqual([]);
  });

  test('maps workouts in kilometers', async () => {
    const { workouts } = await readAndMap(person, 'workout', dates);
    const [from, to] = [iso(days()[0]!.start), iso(days().at(-1)!.end)];
    expect(workouts.filter(({ start }) => start >= from && start < to)).toEqual(
      days()
        .flatMap((day) => day.workouts)
        .map((real) =>
          expect.objectContaining({
            sport_type: real.sport === 'strength' ? 'strength_training' : real.sport,
            start: iso(real.start),
            end: iso(real.end),
            values: {
              active_calories: real.activeKcal,
              ...(real.distanceM !== null && { distance: real.distanceM / 1000 }),
            },
          }),
        ),
    );
  });

  test('maps the temperature deviation of each night, not that of the trend', async () => {
    const { daily } = await readAndMap(person, 'daily_readiness', dates);
    const deviations = daily.filter(
      ({ metric, date }) => metric === 'sleep_temperature_deviation' && dates.includes(date),
    );
    const nights = days().filter(({ sleeps }) => sleeps.some(({ isMain }) => isMain));
    expect(deviations.map(({ date, value }) => [date, value])).toEqual(
      nights.map(({ date, temperatureDeviationC }) => [date, temperatureDeviationC + 0]),
    );
  });

  test('maps oxygen, stress and fitness of each day', async () => {
    const daily = [];
    for (const stream of ['daily_spo2', 'daily_stress', 'vo2_max'])
      daily.push(...(await readAndMap(person, stream, dates)).daily);
    for (const { date, sleeps, ...real } of days()) {
      const main = sleeps.find(({ isMain }) => isMain);
      const dayValues = daily.filter((one) => one.date === date).map(({ metric, value }) => [metric, value]);
      expect(Object.fromEntries(dayValues)).toEqual({
        ...(main && {
          sleep_blood_oxygen: main.bloodOxygenPercent,
          breathing_disturbances: main.disturbances,
        }),
        device_stress_high_time: real.stressHighSeconds / 60,
        device_recovery_time: real.recoveryHighSeconds / 60,
        vo2_max: real.vo2Max,
      });
    }
  });

  test.each(oura.streams.map(({ name }) => name))('rejects no data of %s', async (stream) => {
    const lists = await readAndMap(person, stream, dates);
    expect(Object.values(lists).some((list) => list.length > 0)).toBe(true);
    const batchId = '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10';
    const now = lab.clock.now();
    const { rejections } = readBatch(
      { device: { provider: 'oura', id: 'x', kind: 'ring' }, ...lists },
      { batchId, createdMs: now, receivedMs: now, scopes: allScopes },
    );
    expect(rejections.listed).toEqual([]);
  });
});

function fourAt(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: '04:00' }).epochMilliseconds;
}

function pointsOf(series: BatchBuilder['lists']['series'][number]): [number, number][] {
  return series.values.map((value, at) => [
    Date.parse(series.start) + series.offsets_seconds![at]! * 1000,
    value,
  ]);
}

test('reads today, which a plain end date would exclude', async () => {
  const span = { fromMs: lab.clock.now() - 3_600_000, toMs: lab.clock.now() };
  const { daily } = mapDocuments('daily_sleep', await readAll(oura, 'daily_sleep', await apiOf('eve'), span));
  // In Auckland it is already tomorrow.
  expect(daily.map(({ date }) => date)).toContain('2026-11-15');
  const { sleep } = mapDocuments('sleep', await readAll(oura, 'sleep', await apiOf('ada'), span));
  expect(sleep.map(({ end }) => end)).toContain(
    iso(lab.truth('ada', '2026-11-15').sleeps.find(({ isMain }) => isMain)!.end),
  );
});

test('reads a long span in pages, with each sleep once', async () => {
  const span = { fromMs: Date.parse('2026-06-01T00:00Z'), toMs: Date.parse('2026-09-01T00:00Z') };
  const pages: Documents[] = [];
  for await (const page of streams[0]!.read(await apiOf('ada'), span)) pages.push(page);
  expect(pages.length).toBeGreaterThan(1);
  const documents = pages.flat() as { day: string; sleeps: { id: string }[] }[];
  expect(new Set(documents.map(({ day }) => day)).size).toBe(documents.length);
  const ids = documents.flatMap(({ sleeps }) => sleeps.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const real = datesFrom('2026-06-01', 90).flatMap((date) => lab.truth('ada', date).sleeps);
  expect(ids.length).toBeGreaterThanOrEqual(real.length);
});

test('replaces an edited sleep, and deletes a rejected or deleted one', async () => {
  await using revised = await startTestLab({ faults: [{ kind: 'revised', rate: 1, provider: 'oura' }] });
  const span = { fromMs: Date.parse('2026-05-01T00:00Z'), toMs: Date.parse('2026-09-01T00:00Z') };
  const before = mapDocuments('sleep', await readAll(oura, 'sleep', await apiOf('ada'), span));
  const documents = await readAll(oura, 'sleep', await connectInLab(revised, oura), span);
  const after = mapDocuments('sleep', documents);
  const ids = new Set(before.sleep.map(({ id }) => id));
  expect(new Set([...after.sleep, ...after.deletions].map(({ id }) => id))).toEqual(ids);
  const types = (documents as { sleeps: { type: string }[] }[]).flatMap(({ sleeps }) =>
    sleeps.map(({ type }) => type),
  );
  for (const type of ['rest', 'deleted']) expect(types).toContain(type);
  expect(after.deletions).toHaveLength(types.filter((type) => type === 'rest' || type === 'deleted').length);
  const starts = new Map(before.sleep.map(({ id, start }) => [id, start]));
  expect(after.sleep.some(({ id, start }) => start > starts.get(id)!)).toBe(true);
}, 20_000);
