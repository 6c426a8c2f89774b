import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { insertEvents, type Event } from '../../../store/events/events.ts';
import { sequenceEvents, maintainFeed } from '../../../store/events/feed.ts';
import { createPhoneUser, workThrough } from '../../../test/data/uploads.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/apps/test-app.ts';
import { holdTransaction } from '../../../test/hold-transaction.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

function eventOf(account: TestAccount, change: Partial<Event> = {}): Event {
  return {
    id: app.ctx.newId(),
    accountId: account.uuid,
    environment: 'live',
    userId: randomUUID(),
    type: 'data.updated',
    deviceId: null,
    metrics: [],
    data: {},
    ...change,
  };
}

/** Publishes all pending events to their feeds. */
async function sequence(): Promise<void> {
  while ((await sequenceEvents(app.ctx.operator, '0', 1000)).events > 0);
}

/** The same until nothing is pending: other tests on the same engine may delay it. */
async function sequenceAll(): Promise<void> {
  const waiting = async () => {
    await sequence();
    return (await app.admin.query('SELECT FROM events LIMIT 1')).rowCount;
  };
  await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBe(0);
}

async function emitEvents(
  account: TestAccount,
  count: number,
  change: Partial<Event> = {},
): Promise<Event[]> {
  const events = Array.from({ length: count }, () => eventOf(account, change));
  await insertEvents(app.ctx.operator, events);
  await sequenceAll();
  return events;
}

const read = (account: TestAccount, query = '', key = account.liveKey) =>
  app.request('GET', `/v1/events${query}`, { key });
const idsOf = (body: { events: { event_id: string }[] }) => body.events.map(({ event_id }) => event_id);
const wireIds = (events: readonly Event[]) => events.map(({ id }) => formatId('evt', id));

