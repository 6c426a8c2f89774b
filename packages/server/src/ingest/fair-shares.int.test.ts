import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../store/database/database.ts';
import { startTestApp, type TestAccount, type TestApp } from '../test/apps/test-app.ts';
import { batchOf, createSdkUser, type SdkUser } from '../test/data/sdk-user.ts';
import { everyPartition } from '../test/data/uploads.ts';
import { Pace } from '../services/layers/pace.ts';
import { processTake } from './process-take.ts';

let app: TestApp;
let other: TestAccount;

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => app.admin.query('DELETE FROM pending_batches'));

const steps = (value = 5_000) => batchOf({ daily: [{ metric: 'steps', date: '2026-03-02', value }] });
const isWaiting = async ({ uuid }: SdkUser) =>
  (await app.admin.query('SELECT FROM pending_batches WHERE user_id = $1', [uuid])).rowCount! > 0;

/** Copies the only pending batch of a user under new ids, as if it had been uploaded before. */
async function repeatUpload({ uuid }: SdkUser, times: number): Promise<void> {
  await app.admin.query(
    `WITH raw AS (
       INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, kind, payload)
       SELECT user_id, gen_random_uuid(), received_at, created_at, scopes, digest, kind, payload
       FROM raw_batches, generate_series(1, $2) WHERE user_id = $1 RETURNING user_id, batch_id, octet_length(payload) AS bytes
     )
     INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id)
     SELECT partition_of(r.user_id), r.user_id, r.batch_id, r.bytes, u.account_id FROM raw r JOIN users u ON u.id = r.user_id`,
    [uuid, times],
  );
}

async function take(after: string | undefined, mostWork = 4_000) {
  return inTransaction(app.ctx.operator, (tx) =>
    processTake(app.ctx, tx, everyPartition, {
      kind: 'ingest',
      ...(after !== undefined && { after }),
      limit: 100,
      mostWork,
      pace: new Pace(),
      onBegin: () => {},
    }),
  );
}

// @contract sdk-batches: An upload does not wait for the backlog of another account
test('processes a fresh upload in the first take although another account has 5,000 waiting', async () => {
  const busy = await createSdkUser(app);
  await busy.upload(steps());
  await repeatUpload(busy, 5_000);
  const fresh = await createSdkUser(app, {}, {}, other.liveKey);
  await fresh.upload(steps());
  const { rows } = await app.admin.query('SELECT DISTINCT account_id FROM pending_batches ORDER BY 1');
  expect(rows.map(({ account_id }) => account_id)).toEqual([app.account.uuid, other.uuid].toSorted());
  await take(undefined);
  expect(await isWaiting(fresh)).toBe(false);
  expect(await isWaiting(busy)).toBe(true);
});

test('begins with the next account when one batch uses up the work of a take', async () => {
  const busy: SdkUser[] = [];
  for (let at = 0; at < 4; at += 1) {
    busy.push(await createSdkUser(app));
    await busy.at(-1)!.upload(steps(at + 1));
  }
  const fresh = await createSdkUser(app, {}, {}, other.liveKey);
  await fresh.upload(steps());
  // The least work processes one batch per take.
  const first = await take(app.account.uuid < other.uuid ? undefined : other.uuid, 1);
  expect(first).toMatchObject({ finishedCount: 1, lastAccount: app.account.uuid });
  expect(await isWaiting(fresh)).toBe(true);
  const second = await take(first.lastAccount, 1);
  expect(second).toMatchObject({ finishedCount: 1, lastAccount: other.uuid });
  expect(await isWaiting(fresh)).toBe(false);
  expect(await take(second.lastAccount, 1)).toMatchObject({ lastAccount: app.account.uuid });
});

test('processes the batches of a user in the order in which they arrived', async () => {
  const user = await createSdkUser(app);
  for (let at = 0; at < 3; at += 1) await user.upload(steps(at));
  const { rows } = await app.admin.query('SELECT batch_id FROM pending_batches ORDER BY position');
  const begun: string[] = [];
  await inTransaction(app.ctx.operator, (tx) =>
    processTake(app.ctx, tx, everyPartition, {
      kind: 'ingest',
      limit: 100,
      mostWork: 4_000,
      pace: new Pace(),
      onBegin: ({ batchId }) => begun.push(batchId),
    }),
  );
  expect(begun).toEqual(rows.map(({ batch_id }) => batch_id));
});

test('begins the next take with a batch that failed before and was passed over', async () => {
  const accounts = [app.account, other].toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const [early, late] = [
    await createSdkUser(app, {}, {}, accounts[0]!.liveKey),
    await createSdkUser(app, {}, {}, accounts[1]!.liveKey),
  ];
  await late.upload(steps());
  await app.admin.query('UPDATE pending_batches SET attempts = 1');
  for (let at = 0; at < 3; at += 1) await early.upload(steps(at));
  const first = await take(undefined);
  expect(first).toMatchObject({ finishedCount: 3, isMore: true, lastAccount: accounts[0]!.uuid });
  await early.upload(steps());
  expect(await take(first.lastAccount)).toMatchObject({ finishedCount: 1, lastAccount: accounts[1]!.uuid });
  expect(await isWaiting(late)).toBe(false);
});

test('processes rows of an earlier version, which have no account', async () => {
  const [old, fresh] = [await createSdkUser(app), await createSdkUser(app)];
  await old.upload(steps());
  await app.admin.query(`UPDATE pending_batches SET account_id = DEFAULT`);
  await fresh.upload(steps());
  const { lastAccount } = await take(undefined, 1);
  await take(lastAccount, 1);
  expect([await isWaiting(old), await isWaiting(fresh)]).toEqual([false, false]);
});
