import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { partitionOf } from '../partitions.ts';
import { batchOf, createSdkUser, type SdkUser } from '../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { packDocuments } from '../services/sync/document-payload.ts';
import { defaultScopeBits } from '../scope-bits.ts';
import { insertDocumentBatches } from '../store/connections/retained-documents.ts';
import { countPendingBatches, takes } from '../store/uploads/pending-batches.ts';
import { inTransaction } from '../store/database/database.ts';
import { Pace } from '../services/layers/pace.ts';
import { everyPartition } from '../test/data/uploads.ts';
import { PartitionWorker } from './partition-worker.ts';
import { processTake } from './process-take.ts';
import { runIngest } from './run-ingest.ts';
import { holdTransaction } from '../test/hold-transaction.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = (user: SdkUser) =>
  user.upload(batchOf({ daily: [{ metric: 'steps', date: '2026-03-02', value: 5_000 }] }));
const waiting = async () =>
  Number((await app.admin.query('SELECT count(*) FROM pending_batches')).rows[0].count);

test('computes the same partition of a user in SQL and in code', async () => {
  const { rows } = await app.admin.query(
    `SELECT id, partition_of(id) AS partition FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 500)) AS ids`,
  );
  for (const { id, partition } of rows) expect(partitionOf(id)).toBe(partition);
  expect(new Set(rows.map(({ partition }) => partition)).size).toBe(64);
});

test('shares the partitions among workers, and moves those of a stopped worker to the others', async () => {
  await using first = new PartitionWorker(app.ctx);
  await expect.poll(() => first.partitions, { timeout: 5_000 }).toBe(64);
  const second = new PartitionWorker(app.ctx);
  await expect.poll(() => [first.partitions, second.partitions], { timeout: 10_000 }).toEqual([32, 32]);
  await second[Symbol.asyncDispose]();
  await expect.poll(() => first.partitions, { timeout: 5_000 }).toBe(64);
});

test('leaves the event loop idle when a worker has no partition', async () => {
  await using holder = await holdTransaction(app.admin);
  await holder.query('SELECT pg_advisory_xact_lock($1, n) FROM generate_series(0, 63) AS n', [0x7472_7031]);
  await using worker = new PartitionWorker(app.ctx);
  await sleep(500);
  // Other work in this process is short. A worker that never rests takes all of every span.
  const spans: number[] = [];
  for (let span = 0; span < 5; span += 1) {
    const before = performance.eventLoopUtilization();
    await sleep(400);
    spans.push(performance.eventLoopUtilization(before).utilization);
  }
  expect(Math.min(...spans)).toBeLessThan(0.5);
  expect(worker.partitions).toBe(0);
});

