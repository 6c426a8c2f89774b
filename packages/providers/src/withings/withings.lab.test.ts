import type { Day, Lab } from '@tributary/lab';
import { describe, expect, test, vi } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { UserApi } from '../provider.ts';
import { connectInLab, readAll, startTestLab } from '../test/lab-api.ts';
import { withings } from './index.ts';
import { sports } from './map/sports.ts';

// Reading weeks of simulated data over HTTP takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const dayMs = 86_400_000;

/** A week with days echoed from a phone, one with a clock change, one that begins at 01:00, and a trip. */
const weeks = [
  ['gita', '2026-10-17'],
  ['ada', '2026-10-22'],
  ['hana', '2026-09-03'],
  ['dara', null],
] as const;

describe.each(weeks)('%s', (person, startDate) => {
  test('matches the ground truth', async () => {
    await using lab = await startTestLab();
    const first = startDate ?? departureOf(lab, person);
    const dates = Array.from({ length: 6 }, (_, at) => plusDays(first, at));
    const days = dates.map((date) => lab.truth(person, date));
    const span = { fromMs: days[0]!.start, toMs: days.at(-1)!.end };
    const api = await connectInLab(lab, withings, person);

    const { echoed, activity } = await readActivity(api, span);
    if (person === 'gita') expect([...echoed]).toEqual(['2026-10-18', '2026-10-19']);
    expect(echoed.size).toBeLessThan(dates.length);
    for (const day of days) expectDay(activity, day, echoed.has(day.date));

    const intraday = await readAndMap(api, 'intraday', span);
    for (const day of days) expectIntraday(intraday, day, echoed.has(day.date));

    const workouts = days.flatMap((day) => day.workouts);
    const mappedWorkouts = (await readAndMap(api, 'workouts', span)).lists.workouts;
    for (const workout of workouts) {
      const mappedWorkout = mappedWorkouts.find(({ start }) => start === iso(workout.start));
      expect(mappedWorkout).toMatchObject({
        end: iso(workout.end),
        values: {
          active_calories: Math.round(workout.activeKcal),
          heart_rate_avg: Math.round(workout.averageHeartRate),
          duration: (workout.end - workout.start) / 60_000,
          ...(workout.distanceM !== null && { distance: Math.round(workout.distanceM) / 1000 }),
        },
      });
      expect(mappedWorkout!.sport_type).toContain(workout.sport);
    }
    expect(new Set(mappedWorkouts.map(({ id }) => id)).size).toBe(mappedWorkouts.length);

    await lab.clock.advance(60_000);
    const sleeps = (await readAndMap(api, 'sleep', span)).lists.sleep;
    for (const sleep of days.flatMap((day) => day.sleeps)) {
      const session = sleeps.find(({ start }) => start === iso(sleep.start));
      const minutesIn = (stage: string) =>
        sleep.stages.filter((one) => one.stage === stage).reduce((sum, one) => sum + one.end - one.start, 0) /
        60_000;
      expect(session?.end).toBe(iso(sleep.end));
      expect(session?.minutes?.deep).toBeCloseTo(minutesIn('deep'), 1);
      expect(session?.minutes?.rem).toBeCloseTo(minutesIn('rem'), 1);
      expect(session?.minutes?.light).toBeCloseTo(minutesIn('light'), 1);
      expect(session?.minutes?.awake).toBeCloseTo(minutesIn('awake'), 1);
      expect(session?.stages?.map(({ stage }) => stage)).toEqual(sleep.stages.map(({ stage }) => stage));
      expect(session?.vitals?.['sleep_heart_rate']).toBe(Math.round(sleep.averageHeartRate));
      expect(session?.vitals?.['device_sleep_score']).toBeGreaterThan(0);
    }

    const measures = (await readAndMap(api, 'measures', span)).lists.records;
    const at = (metric: string, ms: number) =>
      measures.find((one) => one.metric === metric && one.start === iso(ms))?.value;
    for (const { bloodPressure } of days)
      if (bloodPressure) {
        expect(at('blood_pressure_systolic', bloodPressure.at)).toBe(bloodPressure.systolic);
        expect(at('blood_pressure_diastolic', bloodPressure.at)).toBe(bloodPressure.diastolic);
      }
    expect(measures.some(({ metric }) => metric === 'skin_temperature')).toBe(true);
  });
});

