import { expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import { polar } from './index.ts';
import { connectPolar } from './test-client.ts';

const startAt = Date.parse('2026-04-20T13:00:00Z');
const day = 86_400_000;
const start = () => startLab({ providers: [polar], startAt });

test('returns at most 28 days at once, going back one year or 28 days', async () => {
  await using lab = await start();
  const ada = await connectPolar(lab, 'ada');
  const status = async (path: string) => (await ada.get(`/users/${path}`)).status;
  expect((await ada.get('/users/activities')).body).toHaveLength(28);
  expect(await status('activities?from=2026-02-01&to=2026-02-28')).toBe(200);
  expect(await status('activities?from=2026-02-01&to=2026-03-01')).toBe(400);
  expect(await status('activities?from=2025-04-21&to=2025-04-22')).toBe(200);
  expect(await status('activities?from=2025-04-20&to=2025-04-22')).toBe(400);
  expect(await status('activities?from=2026-02-02&to=2026-02-01')).toBe(400);
  expect(await status('activities?from=yesterday')).toBe(400);
  expect(await status('continuous-heart-rate?from=2026-03-24&to=2026-03-25')).toBe(200);
  expect(await status('continuous-heart-rate?from=2026-03-23&to=2026-03-24')).toBe(400);
  expect((await ada.get('/users/sleep')).body.nights.map(({ date }: { date: string }) => date)[0]).toBe(
    '2026-03-24',
  );
  expect(await status('sleep/2026-03-24')).toBe(200);
  expect(await status('sleep/2026-03-23')).toBe(204);
  expect(await status('sleep/2026-04-21')).toBe(204);
  expect(await status('activities/2026-04-21')).toBe(204);
});

test('returns an exercise that was uploaded after the registration and in the last thirty days', async () => {
  await using lab = await start();
  const ada = await connectPolar(lab, 'ada');
  expect((await ada.get('/exercises')).body).toEqual([]);
  await lab.clock.advance(60 * day);
  const startTimes = (await ada.get('/exercises')).body.map(
    ({ start_time: at }: { start_time: string }) => at,
  );
  const workouts = Array.from({ length: 31 }, (_, back) =>
    lab.truth('ada', new Date(lab.clock.now() - back * day).toISOString().slice(0, 10)),
  ).flatMap((one) => one.workouts);
  const inside = workouts.filter(
    ({ end }) => end > lab.clock.now() - 30 * day && end < lab.clock.now() - 1_200_000,
  );
  expect(inside.length).toBeGreaterThan(3);
  expect(startTimes.map((at: string) => Date.parse(`${at}+02:00`)).toSorted()).toEqual(
    inside.map((workout) => workout.start).toSorted(),
  );
});

test('grows a day with each sync of the device', async () => {
  await using lab = await start();
  const ada = await connectPolar(lab, 'ada');
  const steps = async () => (await ada.get('/users/activities/2026-04-21')).body?.steps;
  expect(await steps()).toBeUndefined();
  const truth = lab.truth('ada', '2026-04-21');
  await lab.clock.moveTo(truth.start + 12.5 * 3_600_000);
  const sum = (hours: number) => truth.hourlySteps.slice(0, hours).reduce((all, each) => all + each, 0);
  expect(await steps()).toBe(sum(12));
  const { body } = await ada.get('/users/continuous-heart-rate/2026-04-21');
  expect(body.heart_rate_samples).toHaveLength(144);
  await lab.clock.moveTo(truth.start + 18.5 * 3_600_000);
  expect(await steps()).toBe(sum(18));
  await lab.clock.moveTo(truth.end + 1_800_000);
  expect(await steps()).toBe(truth.steps);
});

test('changes values with a revision', async () => {
  await using lab = await startLab({ providers: [polar], startAt, faults: [{ kind: 'revised', rate: 1 }] });
  const ada = await connectPolar(lab, 'ada');
  const truth = lab.truth('ada', '2026-04-15');
  const night = (await ada.get('/users/sleep/2026-04-15')).body;
  expect(Date.parse(night.sleep_start_time)).toBeGreaterThan(truth.sleeps[0]!.start);
  expect(Date.parse(night.sleep_end_time)).toBe(truth.sleeps[0]!.end);
  expect((await ada.get('/users/activities/2026-04-15')).body.steps).toBeGreaterThan(truth.steps);
});
