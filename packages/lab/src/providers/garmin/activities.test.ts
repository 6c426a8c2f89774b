import { expect, it, vi } from 'vitest';
import { receive } from '../test-receiver.ts';
import { api, connect, noon, rowsOf, startGarmin, until } from './test-client.ts';
import type { TestRow } from './test-client.ts';

// Months of data for several people take a while to generate on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const day = 86_400_000;
const types = {
  running: 'RUNNING',
  cycling: 'CYCLING',
  swimming: 'LAP_SWIMMING',
  strength: 'STRENGTH_TRAINING',
  yoga: 'YOGA',
  walking: 'WALKING',
};

async function history(people: string[]) {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  const span = `summaryStartTimeInSeconds=${noon / 1000 - 30 * 86_400}&summaryEndTimeInSeconds=${noon / 1000}`;
  for (const person of people) {
    const { token } = await connect(lab, person);
    for (const type of ['activities', 'activityDetails'])
      expect((await api(lab, `/wellness-api/rest/backfill/${type}?${span}`, token)).status).toBe(202);
  }
  await until(() => lab.pushes.list().length >= 2 * people.length);
  await lab.pushes.idle();
  const personOf = (row: TestRow) =>
    lab.grants('garmin').find(({ userId }) => userId === row.userId)!.personId;
  const workouts = people.flatMap((person) =>
    Array.from({ length: 31 }, (_, ago) => new Date(noon - ago * day).toISOString().slice(0, 10)).flatMap(
      (date) => lab.truth(person, date).workouts.map((workout) => ({ person, ...workout })),
    ),
  );
  const truthOf = (row: TestRow, startSecond: number) =>
    workouts.find(({ person, start }) => person === personOf(row) && start / 1000 === startSecond);
  // A call may repeat the data of an earlier one.
  const once = (rows: TestRow[]) => [...new Map(rows.map((row) => [row.summaryId, row])).values()];
  return {
    activities: once(rowsOf(receiver, 'activities')),
    details: once(rowsOf(receiver, 'activityDetails')),
    truthOf,
  };
}

it('reports workouts that match the ground truth in meters, seconds and kilocalories', async () => {
  const { activities, details, truthOf } = await history(['ada', 'ben', 'chen']);
  const simple = activities.filter((row) => !row.isParent && !row.parentSummaryId);
  expect(simple.length).toBeGreaterThan(20);
  for (const row of simple) {
    const truth = truthOf(row, row.startTimeInSeconds)!;
    const seconds = (truth.end - truth.start) / 1000;
    expect(row).toMatchObject({
      activityType: types[truth.sport],
      durationInSeconds: seconds,
      activeKilocalories: truth.activeKcal,
      averageHeartRateInBeatsPerMinute: truth.averageHeartRate,
      maxHeartRateInBeatsPerMinute: truth.maxHeartRate,
      manual: false,
      ...(truth.distanceM !== null && {
        distanceInMeters: truth.distanceM,
        averageSpeedInMetersPerSecond: Math.round((1000 * truth.distanceM) / seconds) / 1000,
      }),
      ...(truth.elevationGainM !== null && { totalElevationGainInMeters: truth.elevationGainM }),
    });
    const detail = details.find((one) => one.activityId === row.activityId && one.userId === row.userId);
    const { userId: _, ...summary } = row;
    expect(detail.summary).toEqual(summary);
    expect(detail.samples).toEqual(
      truth.heartRate.map(({ at, value }) => ({
        startTimeInSeconds: at / 1000,
        heartRate: Math.round(value),
      })),
    );
  }

  // Some workouts consist of several sports. Counting both the parent and its children counts them twice.
  const parents = activities.filter((row) => row.isParent);
  expect(parents.length).toBeGreaterThan(0);
  for (const parent of parents) {
    const truth = truthOf(parent, parent.startTimeInSeconds)!;
    const children = activities.filter((row) => row.parentSummaryId === parent.summaryId);
    const sum = (name: string) => children.reduce((total, row) => total + row[name], 0);
    expect(parent).toMatchObject({ activityType: 'MULTI_SPORT', activeKilocalories: truth.activeKcal });
    expect(children.map((row) => row.activityType)).toEqual([types[truth.sport], types[truth.sport]]);
    expect([sum('activeKilocalories'), sum('durationInSeconds')]).toEqual([
      truth.activeKcal,
      (truth.end - truth.start) / 1000,
    ]);
    expect(children[1].startTimeInSeconds).toBe(
      children[0].startTimeInSeconds + children[0].durationInSeconds,
    );
  }
});

it('reports manual edits under their own key, and moved bedtimes', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver, { faults: [{ kind: 'revised', rate: 1 }] });
  await connect(lab, 'ada');
  await lab.clock.advance(8 * day);
  const first = rowsOf(receiver, 'activities');
  const changed = rowsOf(receiver, 'manuallyUpdatedActivities').filter((row) => row.manual);
  expect(changed.length).toBeGreaterThan(0);
  for (const row of changed) {
    const before = first.find((one) => one.activityId === row.activityId);
    if (before) expect(row.activeKilocalories).toBeGreaterThan(before.activeKilocalories);
  }
  const nights = rowsOf(receiver, 'sleeps').filter((row) => row.calendarDate === '2026-05-07');
  expect(nights.at(-1).validation).toBe('AUTO_MANUAL');
  expect(nights.at(-1).startTimeInSeconds).toBeGreaterThan(nights[0].startTimeInSeconds);
  const days = rowsOf(receiver, 'dailies').filter(
    (row) => row.calendarDate === '2026-05-07' && row.durationInSeconds === 86_400,
  );
  expect(days.at(-1).steps).toBeGreaterThan(days[0].steps);
});

it('adds naps to the preceding night', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  const people = Array.from({ length: 4 }, (_, at) => `person-${at + 1}`);
  for (const person of people) await connect(lab, person);
  await lab.clock.advance(6 * day);
  const personOf = (userId: string) =>
    lab.grants('garmin').find((grant) => grant.userId === userId)!.personId;
  const rows = rowsOf(receiver, 'sleeps').filter((row) => row.naps.length > 0);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const naps = lab.truth(personOf(row.userId), row.calendarDate).sleeps.filter((sleep) => !sleep.isMain);
    const reportedNaps = naps.filter((nap) =>
      row.naps.some((one: TestRow) => one.napStartTimeInSeconds === nap.start / 1000),
    );
    expect(row.naps.map((one: TestRow) => one.napDurationInSeconds)).toEqual(
      reportedNaps.map(({ start, end }) => (end - start) / 1000),
    );
    expect(row.totalNapDurationInSeconds).toBe(
      reportedNaps.reduce((sum, { start, end }) => sum + (end - start) / 1000, 0),
    );
  }
});
