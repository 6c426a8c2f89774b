import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { takePendingBatches } from '../../store/uploads/pending-batches.ts';
import { batchesOfOnePerson, createdMsOf, midnight } from '../../test/data/generate-batches.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { RawIncompleteError, rebuildUser } from './rebuild-user.ts';
import { processBatches } from './process-batches.ts';

const people = 100;
const layers = [
  'sample_chunks',
  'device_days',
  'device_sleep',
  'device_workouts',
  'device_records',
  'canonical_months',
  'canonical_sleep',
  'canonical_workouts',
];
let app: TestApp;
const userIds = Array.from({ length: people }, () => randomUUID());

beforeAll(async () => {
  app = await startTestApp();
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id, timezone)
     SELECT id, $2, 'live', id::text, 'Europe/Berlin' FROM unnest($1::uuid[]) AS u (id)`,
    [userIds, app.account.uuid],
  );
  const generated = fc.sample(batchesOfOnePerson, { numRuns: people, seed: 7 });
  for (const [at, batches] of generated.entries()) {
    for (const batch of batches) {
      const { created: _, ...body } = batch;
      await app.admin.query(
        `WITH raw AS (
           INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
           VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 127, '', $5))
         INSERT INTO pending_batches (partition, user_id, batch_id, bytes) VALUES (partition_of($1), $1, $2, 1)`,
        [
          userIds[at],
          body.batch_id,
          midnight + 100_000_000,
          createdMsOf(batch),
          Buffer.from(JSON.stringify(body)),
        ],
      );
    }
  }
  const partitions = Array.from({ length: 64 }, (_, partition) => partition);
  const work = () =>
    inTransaction(app.ctx.operator, async (tx) => {
      const { batches } = await takePendingBatches(tx, partitions, 50);
      expect((await processBatches(app.ctx, tx, batches)).failed).toEqual([]);
      return batches.length;
    });
  while ((await work()) > 0);
}, 60_000);
afterAll(() => app[Symbol.asyncDispose]());

async function digests(): Promise<Record<string, string>> {
  const digestsByTable: Record<string, string> = {};
  for (const table of layers) {
    const { rows } = await app.admin.query(`SELECT t::text AS row FROM ${table} t ORDER BY t::text`);
    expect(rows.length).toBeGreaterThan(0);
    digestsByTable[table] = createHash('sha256')
      .update(rows.map(({ row }) => row).join('\n'))
      .digest('hex');
  }
  return digestsByTable;
}

const rebuild = (userId: string, from: 'raw' | 'normalized') =>
  inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, userId, from));

test.each(['raw', 'normalized'] as const)(
  `${people} users rebuilt from %s have byte-identical tables`,
  async (from) => {
    const before = await digests();
    for (const userId of userIds) expect(await rebuild(userId, from)).toEqual({ changed: false });
    expect(await digests()).toEqual(before);
  },
);

test('repairs damaged layers and reports that it changed them', async () => {
  const before = await digests();
  const [userId] = userIds;
  await app.admin.query(`DELETE FROM canonical_months WHERE user_id = $1`, [userId]);
  await app.admin.query(`UPDATE device_days SET data = '\\x0100000000' WHERE user_id = $1`, [userId]);
  expect(await rebuild(userId!, 'raw')).toEqual({ changed: true });
  expect(await digests()).toEqual(before);
});

// @contract all/sources: A time zone change for all days splits data into days again, except totals that a platform assigned to a day itself
test('splits samples into days again for another time zone, keeps totals that a platform dated itself, and restores everything afterwards', async () => {
  const before = await digests();
  const move = async (timezone: string) => {
    await app.admin.query(`UPDATE users SET timezone = $1`, [timezone]);
    for (const userId of userIds) await rebuild(userId, 'normalized');
    return digests();
  };
  const moved = await move('Pacific/Auckland');
  expect(moved['sample_chunks']).toBe(before['sample_chunks']);
  expect(moved['canonical_months']).not.toBe(before['canonical_months']);
  expect(await move('Europe/Berlin')).toEqual(before);
});

test('refuses a rebuild from incomplete raw data and erases nothing', async () => {
  const before = await digests();
  const [userId] = userIds;
  await app.admin.query(`UPDATE users SET raw_complete_since = now() WHERE id = $1`, [userId]);
  await expect(rebuild(userId!, 'raw')).rejects.toThrow(RawIncompleteError);
  expect(await digests()).toEqual(before);
});
