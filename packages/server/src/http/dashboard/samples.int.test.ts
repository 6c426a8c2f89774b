import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs } from '../../test/data/operators.ts';
import { batchOf, createSdkUser, type SdkUser } from '../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { workThrough } from '../../test/data/uploads.ts';

let app: TestApp;
let user: SdkUser;

beforeAll(async () => {
  app = await startTestApp();
  user = await createSdkUser(app, { timezone: 'UTC' });
  const series = (time: string, ...values: number[]) => ({
    metric: 'heart_rate',
    start: `2026-03-02T${time}Z`,
    interval_seconds: 5,
    values,
  });
  await user.upload(batchOf({ series: [series('07:00:00', 61, 62), series('08:00:00', 70)] }));
  await workThrough(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const path = (query = '') =>
  `/users/${user.id}/samples?environment=live&metric=heart_rate&from=2026-03-01&to=2026-03-02${query}`;

async function readsRecorded(): Promise<{ actor: string; target: string; operation: string }[]> {
  const { rows } = await app.admin.query(
    `SELECT actor_type AS actor, target_id AS target, data ->> 'operation' AS operation FROM audit_intake WHERE action = 'user.read'`,
  );
  return rows;
}

test('returns samples as columns to developers and owners and audits each read', async () => {
  for (const role of ['developer', 'owner'] as const) {
    const { browser } = await joinAs(app, role);
    const { status, body } = await browser.call('GET', path());
    expect(status).toBe(200);
    expect(body).toEqual({
      metric: 'heart_rate',
      unit: 'bpm',
      start: '2026-03-02T07:00:00.000Z',
      seconds: [0, 5, 3595],
      values: [61, 62, 70],
    });
  }
  const readEntry = { actor: 'operator', target: user.id, operation: 'getSamples' };
  expect(await readsRecorded()).toEqual([readEntry, readEntry]);
});

test('a viewer gets no samples of a live user, and no read is audited', async () => {
  const before = await readsRecorded();
  const { browser } = await joinAs(app, 'viewer');
  expect(await browser.call('GET', path())).toMatchObject({ status: 403, body: { error: 'role_too_low' } });
  expect(await readsRecorded()).toEqual(before);
});

test('a viewer may read the sandbox, where this user does not exist', async () => {
  const { browser } = await joinAs(app, 'viewer');
  expect((await browser.call('GET', path().replace('live', 'sandbox'))).status).toBe(404);
});

test('returns 404 for a user of another account', async () => {
  const before = await readsRecorded();
  const other = await app.createAccount();
  const { browser } = await joinAs(app, 'owner', { accountId: other.uuid });
  expect((await browser.call('GET', path())).status).toBe(404);
  expect(await readsRecorded()).toEqual(before);
});

test('returns empty columns for a range without samples', async () => {
  const { browser } = await joinAs(app, 'owner');
  const { body } = await browser.call('GET', path().replaceAll('2026-03', '2026-02'));
  expect(body).toMatchObject({ start: null, seconds: [], values: [] });
});

test.each([
  ['metric=heart_rate', 'metric=height'],
  ['to=2026-03-02', 'to=2026-04-01'],
  ['to=2026-03-02', 'to=2026-02-01'],
  ['from=2026-03-01', 'from=yesterday'],
  ['environment=live&', ''],
])('returns 400 with %s as %s', async (original, instead) => {
  const { browser } = await joinAs(app, 'owner');
  expect((await browser.call('GET', path().replace(original, instead))).status).toBe(400);
});