test('loses its partitions when its session is terminated, then reconnects and continues', async () => {
  await using worker = new PartitionWorker(app.ctx);
  await expect.poll(() => worker.partitions, { timeout: 5_000 }).toBe(64);
  const termination = await app.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name LIKE 'tributary-ingest-%' AND datname = current_database()`,
  );
  expect(termination.rowCount).toBe(1);
  await expect.poll(() => worker.partitions, { timeout: 2_000 }).toBe(0);
  await expect.poll(() => worker.partitions, { timeout: 5_000 }).toBe(64);
  await upload(await createSdkUser(app));
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
});

test('falls back to polling without the broker', async () => {
  await using lone = await startTestApp({ NATS_URL: 'nats://127.0.0.1:1' });
  await using _ingest = await runIngest(lone.ctx);
  const user = await createSdkUser(lone);
  expect((await upload(user)).status).toBe(202);
  await expect
    .poll(async () => (await lone.admin.query('SELECT FROM receipts')).rowCount, { timeout: 5_000 })
    .toBe(1);
});

test('postpones a user that another session has locked, and processes the others', async () => {
  const [busy, free] = [await createSdkUser(app), await createSdkUser(app)];
  await using holder = await holdTransaction(app.admin);
  await holder.query('SELECT lock_user($1)', [busy.uuid]);
  await Promise.all([upload(busy), upload(free)]);
  await using _worker = new PartitionWorker(app.ctx);
  await expect.poll(waiting, { timeout: 5_000 }).toBe(1);
  await sleep(300);
  expect(await waiting()).toBe(1);
  await holder.commit();
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
});

test('processes history with a separate worker that delays nothing else', async () => {
  const [past, present] = [await createSdkUser(app), await createSdkUser(app)];
  const documents = Array.from({ length: 9 }, (_, at) => ({ day: `2024-03-0${at + 1}`, score: 80 + at }));
  for (const document of documents) {
    const [packed] = packDocuments({ id: 'oura', kind: 'ring' }, 'daily_sleep', { documents: [document] });
    const batch = { batchId: randomUUID(), createdMs: Date.now(), ...packed! };
    await insertDocumentBatches(app.ctx.operator, past.uuid, defaultScopeBits, [batch], 'history');
  }
  await upload(present);
  await using _worker = new PartitionWorker(app.ctx);
  await expect.poll(waiting, { timeout: 5_000 }).toBe(9);
  await sleep(1_200);
  expect(await waiting()).toBe(9);
  expect(await countPendingBatches(app.ctx.operator, 100)).toBe(0);
  expect(await countPendingBatches(app.ctx.operator, 100, takes.all)).toBe(9);
  await using _history = new PartitionWorker(app.ctx, 'history');
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
  const { rows } = await app.admin.query('SELECT FROM receipts WHERE user_id = $1 AND NOT failed', [
    past.uuid,
  ]);
  expect(rows).toHaveLength(9);
});

test('moves a batch to the dead letters with its reason after eight failures, and processes the rest', async () => {
  const user = await createSdkUser(app);
  const damaged = batchOf({ daily: [{ metric: 'steps', date: '2026-03-02', value: 1 }] });
  await user.upload(damaged);
  await app.admin.query(`UPDATE raw_batches SET payload = '\\x28b52ffd00' WHERE batch_id = $1`, [
    damaged.batch_id,
  ]);
  for (let sent = 0; sent < 5; sent += 1) await upload(user);
  await using _worker = new PartitionWorker(app.ctx);
  await expect.poll(waiting, { timeout: 5_000 }).toBe(1);
  await expect.poll(waiting, { timeout: 40_000, interval: 200 }).toBe(0);
  const { rows } = await app.admin.query('SELECT user_id, batch_id, attempts, reason FROM dead_letters');
  expect(rows).toMatchObject([{ user_id: user.uuid, batch_id: damaged.batch_id, attempts: 8 }]);
  expect(rows[0].reason).toMatch(/^Error Z\w+$/);
  expect((await user.receipt(damaged.batch_id)).body.status).toBe('failed');
}, 60_000);

test('processes the batches taken together with one that cannot be merged', async () => {
  const [hurt, well] = [await createSdkUser(app), await createSdkUser(app)];
  const heartRate = () =>
    batchOf({
      series: [{ metric: 'heart_rate', start: '2026-03-02T07:00:00Z', interval_seconds: 5, values: [61] }],
    });
  const worker = new PartitionWorker(app.ctx);
  await hurt.upload(heartRate());
  await expect.poll(waiting, { timeout: 5_000 }).toBe(0);
  await worker[Symbol.asyncDispose]();
  await app.admin.query(`UPDATE sample_chunks SET data = '\\x09' WHERE user_id = $1`, [hurt.uuid]);
  await hurt.upload(heartRate());
  for (let sent = 0; sent < 6; sent += 1) await well.upload(heartRate());
  await using _again = new PartitionWorker(app.ctx);
  await expect.poll(waiting, { timeout: 5_000 }).toBe(1);
  const { rows } = await app.admin.query('SELECT user_id, attempts > 0 AS tried FROM pending_batches');
  expect(rows).toEqual([{ user_id: hurt.uuid, tried: true }]);
});

describe('a session that is lost during the work', () => {
  const work = { metric: 'steps', date: '2026-03-02', value: 5_000 };
  const attemptsOf = async () =>
    (await app.admin.query('SELECT attempts FROM pending_batches ORDER BY attempts')).rows.map(
      ({ attempts }) => attempts,
    );

  beforeEach(() => app.admin.query('DELETE FROM pending_batches'));

  /** Makes a worker wait in the middle of its work until it is terminated. */
  async function loseSession(): Promise<void> {
    await using holder = await holdTransaction(app.admin);
    await holder.query('LOCK TABLE device_days IN ACCESS EXCLUSIVE MODE');
    await using _worker = new PartitionWorker(app.ctx);
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE 'tributary-ingest-%' AND datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await app.admin.query(terminate)).rowCount, { timeout: 10_000 }).toBe(1);
    await expect.poll(async () => Math.max(...(await attemptsOf()), 0), { timeout: 10_000 }).not.toBe(0);
    await holder.commit();
  }

  test('counts an attempt for its batches, which are then processed', async () => {
    const owner = await createSdkUser(app);
    const batches = [batchOf({ daily: [work] }), batchOf({ daily: [work] })];
    for (const batch of batches) await owner.upload(batch);
    await loseSession();
    await using _worker = new PartitionWorker(app.ctx);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    for (const { batch_id } of batches) expect((await owner.receipt(batch_id)).body.status).toBe('processed');
  });

  test('sets a batch aside that loses it again and again', async () => {
    const owner = await createSdkUser(app);
    const batch = batchOf({ daily: [work] });
    await owner.upload(batch);
    await app.admin.query('UPDATE pending_batches SET attempts = 7');
    await using holder = await holdTransaction(app.admin);
    await holder.query('LOCK TABLE device_days IN ACCESS EXCLUSIVE MODE');
    await using _worker = new PartitionWorker(app.ctx);
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE 'tributary-ingest-%' AND datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await app.admin.query(terminate)).rowCount, { timeout: 10_000 }).toBe(1);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
    await holder.commit();
    const { rows } = await app.admin.query('SELECT attempts, reason FROM dead_letters WHERE user_id = $1', [
      owner.uuid,
    ]);
    expect(rows).toEqual([{ attempts: 8, reason: 'SessionLostError' }]);
    expect((await owner.receipt(batch.batch_id)).body.status).toBe('failed');
  });
});

test('processes a batch that failed before without any other', async () => {
  const [suspect, other] = [await createSdkUser(app), await createSdkUser(app)];
  await upload(suspect);
  await app.admin.query('UPDATE pending_batches SET attempts = 1');
  await upload(other);
  const take = await inTransaction(app.ctx.operator, (tx) =>
    processTake(app.ctx, tx, everyPartition, {
      kind: 'ingest',
      limit: 100,
      mostWork: 4_000,
      pace: new Pace(),
      onBegin: () => {},
    }),
  );
  expect(take).toMatchObject({ scannedCount: 2, finishedCount: 1, isMore: true });
  const { rows } = await app.admin.query('SELECT user_id FROM pending_batches');
  expect(rows).toEqual([{ user_id: other.uuid }]);
  await app.admin.query('DELETE FROM pending_batches');
});

// Timing: the rest of the large batch waits for less than a second, in which a busy machine may not get to the next take.
test(
  'alternates the parts of a large batch with the batches of other users',
  { retry: 4, timeout: 60_000 },
  async () => {
    await app.admin.query('DELETE FROM pending_batches');
    const [large, small] = [await createSdkUser(app), await createSdkUser(app)];
    const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    const daily = Array.from({ length: 9_000 }, (_, at) => ({
      metric: ['steps', 'floors_climbed', 'distance', 'active_calories', 'exercise_time', 'stand_time'][
        at % 6
      ],
      date: day(Math.floor(at / 9)),
      value: 1,
    }));
    for (let sent = 0; sent < 3; sent += 1) await large.upload(batchOf({ daily }));
    await upload(small);
    const take = () =>
      inTransaction(app.ctx.operator, (tx) =>
        processTake(app.ctx, tx, everyPartition, {
          kind: 'ingest',
          limit: 100,
          mostWork: 4_000,
          pace: new Pace(),
          onBegin: () => {},
        }),
      );
    expect(await take()).toMatchObject({ finishedCount: 0, isMore: true });
    expect(await take()).toMatchObject({ scannedCount: 1, finishedCount: 1 });
    await using _worker = new PartitionWorker(app.ctx);
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
  },
);
