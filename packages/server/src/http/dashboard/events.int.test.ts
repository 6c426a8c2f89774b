import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatId } from '../../ids.ts';
import { listEventsBefore } from '../../store/dashboard/events.ts';
import type { Event } from '../../store/events/events.ts';
import { sequenceEvents } from '../../store/events/feed.ts';
import { entriesDuring } from '../../test/audit.ts';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { insertTestEvents } from '../../test/data/emit-events.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { insertTestUser } from '../../test/webhooks.ts';

let app: TestApp;
let other: TestAccount;
let browser: TestBrowser;
let stranger: TestBrowser;
let ada: string;
let ben: string;
/** Event ids in feed order. */
const eventIds: string[] = [];
let foreign: string;

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
  ({ browser } = await joinAs(app, 'viewer'));
  ({ browser: stranger } = await joinAs(app, 'owner', { accountId: other.uuid }));
  ada = await insertTestUser(app, app.account);
  ben = await insertTestUser(app, app.account);
  eventIds.push(...(await emitEvents(app.account, ada, ['device.connected', 'data.updated'])));
  eventIds.push(...(await emitEvents(app.account, ben, ['data.updated', 'score.updated'])));
  eventIds.push(...(await emitEvents(app.account, ada, ['data.updated'])));
  const otherUser = await insertTestUser(app, other);
  [foreign = ''] = await emitEvents(other, otherUser, ['data.updated']);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Inserts events for a user and waits until they are in the feed. */
async function emitEvents(
  account: TestAccount,
  userId: string,
  types: readonly Event['type'][],
): Promise<string[]> {
  const insertedIds = await insertTestEvents(
    app,
    account,
    types.map((type) => ({ userId, type })),
  );
  // Transactions of other tests on the same server can delay sequencing.
  await vi.waitFor(
    async () => {
      await sequenceEvents(app.ctx.operator, '0', 1000);
      expect((await app.admin.query('SELECT FROM events LIMIT 1')).rowCount).toBe(0);
    },
    { timeout: 20_000, interval: 20 },
  );
  return insertedIds.map((id) => formatId('evt', id));
}

const list = (query = '', who = browser) => who.call('GET', `/events?environment=live${query}`);
const get = (id: string, who = browser) => who.call('GET', `/events/${id}?environment=live`);
const ids = (body: { data: { event: { event_id: string } }[] }) =>
  body.data.map(({ event }) => event.event_id);
const newest = () => eventIds.toReversed();