describe('200', () => {
  // @contract events: `GET /v1/events` returns `events`, `cursor`, `has_more`
  test('an empty feed returns a cursor that precedes the first event', async () => {
    const account = await app.createAccount();
    const empty = await read(account);
    expect(empty).toMatchObject({
      status: 200,
      body: { events: [], cursor: expect.any(String), has_more: false },
    });
    const events = await emitEvents(account, 1);
    const after = await read(account, `?cursor=${empty.body.cursor}`);
    expect(idsOf(after.body)).toEqual(wireIds(events));
  });

  // @contract events: An event has `event_id`, `event_type`, `metrics`, `user_id`, `device_id`, `timestamp`
  test('returns what happened to a user and no measured values', async () => {
    const user = await createPhoneUser(app, { timezone: 'UTC' });
    await user.upload({ id: 'watch-1' }, { daily: [{ metric: 'steps', date: '2026-03-02', value: 31_337 }] });
    await workThrough(app);
    await sequenceAll();
    const { body } = await read(app.account, `?user_id=${user.id}`);
    expect(body.events).toEqual([
      {
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'device.connected',
        metrics: [],
        user_id: user.id,
        device_id: expect.stringMatching(/^dev_/),
        timestamp: expect.any(String),
        data: { provider: 'apple_health' },
      },
      {
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'data.updated',
        metrics: ['steps', 'workout_count'],
        user_id: user.id,
        device_id: expect.stringMatching(/^dev_/),
        timestamp: expect.any(String),
        data: {
          change: 'updated',
          first_date: '2026-03-02',
          last_date: '2026-03-02',
          backfill: expect.any(Boolean),
        },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('31337');
  });

  // @contract events: Without `cursor` the feed starts at the beginning; the returned cursor continues it, in cursor order
  test('returns each event once and in order, page by page', async () => {
    const account = await app.createAccount();
    const events = await emitEvents(account, 250);
    const seenIds: string[] = [];
    let cursor = '';
    for (let hasMore = true; hasMore;) {
      const { body } = await read(account, `?limit=100${cursor && `&cursor=${cursor}`}`);
      seenIds.push(...idsOf(body));
      ({ cursor, has_more: hasMore } = body);
    }
    expect(seenIds).toEqual(wireIds(events));
  });

  // @contract events: `limit` defaults to 100
  test('returns 100 events by default and a thousand at most', async () => {
    const account = await app.createAccount();
    await emitEvents(account, 1001);
    expect((await read(account)).body.events).toHaveLength(100);
    const { body } = await read(account, '?limit=1000');
    expect(body.events).toHaveLength(1000);
    expect(body.has_more).toBe(true);
  });

  // @contract events: `type` and `user_id` filter the feed without losing events (addition)
  test('advances the cursor past events that the filter excludes', async () => {
    const account = await app.createAccount();
    const userId = randomUUID();
    await emitEvents(account, 30);
    const [scored] = await emitEvents(account, 1, { type: 'score.updated', userId });
    await emitEvents(account, 30);
    const byType = await read(account, '?type=score.updated,subject.synced');
    expect(idsOf(byType.body)).toEqual([formatId('evt', scored!.id)]);
    expect(byType.body.has_more).toBe(false);
    const byUser = await read(account, `?user_id=${formatId('user', userId)}`);
    expect(idsOf(byUser.body)).toEqual([formatId('evt', scored!.id)]);
    const later = await emitEvents(account, 2);
    const rest = await read(account, `?cursor=${byType.body.cursor}`);
    expect(idsOf(rest.body)).toEqual(wireIds(later));
  });

  // @contract events: An event belongs to exactly one environment
  test('has a feed per environment', async () => {
    const account = await app.createAccount();
    const live = await emitEvents(account, 2);
    const sandbox = await emitEvents(account, 3, { environment: 'sandbox' });
    expect(idsOf((await read(account)).body)).toEqual(wireIds(live));
    expect(idsOf((await read(account, '', account.sandboxKey)).body)).toEqual(wireIds(sandbox));
  });
});

describe('400', () => {
  test.each([
    // @contract events: A `limit` below the minimum is 400
    ['limit=0', 'limit'],
    // @contract events: A `limit` above the maximum is 400
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['type=data.deleted', 'type'],
    ['type=', 'type'],
    ['user_id=unknown', 'user_id'],
    ['since=2026-01-01', 'since'],
  ])('%s', async (query, name) => {
    const response = await read(app.account, `?${query}`);
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.details.fields[0].name).toBe(name);
  });

  // @contract events: A cursor that this service did not issue is 400 `invalid_cursor`
  test('a modified cursor, or one of another account or environment', async () => {
    const { cursor } = (await read(app.account)).body;
    const other = await app.createAccount();
    for (const response of [
      await read(app.account, `?cursor=${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`),
      await read(app.account, '?cursor=nonsense'),
      await read(other, `?cursor=${cursor}`),
      await read(app.account, `?cursor=${cursor}`, app.account.sandboxKey),
    ])
      expect(response).toMatchObject({ status: 400, body: { error: 'invalid_cursor' } });
  });

  test('a cursor after which events were dropped says so', async () => {
    const account = await app.createAccount();
    const { cursor } = (await read(account)).body;
    await emitEvents(account, 3);
    await app.admin.query('DELETE FROM feed WHERE account_id = $1 AND position < 3', [account.uuid]);
    expect(await read(account, `?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_cursor', details: { reason: 'expired' } },
    });
    expect((await read(account)).body.events).toHaveLength(1);
    // Also when no event is left after it.
    await app.admin.query('DELETE FROM feed WHERE account_id = $1', [account.uuid]);
    expect(await read(account, `?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_cursor', details: { reason: 'expired' } },
    });
    const anew = await read(account);
    expect(anew.body).toMatchObject({ events: [], has_more: false });
    const events = await emitEvents(account, 1);
    expect(idsOf((await read(account, `?cursor=${anew.body.cursor}`)).body)).toEqual(wireIds(events));
  });
});

// @contract events: An empty `cursor` is the same as none
test('starts from the beginning with an empty cursor', async () => {
  const account = await app.createAccount();
  const events = await emitEvents(account, 3);
  const { status, body } = await read(account, '?cursor=');
  expect([status, idsOf(body)]).toEqual([200, wireIds(events)]);
  expect(body).toEqual((await read(account)).body);
});

describe('order', () => {
  test('no event overtakes a transaction that may still commit an earlier event', async () => {
    const account = await app.createAccount();
    await using slow = await holdTransaction(app.admin);
    const early = eventOf(account);
    await insertEvents(slow, [early]);
    const late = eventOf(account);
    await insertEvents(app.ctx.operator, [late]);
    await sequence();
    expect((await read(account)).body.events).toEqual([]);
    await slow.commit();
    await sequenceAll();
    expect(idsOf((await read(account)).body)).toEqual(wireIds([early, late]));
  });

  test('a rollback leaves no gap', async () => {
    const account = await app.createAccount();
    {
      await using undone = await holdTransaction(app.admin);
      await insertEvents(undone, [eventOf(account)]);
    }
    await emitEvents(account, 2);
    const { rows } = await app.admin.query(
      'SELECT position::int FROM feed WHERE account_id = $1 ORDER BY position',
      [account.uuid],
    );
    expect(rows).toEqual([{ position: 1 }, { position: 2 }]);
  });
});

test('drops months that ended before the retention period and creates new ones in time', async () => {
  const months = async () => {
    const { rows } = await app.admin.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'feed'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const before = await months();
  expect(before).toHaveLength(3);
  await app.moveClock(Date.parse('2029-01-15T00:00:00Z') - Date.now());
  await maintainFeed(app.ctx.operator, 400);
  expect(await months()).toEqual(['feed_2029_01', 'feed_2029_02', 'feed_2029_03']);
  await emitEvents(app.account, 1);
  expect((await app.admin.query('SELECT FROM feed_2029_01')).rowCount).toBe(1);
  await app.moveClock(0);
});