test("maps only the user's own weight, without uncertain measures and goals", async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, withings, 'ada');
  const span = { fromMs: lab.clock.now() - 179 * dayMs, toMs: lab.clock.now() };
  const documents = await readAll(withings, 'measures', api, span);
  // More than a page, so the second one was requested too.
  expect(documents.length).toBeGreaterThan(100);
  const batch = new BatchBuilder();
  withings.streams.find(({ name }) => name === 'measures')!.map(documents, batch);
  const weights = batch.lists.records.filter(({ metric }) => metric === 'weight');
  const doubtful = documents.filter((one) => (one as { attrib: number }).attrib === 1);
  expect(doubtful.length).toBeGreaterThan(0);
  const dates = Array.from({ length: 180 }, (_, at) => plusDays('2026-05-20', at));
  const truths = dates
    .flatMap((date) => lab.truth('ada', date).body ?? [])
    .filter(({ at }) => at >= span.fromMs && at < span.toMs);
  expect(weights.length).toBe(truths.length - doubtful.length);
  for (const { start, value } of weights)
    expect(truths.find(({ at }) => iso(at) === start)?.weightKg).toBe(value);
});

test('maps sleep before it is complete, and again under the same id', async () => {
  await using lab = await startTestLab();
  const night = lab.truth('ada', '2026-11-16').sleeps.find(({ isMain }) => isMain)!;
  const span = { fromMs: night.start, toMs: night.end };
  const seen = [];
  await lab.clock.moveTo(night.end);
  for (let at = 0; at < 20 && seen.length < 2; at += 1) {
    await lab.clock.advance(180_000);
    const [sleep] = (await readAndMap(await connectInLab(lab, withings), 'sleep', span)).lists.sleep;
    if (sleep && seen.at(-1)?.end !== sleep.end) seen.push(sleep);
  }
  expect(seen.map(({ end }) => end <= iso(night.end))).toEqual([true, true]);
  expect(seen[1]!.end).toBe(iso(night.end));
  expect(seen[0]!.id).toBe(seen[1]!.id);
  expect(seen[0]!.minutes!.asleep).toBeLessThan(seen[1]!.minutes!.asleep!);
});

async function readAndMap(
  api: UserApi,
  name: string,
  span: { fromMs: number; toMs: number },
): Promise<BatchBuilder> {
  const batch = new BatchBuilder();
  withings.streams.find((one) => one.name === name)!.map(await readAll(withings, name, api, span), batch);
  return batch;
}

async function readActivity(api: UserApi, span: { fromMs: number; toMs: number }) {
  const documents = await readAll(withings, 'activity', api, span);
  const echoed = documents.flatMap((one) => {
    const { brand, date } = one as { brand: number; date: string };
    return brand === 18 ? [date] : [];
  });
  return { echoed: new Set(echoed), activity: await readAndMap(api, 'activity', span) };
}

function expectDay({ lists }: BatchBuilder, day: Day, isEchoed: boolean): void {
  const value = (metric: string) =>
    lists.daily.find((one) => one.date === day.date && one.metric === metric)?.value;
  if (isEchoed) return expect(lists.daily.some(({ date }) => date === day.date)).toBe(false);
  expect(value('steps')).toBe(day.steps);
  expect(value('distance')).toBe(Math.round(day.distanceM) / 1000);
  expect(value('floors_climbed')).toBe(day.floors);
  expect(value('vigorous_intensity_activity')).toBe(day.activeSeconds.high / 60);
  expect(value('active_calories')).toBe(Math.round(day.activeKcal));
  expect(value('total_energy')).toBe(Math.round(day.activeKcal + day.basalKcal));
}

function expectIntraday({ lists }: BatchBuilder, day: Day, isEchoed: boolean): void {
  const isIn = (start: string) => start >= iso(day.start) && start < iso(day.end);
  const sum = (metric: string) =>
    lists.records
      .filter((one) => one.metric === metric && isIn(one.start))
      .reduce((total, { value }) => total + value, 0);
  const beats = lists.series
    .filter(({ metric }) => metric === 'heart_rate')
    .flatMap(({ start, offsets_seconds: offsets = [] }) =>
      offsets.map((seconds) => iso(Date.parse(start) + seconds * 1000)),
    );
  expect(sum('steps')).toBe(isEchoed ? 0 : day.steps);
  expect(sum('distance')).toBeCloseTo(isEchoed ? 0 : Math.round(day.distanceM) / 1000, 6);
  expect(beats.filter(isIn).length).toBe(isEchoed ? 0 : day.heartRate.length);
}

/** Two days before the person's first trip within the history. */
function departureOf(lab: Lab, person: string): string {
  const home = lab.truth(person, '2026-05-25').timezone;
  for (let date = '2026-05-25'; date < '2026-11-08'; date = plusDays(date, 1))
    if (lab.truth(person, date).timezone !== home) return plusDays(date, -2);
  throw new Error(`${person} stays at home`);
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

test('names every sport in the lab', () => {
  expect([1, 2, 6, 7, 16, 28].map((category) => sports[category])).toEqual([
    'walking',
    'running',
    'cycling',
    'swimming',
    'strength_training',
    'yoga',
  ]);
});
