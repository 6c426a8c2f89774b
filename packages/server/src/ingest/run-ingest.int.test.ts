import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeMonth, findMetric, parseDay, placeInMonth } from '@tributary/domain';
import { batchOf, createSdkUser, phone, watch, type SdkUser } from '../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runIngest } from './run-ingest.ts';

let app: TestApp;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  app = resources.use(await startTestApp());
  resources.use(await runIngest(app.ctx));
});
afterAll(() => resources.disposeAsync());

async function uploadAll(user: SdkUser, ...batches: object[]): Promise<void> {
  for (const batch of batches) expect((await user.upload(batch)).status).toBe(202);
  await waitUntilProcessed(user);
}

async function waitUntilProcessed(user: SdkUser): Promise<void> {
  const waiting = () => app.admin.query('SELECT FROM pending_batches WHERE user_id = $1', [user.uuid]);
  await expect.poll(async () => (await waiting()).rowCount, { timeout: 10_000 }).toBe(0);
}

/** The stored canonical value of a metric and date. */
async function readCanonicalValue(user: SdkUser, metric: string, date: string): Promise<number | null> {
  const { month, index } = placeInMonth(parseDay(date)!);
  const { rows } = await app.admin.query(
    'SELECT printed, detail FROM canonical_months WHERE user_id = $1 AND metric_no = $2 AND month = $3',
    [user.uuid, findMetric(metric)!.no, month],
  );
  if (rows.length === 0) return null;
  const value = decodeMonth(rows[0].detail)[index] ?? null;
  const printed = rows[0].printed.split(',')[index];
  expect(printed === 'null').toBe(value === null);
  return printed === 'null' ? null : Number(printed);
}

const at = (start: string, values: number[], metric = 'heart_rate') => ({
  metric,
  start,
  interval_seconds: 60,
  values,
});
const created = (minute: number) => ({
  created_at: new Date(Date.UTC(2026, 2, 3, 12, minute)).toISOString(),
});

