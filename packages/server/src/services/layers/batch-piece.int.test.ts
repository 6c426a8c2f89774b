import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { takePendingBatches } from '../../store/uploads/pending-batches.ts';
import {
  batchesOfOnePerson,
  createdMsOf,
  midnight,
  type Generated,
} from '../../test/data/generate-batches.ts';
import { batchOf, createSdkUser } from '../../test/data/sdk-user.ts';
import { everyPartition, workThrough } from '../../test/data/uploads.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { processBatches } from './process-batches.ts';
import { rebuildUser } from './rebuild-user.ts';

const people = 25;
const layers = [
  'sample_chunks',
  'device_days',
  'device_sleep',
  'device_workouts',
  'device_records',
  'canonical_months',
  'canonical_sleep',
  'canonical_workouts',
  'receipts',
];
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function createUser(): Promise<string> {
  const id = randomUUID();
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1::uuid, $2, 'live', $1::uuid::text, 'Europe/Berlin')`,
    [id, app.account.uuid],
  );
  return id;
}

async function upload(userId: string, batch: Generated): Promise<void> {
  const { created: _, ...body } = batch;
  await app.admin.query(
    `WITH raw AS (
       INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
       VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 127, '', $5))
     INSERT INTO pending_batches (partition, user_id, batch_id, bytes) VALUES (partition_of($1), $1, $2, 1)`,
    [userId, body.batch_id, midnight + 100_000_000, createdMsOf(batch), Buffer.from(JSON.stringify(body))],
  );
}

/** Processes pieces of at most this work, one in each transaction. Returns the number of transactions. */
async function processPieces(work: number, most = Infinity): Promise<number> {
  for (let transactions = 0; ; transactions += 1) {
    if (transactions === most) return transactions;
    const isDone = await inTransaction(app.ctx.operator, async (tx) => {
      const { batches } = await takePendingBatches(tx, everyPartition, 50);
      if (batches.length === 0) return true;
      expect((await processBatches(app.ctx, tx, batches, { work })).failed).toEqual([]);
      return false;
    });
    if (isDone) return transactions;
  }
}

/** Everything stored for a user, without IDs that differ between users. */
async function stateOf(userId: string): Promise<Record<string, unknown[]>> {
  const state: Record<string, unknown[]> = {};
  for (const table of layers) {
    const { rows } = await app.admin.query(
      `SELECT to_jsonb(t) - 'user_id' - 'id' - 'processed_at' AS row FROM ${table} t WHERE user_id = $1 ORDER BY 1`,
      [userId],
    );
    state[table] = rows.map(({ row }) => row);
  }
  return state;
}

test.each([0.1, 3, 12])(
  'batches in pieces of %d units of work give the same layers and receipts as whole ones',
  async (work) => {
    for (const batches of fc.sample(batchesOfOnePerson, { numRuns: people, seed: 11 })) {
      const [whole, inPieces] = [await createUser(), await createUser()];
      for (const batch of batches) await upload(whole, batch);
      await processPieces(Infinity);
      for (const batch of batches) await upload(inPieces, batch);
      await processPieces(work);
      expect(await stateOf(inPieces)).toEqual(await stateOf(whole));
    }
  },
  120_000,
);

test('a rebuild from raw while a batch is processed in pieces loses nothing', async () => {
  const [batches] = fc.sample(batchesOfOnePerson, { numRuns: 1, seed: 3 });
  const [whole, rebuilt] = [await createUser(), await createUser()];
  for (const batch of batches!) await upload(whole, batch);
  await processPieces(Infinity);
  for (const batch of batches!) await upload(rebuilt, batch);
  await processPieces(0.1, 3);
  await inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, rebuilt, 'raw'));
  await processPieces(0.1);
  const { receipts: _, ...layersOf } = await stateOf(rebuilt);
  expect(layersOf).toEqual((({ receipts: __, ...rest }) => rest)(await stateOf(whole)));
});

// @contract sdk-batches: A large upload is `accepted` until its last part is processed
test('a receipt waits for the last piece', async () => {
  const user = await createSdkUser(app);
  const values = Array.from({ length: 12 }, (_, at) => 60 + at);
  const batch = batchOf({
    series: [{ metric: 'heart_rate', start: '2026-01-01T12:00:00Z', interval_seconds: 86_400, values }],
  });
  await user.upload(batch);
  await processPieces(3, 2);
  expect((await user.receipt(batch.batch_id)).body).toMatchObject({ status: 'accepted' });
  const { rows } = await app.admin.query('SELECT progress FROM pending_batches WHERE user_id = $1', [
    user.uuid,
  ]);
  expect(rows).toEqual([{ progress: [12, 4, 4, 0, 0, 0] }]);
  await processPieces(3);
  expect((await user.receipt(batch.batch_id)).body).toMatchObject({
    status: 'processed',
    counts: { new: 12, updated: 0, duplicate: 0, rejected: 0, deleted: 0 },
  });
});

test('a node that counts other items starts the batch over', async () => {
  const user = await createSdkUser(app);
  const values = Array.from({ length: 6 }, () => 60);
  const batch = batchOf({
    series: [{ metric: 'heart_rate', start: '2026-01-01T12:00:00Z', interval_seconds: 86_400, values }],
  });
  await user.upload(batch);
  await app.admin.query(`UPDATE pending_batches SET progress = '{7,5,5,0,0,0}' WHERE user_id = $1`, [
    user.uuid,
  ]);
  await processPieces(Infinity);
  expect((await user.receipt(batch.batch_id)).body.counts).toMatchObject({ new: 6 });
});

// @contract sdk-batches: A history of ten years fits into four uploads
test('a first sync of ten years fits into four uploads', async () => {
  const user = await createSdkUser(app);
  const first = Date.UTC(2016, 2, 1, 7);
  for (let from = 0; from < 3_653; from += 1_000) {
    const days = Array.from(
      { length: Math.min(1_000, 3_653 - from) },
      (_, at) => first + (from + at) * 86_400_000,
    );
    const start = new Date(days[0]!).toISOString();
    const values = days.map((_, at) => 50 + (at % 20));
    const response = await user.upload(
      batchOf({
        series: ['resting_heart_rate', 'heart_rate'].map((metric) => ({
          metric,
          start,
          interval_seconds: 86_400,
          values,
        })),
        daily: days.map((day) => ({
          metric: 'steps',
          date: new Date(day).toISOString().slice(0, 10),
          value: 5_000,
        })),
      }),
    );
    expect(response.status).toBe(202);
  }
  await workThrough(app);
  const { rows } = await app.admin.query(
    `SELECT count(*) AS batches, sum(counts[1]) AS new FROM receipts WHERE user_id = $1 AND NOT failed`,
    [user.uuid],
  );
  expect(rows.map((row) => ({ batches: Number(row.batches), new: Number(row.new) }))).toEqual([
    { batches: 4, new: 3 * 3_653 },
  ]);
}, 60_000);