describe('GET /dashboard/api/events', () => {
  test('lists the newest events of one account and environment first, with a cursor to follow the feed', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(ids(body)).toEqual(newest());
    expect(body.older).toBeNull();
    expect(body.data[0].event).toMatchObject({
      event_type: 'data.updated',
      user_id: formatId('user', ada),
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(ids((await list('', stranger)).body)).toEqual([foreign]);
    const sandbox = await browser.call('GET', '/events?environment=sandbox');
    expect(sandbox.body).toMatchObject({ data: [], older: null });
    // A client that continues the feed from this cursor misses no event and receives none twice.
    const later = await emitEvents(app.account, ben, ['subject.synced']);
    const feed = await browser.api('GET', `/v1/events?cursor=${body.cursor}`);
    expect(feed.body.events.map(({ event_id }: { event_id: string }) => event_id)).toEqual(later);
    eventIds.push(...later);
    const after = await browser.api('GET', `/v1/events?cursor=${body.data[0].cursor}`);
    expect(after.body.events).toEqual(feed.body.events);
  });

  test.each(['', '&type=data.updated', '&type=data.updated,score.updated', 'user'])(
    'pages return every event once: %s',
    async (filter) => {
      const query = filter === 'user' ? `&user_id=${formatId('user', ada)}` : filter;
      const whole = ids((await list(query)).body);
      expect(whole.length).toBeGreaterThan(2);
      const seen: string[] = [];
      let older: string | null = '';
      while (older !== null) {
        const { body } = await list(`${query}&limit=1${older && `&before=${older}`}`);
        seen.push(...ids(body));
        older = body.older;
      }
      expect(seen).toEqual(whole);
    },
  );

  test('filters by event type and by user', async () => {
    expect(ids((await list('&type=score.updated')).body)).toEqual([eventIds[3]]);
    expect(ids((await list(`&user_id=${formatId('user', ada)}`)).body)).toEqual([
      eventIds[4],
      eventIds[1],
      eventIds[0],
    ]);
    expect(ids((await list(`&user_id=${formatId('user', ada)}&type=device.connected`)).body)).toEqual([
      eventIds[0],
    ]);
  });

  test('searches for a rare event type in windows', async () => {
    const tenant = { accountId: app.account.uuid, environment: 'live' as const };
    const search = { window: 2, limit: 10, types: ['device.connected'], userId: null };
    const first = await listEventsBefore(app.ctx.db, tenant, { ...search, before: 6 });
    expect(first).toMatchObject({ events: [], scannedTo: 4 });
    const second = await listEventsBefore(app.ctx.db, tenant, { ...search, before: 3 });
    expect(second).toMatchObject({ events: [{ position: 1 }], scannedTo: 1 });
    const last = await listEventsBefore(app.ctx.db, tenant, { ...search, before: 2 });
    expect(last).toMatchObject({ events: [{ position: 1 }], scannedTo: null });
  });

  test('continues the search where the previous window ended', async () => {
    const account = await app.createAccount();
    const { browser: owner } = await joinAs(app, 'owner', { accountId: account.uuid });
    await app.admin.query(
      `INSERT INTO feed (account_id, environment, position, id, user_id, type, metrics, data, created_at, sequenced_at)
       SELECT $1, 'live', number, gen_random_uuid(), gen_random_uuid(),
         CASE WHEN number = 5 THEN 'device.connected' ELSE 'data.updated' END, '{}', '{}', now(), now()
       FROM generate_series(1, 10010) AS number`,
      [account.uuid],
    );
    const first = await list('&type=device.connected', owner);
    expect(first.body.data).toEqual([]);
    const second = await list(`&type=device.connected&before=${first.body.older}`, owner);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.older).toBeNull();
  });

  test('audits the listing of one user but not of all users', async () => {
    const user = formatId('user', ben);
    const { entries } = await entriesDuring(app, async () => {
      await list();
      await list(`&user_id=${user}`);
    });
    expect(entries).toMatchObject([
      { action: 'user.read', target: `user ${user}`, environment: 'live', data: { operation: 'listEvents' } },
    ]);
  });

  test('returns 404 for an unknown user and a user of another account, without an audit entry', async () => {
    const { entries } = await entriesDuring(app, async () => {
      const response = await list(`&user_id=${formatId('user', ada)}`, stranger);
      expect(response.status).toBe(404);
      expect((await list(`&user_id=${formatId('user', randomUUID())}`)).status).toBe(404);
    });
    expect(entries).toEqual([]);
  });

  test('rejects a cursor of another account', async () => {
    const { body } = await list('', stranger);
    expect(await list(`&before=${body.cursor}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_cursor' },
    });
  });

  test.each(['&limit=201', '&limit=0', '&type=odd', '&user_id=ben', '&before=x', '&after=x'])(
    'returns 400 for %s',
    async (query) => expect((await list(query)).status).toBe(400),
  );
});

describe('GET /dashboard/api/events/{id}', () => {
  test('returns one event with its cursor and audits it as a read of its user', async () => {
    const { response, entries } = await entriesDuring(app, () => get(eventIds[2]!));
    expect(response.status).toBe(200);
    const { body } = await list();
    expect(response.body).toEqual(body.data[ids(body).indexOf(eventIds[2]!)]);
    expect(entries).toMatchObject([
      { action: 'user.read', target: `user ${formatId('user', ben)}`, data: { operation: 'getEvent' } },
    ]);
  });

  test.each([() => foreign, () => formatId('evt', randomUUID()), () => 'evt_x', () => 'x'])(
    'returns 404 for an event outside the account: %#',
    async (id) => {
      const { response, entries } = await entriesDuring(app, () => get(id()));
      expect(response.status).toBe(404);
      expect(entries).toEqual([]);
    },
  );

  test('returns 404 for an event of the other environment', async () => {
    expect((await browser.call('GET', `/events/${eventIds[0]}?environment=sandbox`)).status).toBe(404);
  });
});

test('requires a session', async () => {
  for (const path of ['/events?environment=live', `/events/${eventIds[0]}?environment=live`])
    expect((await browser.call('GET', path, undefined, { cookie: '' })).status).toBe(401);
});

describe.each([
  [
    'row-level security',
    'ALTER TABLE feed DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE feed ENABLE ROW LEVEL SECURITY',
  ],
  [
    'the tenant filter of queries',
    `CREATE OR REPLACE FUNCTION in_tenant(row_account uuid, row_environment text, account uuid, environment text)
     RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true'`,
    null,
  ],
])('without %s', (_name, open, close) => {
  beforeAll(() => app.admin.query(open));
  afterAll(async () => void (close && (await app.admin.query(close))));

  test('the remaining layer isolates tenants', async () => {
    expect(ids((await list('', stranger)).body)).toEqual([foreign]);
    expect((await get(eventIds[0]!, stranger)).status).toBe(404);
    expect((await list(`&user_id=${formatId('user', ada)}`, stranger)).status).toBe(404);
  });
});
