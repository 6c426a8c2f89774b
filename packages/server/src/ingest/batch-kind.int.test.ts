import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../ids.ts';
import { rebuildUser } from '../services/layers/rebuild-user.ts';
import { packDocuments } from '../services/sync/document-payload.ts';
import { defaultScopeBits } from '../scope-bits.ts';
import { inTransaction } from '../store/database/database.ts';
import { insertDocumentBatches } from '../store/connections/retained-documents.ts';
import { batchOf, createSdkUser, type SdkUser } from '../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runIngest } from './run-ingest.ts';

let app: TestApp;
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  app = resources.use(await startTestApp());
});
afterAll(() => resources.disposeAsync());

const date = '2026-03-02';
const stepsOf = (value: number) => ({ daily: [{ metric: 'steps', date, value }] });

/** Runs ingest until no batch of these users is pending, and asserts that none became a dead letter. */
async function ingest(...users: SdkUser[]): Promise<void> {
  const values = [users.map(({ uuid }) => uuid)];
  const pending = async () =>
    (await app.admin.query('SELECT FROM pending_batches WHERE user_id = ANY ($1::uuid[])', values)).rowCount;
  await using _ingest = await runIngest(app.ctx);
  await expect.poll(pending, { timeout: 10_000 }).toBe(0);
  const setAside = await app.admin.query('SELECT FROM dead_letters WHERE user_id = ANY ($1::uuid[])', values);
  expect(setAside.rowCount).toBe(0);
}

/** Steps of the day, as the public API returns them. */
async function readSteps(user: SdkUser): Promise<number | null> {
  const path = `/v1/users/${user.id}/daily?types=steps&from_date=${date}&to_date=${date}`;
  return (await app.request('GET', path)).body.series.steps?.[0] ?? null;
}

test('processes an upload that has an extra key `documents`', async () => {
  const user = await createSdkUser(app);
  const batch = batchOf({ ...stepsOf(5_000), documents: [{ day: date, steps: 1 }] });
  expect((await user.upload(batch)).status).toBe(202);
  await ingest(user);
  expect(await readSteps(user)).toBe(5_000);
  expect((await user.receipt(batch.batch_id)).body).toMatchObject({
    status: 'processed',
    counts: { new: 1 },
  });
});

test('treats an upload that imitates provider documents as an upload, including during a rebuild', async () => {
  const user = await createSdkUser(app);
  const documents = [{ day: date, steps: 1 }];
  const imitation = { stream: 'daily_activity', documents, deleted: ['x'], kind: 'documents' };
  expect((await user.upload(batchOf({ ...stepsOf(6_000), ...imitation }))).status).toBe(202);
  await ingest(user);
  expect(await readSteps(user)).toBe(6_000);
  expect(await rebuild(user)).toEqual({ changed: false });
  expect(await readSteps(user)).toBe(6_000);
});

test('processes batches without a kind, written by a node of an earlier version', async () => {
  const [plain, extended, connected] = [
    await createSdkUser(app),
    await createSdkUser(app),
    await createSdkUser(app),
  ];
  await plain.upload(batchOf(stepsOf(7_000)));
  await extended.upload(batchOf({ ...stepsOf(7_100), documents: [] }));
  await insertDocuments(connected, 7_200);
  await app.admin.query('UPDATE raw_batches SET kind = NULL');
  await ingest(plain, extended, connected);
  for (const [user, steps] of [
    [plain, 7_000],
    [extended, 7_100],
    [connected, 7_200],
  ] as const) {
    expect(await readSteps(user)).toBe(steps);
    expect(await rebuild(user)).toEqual({ changed: false });
  }
});

test('writes the kind of every batch', async () => {
  const user = await createSdkUser(app);
  await user.upload(batchOf(stepsOf(8_000)));
  await insertDocuments(user, 8_100);
  await ingest(user);
  expect(await kindsOf(user.uuid)).toEqual(['documents', 'upload']);
  const key = app.account.sandboxKey;
  const created = await app.request('POST', '/v1/users', { key, body: { external_ref: 'simulated' } });
  expect(await kindsOf(parseId('user', created.body.id)!)).toEqual(['upload']);
});

async function insertDocuments(user: SdkUser, steps: number): Promise<void> {
  const documents = [{ day: date, steps }];
  const [packed] = packDocuments({ id: 'oura', kind: 'ring' }, 'daily_activity', { documents });
  const batch = { batchId: app.ctx.newId(), createdMs: Date.now(), ...packed! };
  await insertDocumentBatches(app.ctx.operator, user.uuid, defaultScopeBits, [batch]);
}

const rebuild = ({ uuid }: SdkUser) =>
  inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, uuid, 'raw'));

async function kindsOf(userId: string): Promise<(string | null)[]> {
  const { rows } = await app.admin.query<{ kind: string | null }>(
    'SELECT DISTINCT kind FROM raw_batches WHERE user_id = $1 ORDER BY kind',
    [userId],
  );
  return rows.map(({ kind }) => kind);
}