describe('daily values from samples', () => {
  test('splits samples into days in the user’s time zone, with minimum and maximum, and reports the changes', async () => {
    const user = await createSdkUser(app, { timezone: 'America/New_York' });
    const batch = batchOf({ series: [at('2026-03-02T04:58:00Z', [60, 62, 80, 90])] });
    await uploadAll(user, batch);
    // Midnight in New York is 05:00 UTC.
    expect(await readCanonicalValue(user, 'heart_rate', '2026-03-01')).toBe(61);
    expect(await readCanonicalValue(user, 'heart_rate', '2026-03-02')).toBe(85);
    expect(await readCanonicalValue(user, 'heart_rate_min', '2026-03-02')).toBe(80);
    expect(await readCanonicalValue(user, 'heart_rate_max', '2026-03-02')).toBe(90);
    expect((await user.receipt(batch.batch_id)).body).toMatchObject({
      status: 'processed',
      counts: { new: 4, updated: 0, duplicate: 0, rejected: 0, deleted: 0 },
    });
    const { body } = await app.request('GET', `/v1/users/${user.id}`);
    expect(body.data.last_sync_at).not.toBeNull();
    expect(body.data.sync).toMatchObject({ state: 'up_to_date', pending_batches: 0 });
    expect(body.data.devices).toMatchObject([{ provider: 'apple_health', status: 'active' }]);
    expect(body.data.devices[0].last_sync_at).toBe(body.data.last_sync_at);
    const { rows } = await app.admin.query(
      'SELECT type, metrics, data, device_id IS NOT NULL AS device FROM events WHERE user_id = $1 ORDER BY id',
      [user.uuid],
    );
    expect(rows).toMatchObject([
      { type: 'device.connected', device: true, metrics: [] },
      {
        type: 'data.updated',
        device: true,
        metrics: ['workout_count', 'heart_rate', 'heart_rate_min', 'heart_rate_max'].map(
          (id) => findMetric(id)!.no,
        ),
        data: { first_date: '2026-03-01', last_date: '2026-03-02', backfill: true },
      },
    ]);
  });

  test('handles a day of 23 hours', async () => {
    const user = await createSdkUser(app, { timezone: 'Europe/Berlin' });
    const hour = (start: string, value: number) => ({
      metric: 'steps',
      start,
      interval_seconds: 3600,
      values: [value],
    });
    const hours = Array.from({ length: 27 }, (_, at) =>
      hour(new Date(Date.UTC(2026, 2, 28, 22) + at * 3_600_000).toISOString(), 1),
    );
    await uploadAll(user, batchOf({ series: hours }));
    expect(await readCanonicalValue(user, 'steps', '2026-03-28')).toBe(1);
    expect(await readCanonicalValue(user, 'steps', '2026-03-29')).toBe(23);
    expect(await readCanonicalValue(user, 'steps', '2026-03-30')).toBe(3);
  });

  test('resolves late data, corrections, deletions and repeats by creation time', async () => {
    const user = await createSdkUser(app);
    const record = (id: string, value: number) => ({
      metric: 'steps',
      start: `2026-03-02T1${id}:00:00Z`,
      value,
      id,
    });
    const steps = () => readCanonicalValue(user, 'steps', '2026-03-02');
    await uploadAll(user, batchOf({ ...created(1), records: [record('0', 100), record('1', 200)] }));
    expect(await steps()).toBe(300);
    await uploadAll(user, batchOf({ ...created(3), records: [record('0', 150)] }));
    expect(await steps()).toBe(350);
    // Created earlier and arrived later, so it does not win.
    await uploadAll(user, batchOf({ ...created(2), records: [record('0', 120)] }));
    expect(await steps()).toBe(350);
    const deletion = batchOf({
      ...created(4),
      deletions: [
        { kind: 'record', id: '1' },
        { kind: 'record', id: '2' },
      ],
    });
    await uploadAll(user, deletion);
    expect(await steps()).toBe(150);
    expect((await user.receipt(deletion.batch_id)).body.counts).toMatchObject({ deleted: 1 });
    // Deleted before it arrived.
    await uploadAll(user, batchOf({ ...created(3), records: [record('2', 50)] }));
    expect(await steps()).toBe(150);
    // Data created after the deletion restores the record.
    await uploadAll(user, batchOf({ ...created(5), records: [record('1', 70)] }));
    expect(await steps()).toBe(220);
    // The platform's own total wins over samples.
    await uploadAll(
      user,
      batchOf({ ...created(6), daily: [{ metric: 'steps', date: '2026-03-02', value: 9000 }] }),
    );
    expect(await steps()).toBe(9000);
  });

  test('uses the last of two totals of one day in one upload', async () => {
    const user = await createSdkUser(app);
    const total = (value: number) => ({ metric: 'steps', date: '2026-03-02', value });
    const batch = batchOf({ ...created(1), daily: [total(5000), total(4000)] });
    await uploadAll(user, batch);
    expect(await readCanonicalValue(user, 'steps', '2026-03-02')).toBe(4000);
    expect((await user.receipt(batch.batch_id)).body.counts).toMatchObject({ new: 1, duplicate: 1 });
  });

  test('inserts no event when nothing changed', async () => {
    const user = await createSdkUser(app);
    const events = async () =>
      (await app.admin.query(`SELECT FROM events WHERE user_id = $1 AND type = 'data.updated'`, [user.uuid]))
        .rowCount;
    await uploadAll(user, batchOf({ ...created(1), series: [at('2026-03-02T10:00:00Z', [60, 70])] }));
    expect(await events()).toBe(1);
    const again = batchOf({ ...created(2), series: [at('2026-03-02T10:00:00Z', [60, 70])] });
    await uploadAll(user, again);
    expect(await events()).toBe(1);
    expect((await user.receipt(again.batch_id)).body.counts).toMatchObject({ new: 0, duplicate: 2 });
  });

  test('ranks devices for each metric separately and derives dependent metrics', async () => {
    const user = await createSdkUser(app);
    const day = (metric: string, value: number) => ({ metric, date: '2026-03-02', value });
    await uploadAll(
      user,
      batchOf({
        device: phone,
        daily: [day('active_calories', 500), day('resting_heart_rate', 70), day('total_energy', 2900)],
      }),
      batchOf({ device: watch, daily: [day('resting_heart_rate', 58)] }),
    );
    expect(await readCanonicalValue(user, 'resting_heart_rate', '2026-03-02')).toBe(58);
    expect(await readCanonicalValue(user, 'active_calories', '2026-03-02')).toBe(500);
    expect(await readCanonicalValue(user, 'total_energy', '2026-03-02')).toBe(2900);
    await uploadAll(
      user,
      batchOf({ device: watch, daily: [day('resting_energy', 1500), day('dietary_energy', 2200)] }),
    );
    expect(await readCanonicalValue(user, 'total_energy', '2026-03-02')).toBe(2000);
    expect(await readCanonicalValue(user, 'energy_balance', '2026-03-02')).toBe(200);
  });

  test('rejects implausible values one by one and converts units', async () => {
    const user = await createSdkUser(app, {}, { scopes: ['vitals', 'body_composition'] });
    const batch = batchOf({
      series: [at('2026-03-02T10:00:00Z', [61, 999, 998, 62]), at('2026-03-02T10:00:00Z', [1], 'nothing')],
      records: [
        { metric: 'weight', start: '2026-03-02T06:40:00Z', value: 160, unit: 'lb' },
        { metric: 'weight', start: '2026-03-02T06:40:00Z', value: 160, unit: 'parsec' },
        { metric: 'steps', start: '2026-03-02T06:40:00Z', value: 5 },
        { metric: 'recovery_score', start: '2026-03-02T06:40:00Z', value: 5 },
        { metric: 'weight', start: '2099-03-02T06:40:00Z', value: 80 },
      ],
    });
    await uploadAll(user, batch);
    expect(await readCanonicalValue(user, 'weight', '2026-03-02')).toBe(72.57);
    const { body } = await user.receipt(batch.batch_id);
    expect(body.counts).toEqual({ new: 3, updated: 0, duplicate: 0, rejected: 7, deleted: 0 });
    expect(body.rejected).toMatchObject([
      { list: 'series', index: 0, position: 1, count: 2, code: 'out_of_range' },
      { list: 'series', index: 1, code: 'unknown_metric' },
      { list: 'records', index: 1, code: 'unknown_unit' },
      { list: 'records', index: 2, code: 'out_of_scope' },
      { list: 'records', index: 3, code: 'not_accepted' },
      { list: 'records', index: 4, code: 'invalid_time' },
    ]);
  });
});

