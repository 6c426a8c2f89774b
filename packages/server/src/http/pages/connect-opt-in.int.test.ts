import { defaultScopes } from '@tributary/contract';
import { findProvider } from '@tributary/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { scopesOf } from '../../scope-bits.ts';
import { findApp } from '../../services/providers/find-app.ts';
import { pushUrlOf } from '../../services/providers/push-address.ts';
import { processPush } from '../../services/sync/process-push.ts';
import { entriesDuring } from '../../test/audit.ts';
import { consentAt, continueFrom, startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

let people = 0;
const category = 'reproductive_health';

/** A user with an open page of Garmin, and a lab person that no other test uses. */
async function startGarmin() {
  const userId = await app.createUser();
  const { id, auth_url: url } = (await app.connect(userId, 'garmin')).body.data;
  return { userId, deviceId: parseId('dev', id)!, url: url as string, person: `person-${(people += 1)}` };
}
type Connection = Awaited<ReturnType<typeof startGarmin>>;

async function sharedBy({ deviceId }: Connection) {
  const { rows } = await app.admin.query('SELECT scopes FROM connections WHERE device_id = $1', [deviceId]);
  return scopesOf(rows[0].scopes);
}

/** Pushes a cycle and a daily summary, as Garmin does, and processes them. */
async function pushCycle({ deviceId }: Connection): Promise<void> {
  const garmin = findProvider('garmin')!;
  const own = (await findApp(app.ctx, app.ctx.db, 'sandbox', garmin))!;
  const { rows } = await app.admin.query('SELECT external_id FROM connections WHERE device_id = $1', [
    deviceId,
  ]);
  const userId = rows[0].external_id;
  const mct = [
    { userId, summaryId: 'c', periodStartDate: '2026-03-01', dayInCycle: 3, isPredictedCycle: false },
  ];
  const dailies = [
    { userId, summaryId: 'd', calendarDate: '2026-03-03', durationInSeconds: 86_400, steps: 7000 },
  ];
  const response = await fetch(pushUrlOf(app.ctx, 'sandbox', 'garmin', own), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'garmin-client-id': own.clientId },
    body: JSON.stringify({ mct, dailies }),
  });
  expect(response.status).toBe(200);
  while (await processPush(app.ctx));
  await app.processPending();
}

async function seriesOf({ userId }: Connection) {
  const range = 'from_date=2026-03-03&to_date=2026-03-03';
  const { body } = await app.request('GET', `/v1/users/${userId}/daily?types=steps,cycle_day&${range}`);
  return body.series;
}

const storedBatches = async ({ userId }: Connection): Promise<number> => {
  const { rows } = await app.admin.query(
    'SELECT count(*)::int AS count FROM raw_batches WHERE user_id = $1',
    [parseId('user', userId)],
  );
  return rows[0].count;
};

describe('the page', () => {
  test('has an unchecked box for the category, named in everyday words', async () => {
    const { url } = await startGarmin();
    const page = await (await fetch(url)).text();
    const box = /<input[^>]*type="checkbox"[^>]*>/.exec(page)?.[0];
    expect(box).toContain(`name="share" value="${category}"`);
    expect(box).not.toContain('checked');
    expect(page.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toContain(
      'Off unless you turn it on Also share reproductive health with Demo Health : the day of your menstrual cycle, which Garmin calculates from the periods you log.',
    );
  });

  test('has no box for a provider without such data', async () => {
    const userId = await app.createUser();
    const { auth_url: url } = (await app.connect(userId, 'oura')).body.data;
    expect(await (await fetch(url)).text()).not.toContain('checkbox');
  });
});

// @contract all/sources: A provider's reproductive health is stored only if the person turned it on when connecting _(addition)_
test('without the box, nothing of the category is stored, not even raw', async () => {
  const connection = await startGarmin();
  await app.authorize(connection.url, connection.person);
  expect(await sharedBy(connection)).toEqual(defaultScopes);
  const before = await storedBatches(connection);
  await pushCycle(connection);
  expect(await seriesOf(connection)).toEqual({ steps: [7000], cycle_day: [null] });
  // Only the daily summary.
  expect(await storedBatches(connection)).toBe(before + 1);
});

test('with the box, the data is stored and the consent is audited', async () => {
  const connection = await startGarmin();
  const { entries } = await entriesDuring(app, () =>
    app.authorize(connection.url, connection.person, { share: [category] }),
  );
  expect(await sharedBy(connection)).toEqual([...defaultScopes, category]);
  expect(entries.find(({ action }) => action === 'device.authorized')?.data).toEqual({
    provider: 'garmin',
    scopes: [...defaultScopes, category],
  });
  await pushCycle(connection);
  expect(await seriesOf(connection)).toEqual({ steps: [7000], cycle_day: [3] });
});

test('connecting again without the box stops the sharing and keeps earlier data', async () => {
  const connection = await startGarmin();
  await app.authorize(connection.url, connection.person, { share: [category] });
  await pushCycle(connection);
  const again = (await app.connect(connection.userId, 'garmin')).body.data;
  await app.authorize(again.auth_url, connection.person);
  expect(await sharedBy(connection)).toEqual(defaultScopes);
  await pushCycle(connection);
  expect(await seriesOf(connection)).toEqual({ steps: [7000], cycle_day: [3] });
});

test.each([['scores'], ['everything'], ['__proto__']])(
  'ignores a box that was not shown: %s',
  async (share) => {
    const connection = await startGarmin();
    await app.authorize(connection.url, connection.person, { share: [share] });
    expect(await sharedBy(connection)).toEqual(defaultScopes);
  },
);

test('a provider without the category cannot get it', async () => {
  const userId = await app.createUser();
  const { id, auth_url: url } = (await app.connect(userId, 'oura')).body.data;
  await app.authorize(url, `person-${(people += 1)}`, { share: [category] });
  const { rows } = await app.admin.query('SELECT scopes FROM connections WHERE device_id = $1', [
    parseId('dev', id),
  ]);
  expect(scopesOf(rows[0].scopes)).toEqual(defaultScopes);
});

describe('in another browser', () => {
  /** Someone checks the box and continues, and the user returns without the cookie. */
  async function returnElsewhere() {
    const connection = await startGarmin();
    const { consentUrl } = await continueFrom(connection.url, [category]);
    const { back } = await consentAt(consentUrl, connection.person);
    const page = await (await fetch(back!)).text();
    const fields = new URLSearchParams(new URL(back!).search);
    return { connection, page, fields };
  }
  const confirm = (fields: URLSearchParams) =>
    fetch(`${app.url}/connect/callback`, { method: 'POST', body: fields, redirect: 'manual' });

  test('the choice of the first browser does not count', async () => {
    const { connection, page, fields } = await returnElsewhere();
    expect(page).toContain(`name="share" value="${category}"`);
    expect((await confirm(fields)).status).toBe(200);
    expect(await sharedBy(connection)).toEqual(defaultScopes);
  });

  test('the user can turn it on', async () => {
    const { connection, fields } = await returnElsewhere();
    fields.append('share', category);
    expect((await confirm(fields)).status).toBe(200);
    expect(await sharedBy(connection)).toEqual([...defaultScopes, category]);
  });
});