describe('sessions', () => {
  const night = (id: string, over: object = {}) => ({
    id,
    start: '2026-03-01T22:30:00Z',
    end: '2026-03-02T06:30:00Z',
    minutes: { asleep: 430, deep: 90, light: 240, rem: 100, in_bed: 480 },
    vitals: { sleep_heart_rate: 52 },
    ...over,
  });
  const sleepOf = async (user: SdkUser) =>
    (
      await app.admin.query(
        `SELECT c.source_id, c.is_main, c.day::text, c.gave_way, c.content FROM canonical_sleep c WHERE user_id = $1 ORDER BY start_at`,
        [user.uuid],
      )
    ).rows;

  test('assigns a night to the day it ends on and derives its daily values', async () => {
    const user = await createSdkUser(app);
    const nap = {
      id: 'nap',
      start: '2026-03-02T13:00:00Z',
      end: '2026-03-02T13:40:00Z',
      minutes: { asleep: 30, in_bed: 40 },
    };
    await uploadAll(user, batchOf({ sleep: [night('a'), nap] }));
    expect(await sleepOf(user)).toMatchObject([
      { source_id: 'a', is_main: true },
      { source_id: 'nap', is_main: false },
    ]);
    expect(await readCanonicalValue(user, 'asleep', '2026-03-02')).toBe(460);
    expect(await readCanonicalValue(user, 'sleep_efficiency', '2026-03-02')).toBe(89.6);
    expect(await readCanonicalValue(user, 'restorative_sleep', '2026-03-02')).toBe(190);
    expect(await readCanonicalValue(user, 'nap_time', '2026-03-02')).toBe(30);
    expect(await readCanonicalValue(user, 'nap_count', '2026-03-02')).toBe(1);
    expect(await readCanonicalValue(user, 'bedtime', '2026-03-02')).toBe(-90);
    expect(await readCanonicalValue(user, 'sleep_heart_rate', '2026-03-02')).toBe(52);
  });

  test('merges overlapping nights of two devices, and follows corrections and deletions of the better one', async () => {
    const user = await createSdkUser(app);
    await uploadAll(
      user,
      batchOf({
        ...created(1),
        device: phone,
        sleep: [night('p', { minutes: { asleep: 400, in_bed: 480 } })],
      }),
      batchOf({ ...created(1), device: watch, sleep: [night('w')] }),
    );
    expect(await sleepOf(user)).toMatchObject([{ source_id: 'w', is_main: true, gave_way: [[1, 'p']] }]);
    expect(await readCanonicalValue(user, 'asleep', '2026-03-02')).toBe(430);
    await uploadAll(
      user,
      batchOf({
        ...created(2),
        device: watch,
        sleep: [night('w', { minutes: { asleep: 420, in_bed: 480 } })],
      }),
    );
    expect(await readCanonicalValue(user, 'asleep', '2026-03-02')).toBe(420);
    await uploadAll(user, batchOf({ ...created(3), device: watch, deletions: [{ kind: 'sleep', id: 'w' }] }));
    expect(await sleepOf(user)).toMatchObject([{ source_id: 'p', is_main: true, gave_way: [] }]);
    expect(await readCanonicalValue(user, 'asleep', '2026-03-02')).toBe(400);
    expect(await readCanonicalValue(user, 'deep_sleep', '2026-03-02')).toBeNull();
  });

  test('assigns a workout to the day it starts on, and its distance to its sport', async () => {
    const user = await createSdkUser(app, { timezone: 'Asia/Tokyo' });
    const run = {
      id: 'run',
      sport_type: 'running',
      start: '2026-03-01T14:50:00Z',
      end: '2026-03-01T15:40:00Z',
      values: { distance: 9.5, active_calories: 610 },
      heart_rate: { start: '2026-03-01T14:50:00Z', interval_seconds: 5, values: [120, 130, 140] },
    };
    await uploadAll(user, batchOf({ workouts: [run] }));
    expect(await readCanonicalValue(user, 'running', '2026-03-01')).toBe(9.5);
    expect(await readCanonicalValue(user, 'workout_count', '2026-03-01')).toBe(1);
    expect(await readCanonicalValue(user, 'exercise_energy', '2026-03-01')).toBe(610);
    await uploadAll(user, batchOf({ deletions: [{ kind: 'workout', id: 'run' }] }));
    expect(await readCanonicalValue(user, 'running', '2026-03-01')).toBeNull();
    expect(await readCanonicalValue(user, 'workout_count', '2026-03-01')).toBeNull();
  });
});
