import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, EventSource } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { updateAccount } from '../../../services/accounts/update-account.ts';
import { createApiKey } from '../../../services/api-keys/create-api-key.ts';
import type { Event } from '../../../store/events/events.ts';
import { startCuttable } from '../../../test/cuttable.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/apps/test-app.ts';
import { openStream, type StreamOptions } from '../../../test/stream-client.ts';
import { startSequencing, emitEvents } from '../../../test/data/emit-events.ts';
import { testActor } from '../../../test/acting.ts';

let app: TestApp;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  app = resources.use(await startTestApp({ STREAM_HEARTBEAT_SECONDS: '2' }));
  resources.use(startSequencing(app));
});
afterAll(() => resources.disposeAsync());

const emit = (account: TestAccount, count: number, change: Partial<Event> = {}) =>
  emitEvents(app, account, count, change);

/** The feed, once it has the given number of events. */
async function feedOf(account: TestAccount, count: number) {
  let body: { events: { event_id: string }[]; cursor: string } = { events: [], cursor: '' };
  const length = async () => {
    ({ body } = await app.request('GET', '/v1/events?limit=1000', { key: account.liveKey }));
    return body.events.length;
  };
  await expect.poll(length, { timeout: 20_000, interval: 20 }).toBe(count);
  return { ids: body.events.map(({ event_id }) => event_id), cursor: body.cursor };
}

const open = (account: TestAccount, options: StreamOptions = {}) =>
  openStream(app, { key: account.liveKey, ...options });

describe('200', () => {
  // @contract events: `GET /v1/events/stream` without a cursor sends new events only _(addition)_
  test('sends only new events without a cursor', async () => {
    const account = await app.createAccount();
    await emit(account, 3);
    const { cursor } = await feedOf(account, 3);
    const stream = await open(account);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'request-id': expect.any(String),
      ratelimit: expect.any(String),
      vary: 'Authorization',
    });
    expect(stream.messages).toEqual([
      { event: 'feed.position', data: JSON.stringify({ cursor }), id: cursor },
    ]);
    expect(stream.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(stream.retryMs).toBeLessThan(2_000);
    const eventIds = await emit(account, 3);
    expect(await stream.events(3)).toEqual(eventIds);
    stream.close();
  });

  // @contract events: An empty `cursor` is the same as none
  test('sends only new events for an empty cursor', async () => {
    const account = await app.createAccount();
    await emit(account, 2);
    const { cursor } = await feedOf(account, 2);
    const stream = await open(account, { query: '?cursor=' });
    expect(stream.messages).toMatchObject([{ event: 'feed.position', id: cursor }]);
    stream.close();
  });

  test('ends the response to HEAD after its headers', async () => {
    const account = await app.createAccount();
    const response = await app.request('HEAD', '/v1/events/stream', { key: account.liveKey });
    expect([response.status, response.body]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const { values } = await app.ctx.metrics.eventStreams.get();
    expect(values[0]!.value).toBe(0);
  });

  test('sends events immediately through broker notifications, without waiting for a poll', async () => {
    const account = await app.createAccount();
    const stream = await open(account);
    const times: number[] = [];
    for (let count = 1; count <= 7; count += 1) {
      const startedAt = performance.now();
      await emit(account, 1);
      await stream.events(count);
      times.push(performance.now() - startedAt);
    }
    // With polling only, each event would wait for the next second.
    expect(times.toSorted((a, b) => a - b)[3]).toBeLessThan(600);
    stream.close();
  }, 20_000);

  test('sends each event as the feed returns it, with the cursor after it', async () => {
    const account = await app.createAccount();
    const stream = await open(account);
    await emit(account, 2);
    await stream.events(2);
    const { body } = await app.request('GET', '/v1/events', { key: account.liveKey });
    const [, first, second] = stream.messages;
    expect([first, second].map((message) => JSON.parse(message!.data))).toEqual(body.events);
    expect(first!.event).toBe('data.updated');
    expect(second!.id).toBe(body.cursor);
    const rest = await app.request('GET', `/v1/events?cursor=${first!.id}`, { key: account.liveKey });
    expect(rest.body.events).toEqual([body.events[1]]);
    stream.close();
  });

  // @contract events: `GET /v1/events/stream` sends events from a cursor, then continues with new ones _(addition)_
  test('starts from a cursor, reads more than a page, and continues live', async () => {
    const account = await app.createAccount();
    const early = await app.request('GET', '/v1/events', { key: account.liveKey });
    await emit(account, 900);
    const { ids } = await feedOf(account, 900);
    const stream = await open(account, { query: `?cursor=${early.body.cursor}` });
    expect(await stream.events(900)).toEqual(ids);
    const later = await emit(account, 2);
    expect(await stream.events(902)).toEqual([...ids, ...later]);
    stream.close();
  });

  // @contract events: `Last-Event-ID` takes precedence over `cursor`
  test('prefers Last-Event-ID to the cursor and ignores an empty one', async () => {
    const account = await app.createAccount();
    const { cursor } = (await app.request('GET', '/v1/events', { key: account.liveKey })).body;
    await emit(account, 3);
    const { ids, cursor: head } = await feedOf(account, 3);
    const resumed = await open(account, { query: `?cursor=${cursor}`, lastEventId: head });
    const begun = await open(account, { query: `?cursor=${cursor}`, lastEventId: '' });
    expect(await begun.events(3)).toEqual(ids);
    expect(resumed.eventIds()).toEqual([]);
    resumed.close();
    begun.close();
  });

  test('filters past and live events', async () => {
    const account = await app.createAccount();
    const userId = randomUUID();
    const { cursor } = (await app.request('GET', '/v1/events', { key: account.liveKey })).body;
    const mixed = async () => {
      await emit(account, 2);
      const [scored] = await emit(account, 1, { type: 'score.updated' });
      const [mine] = await emit(account, 1, { userId });
      const [both] = await emit(account, 1, { type: 'score.updated', userId });
      return { scored, mine, both };
    };
    const past = await mixed();
    await feedOf(account, 5);
    const byType = await open(account, { query: `?cursor=${cursor}&type=score.updated,user.deleted` });
    const byUser = await open(account, { query: `?cursor=${cursor}&user_id=${formatId('user', userId)}` });
    const byBoth = await open(account, {
      query: `?cursor=${cursor}&type=score.updated&user_id=${formatId('user', userId)}`,
    });
    await byType.events(2);
    const live = await mixed();
    expect(await byType.events(4)).toEqual([past.scored, past.both, live.scored, live.both]);
    expect(await byUser.events(4)).toEqual([past.mine, past.both, live.mine, live.both]);
    expect(await byBoth.events(2)).toEqual([past.both, live.both]);
    for (const stream of [byType, byUser, byBoth]) stream.close();
  });

  test('sends no event of another account or environment, even for a filter with its user ID', async () => {
    const [account, other] = [await app.createAccount(), await app.createAccount()];
    const userId = randomUUID();
    const all = await open(account);
    const named = await open(account, { query: `?user_id=${formatId('user', userId)}` });
    const sandbox = await open(account, { key: account.sandboxKey });
    await emit(other, 5, { userId });
    const inSandbox = await emit(account, 2, { userId, environment: 'sandbox' });
    const own = await emit(account, 1, { userId });
    expect(await all.events(1)).toEqual(own);
    expect(await named.events(1)).toEqual(own);
    expect(await sandbox.events(2)).toEqual(inSandbox);
    await sleep(1_200); // one poll
    expect(all.eventIds()).toEqual(own);
    expect(named.eventIds()).toEqual(own);
    expect(sandbox.eventIds()).toEqual(inSandbox);
    for (const stream of [all, named, sandbox]) stream.close();
  });
});

describe('reconnecting', () => {
  // @contract events: Reconnecting with the last event ID neither misses nor repeats events
  test('delivers every event once and in order after disconnects at any byte', async () => {
    const account = await app.createAccount();
    const total = 400;
    const got: string[] = [];
    let lastEventId: string | undefined;
    let disconnectCount = 0;
    const first = await open(account);
    lastEventId = first.lastId();
    first.close();
    const writing = (async () => {
      for (let written = 0; written < total; written += 20) {
        await emit(account, 20);
        await sleep(20);
      }
    })();
    while (got.length < total) {
      const stream = await open(account, { lastEventId, closeAfterBytes: randomInt(1, 12_000) });
      await expect
        .poll(() => stream.hasEnded || got.length + stream.eventIds().length >= total, {
          timeout: 10_000,
          interval: 5,
        })
        .toBe(true);
      stream.close();
      got.push(...stream.eventIds());
      if (stream.messages.length > 0) lastEventId = stream.lastId();
      disconnectCount += 1;
    }
    await writing;
    expect(disconnectCount).toBeGreaterThan(5);
    expect(got).toEqual((await feedOf(account, total)).ids);
  });

  test('works with a third-party client that reconnects on its own', async () => {
    const account = await app.createAccount();
    using cuttable = await startCuttable(app.url);
    const withKey = new Agent().compose((dispatch) => (options, handler) => {
      const headers = new Headers(options.headers as Record<string, string>);
      headers.set('authorization', `Bearer ${account.liveKey}`);
      return dispatch({ ...options, headers }, handler);
    });
    const source = new EventSource(`${cuttable.url}/v1/events/stream`, {
      node: { dispatcher: withKey },
    });
    const got: string[] = [];
    source.addEventListener('data.updated', (message) => {
      got.push((JSON.parse((message as unknown as { data: string }).data) as { event_id: string }).event_id);
    });
    try {
      await expect.poll(() => source.readyState, { timeout: 5_000 }).toBe(1);
      const eventIds: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        eventIds.push(...(await emit(account, 2)));
        await expect.poll(() => got, { timeout: 10_000 }).toEqual(eventIds);
        cuttable.disconnect();
        eventIds.push(...(await emit(account, 2)));
      }
      await expect.poll(() => got, { timeout: 10_000 }).toEqual(eventIds);
    } finally {
      source.close();
    }
  }, 30_000);

  test('advances the cursor even when the filter matches nothing', async () => {
    const account = await app.createAccount();
    const stream = await open(account, { query: '?type=user.deleted' });
    await emit(account, 5);
    const { cursor } = await feedOf(account, 5);
    await expect
      .poll(() => stream.messages.at(-1), { timeout: 5_000 })
      .toEqual({ event: 'feed.position', data: JSON.stringify({ cursor }), id: cursor });
    // After that, without changes, the reader receives only heartbeats.
    await expect.poll(() => stream.text.endsWith('\n\n:\n:\n'), { timeout: 10_000 }).toBe(true);
    stream.close();
  }, 20_000);
});

describe('readers and their sockets', () => {
  test('a slow reader delays no other and misses no retained event', async () => {
    const account = await app.createAccount();
    const [slow, late, quick] = [await open(account), await open(account), await open(account)];
    slow.pause();
    late.pause();
    // More than the socket buffers of both sides hold.
    const data = { note: 'x'.repeat(20_000) };
    const total = 600;
    for (let written = 0; written < total; written += 50) await emit(account, 50, { data });
    await quick.events(total, 30_000);
    expect(slow.eventIds().length).toBeLessThan(total);
    await sleep(6_500); // nothing of it is cached any more
    slow.resume();
    expect(await slow.events(total, 30_000)).toEqual(quick.eventIds());
    // Events that were dropped in the meantime cause an explicit error.
    await app.admin.query('DELETE FROM feed WHERE account_id = $1 AND position < $2', [account.uuid, total]);
    late.resume();
    await late.ended();
    expect(late.eventIds()).toEqual(quick.eventIds().slice(0, late.eventIds().length));
    expect(await open(account, { lastEventId: late.lastId() })).toMatchObject({
      status: 400,
      error: { error: 'invalid_cursor', details: { reason: 'expired' } },
    });
    slow.close();
    quick.close();
  }, 90_000);

  test('many readers each receive all events they selected', async () => {
    const account = await app.createAccount();
    const streams = await Promise.all(
      Array.from({ length: 150 }, (_, at) =>
        open(account, at % 3 === 0 ? { query: '?type=score.updated' } : {}),
      ),
    );
    const all: string[] = [];
    const scored: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      all.push(...(await emit(account, 3)));
      const [score] = await emit(account, 1, { type: 'score.updated' });
      all.push(score!);
      scored.push(score!);
    }
    for (const [at, stream] of streams.entries()) {
      const expected = at % 3 === 0 ? scored : all;
      expect(await stream.events(expected.length)).toEqual(expected);
    }
    const metrics = await app.ctx.metrics.eventStreams.get();
    expect(metrics.values[0]!.value).toBeGreaterThanOrEqual(150);
    const inFlight = await app.ctx.metrics.requestsInFlight.get();
    expect(inFlight.values[0]!.value).toBeLessThan(10);
    for (const stream of streams) stream.close();
    await expect
      .poll(async () => (await app.ctx.metrics.eventStreams.get()).values[0]!.value, { timeout: 5_000 })
      .toBe(0);
  }, 60_000);
});

describe('end of a stream', () => {
  // @contract events: A stream ends within seconds after its key is revoked
  test('follows within seconds when the key is replaced', async () => {
    const account = await app.createAccount();
    const [live, sandbox] = [await open(account), await open(account, { key: account.sandboxKey })];
    await createApiKey(app.ctx, testActor, { accountId: account.uuid, environment: 'live' });
    await live.ended(5_000);
    expect(sandbox.hasEnded).toBe(false);
    sandbox.close();
  });

  test('follows when the key expires', async () => {
    const account = await app.createAccount();
    const stream = await open(account);
    await app.admin.query('UPDATE api_keys SET expires_at = tributary_now() WHERE account_id = $1', [
      account.uuid,
    ]);
    await stream.ended(5_000);
  });

  test('follows when the account is suspended', async () => {
    const account = await app.createAccount();
    const stream = await open(account);
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    await stream.ended(5_000);
    expect(await open(account)).toMatchObject({ status: 402, error: { error: 'payment_required' } });
  });

  test('follows at shutdown, which does not wait for readers and accepts no new streams', async () => {
    const own = await startTestApp();
    const account = own.account;
    const [quiet, stuck] = [await openStream(own), await openStream(own)];
    await using sequencer = startSequencing(own);
    stuck.pause();
    await emitEvents(own, account, 1_000, { data: { note: 'x'.repeat(20_000) } });
    await quiet.events(1_000, 20_000);
    await sequencer[Symbol.asyncDispose]();
    own.ctx.draining = true;
    expect(await openStream(own)).toMatchObject({ status: 503, error: { error: 'unavailable' } });
    const startedAt = performance.now();
    await own[Symbol.asyncDispose]();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await quiet.ended(1_000);
    expect(quiet.text.endsWith('\n\n')).toBe(true);
    stuck.resume();
    await stuck.ended(1_000);
  }, 60_000);
});

test('delivers events a second later without a broker', async () => {
  await using own = await startTestApp({ NATS_URL: 'nats://127.0.0.1:1' });
  await using _ = startSequencing(own);
  const stream = await openStream(own);
  await emitEvents(own, own.account, 1);
  await stream.events(1, 20_000);
  // The machine may be slow at first; after that only the poll interval counts.
  const startedAt = performance.now();
  const eventIds = await emitEvents(own, own.account, 1);
  expect((await stream.events(2, 20_000)).slice(1)).toEqual(eventIds);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  stream.close();
});

describe('errors', () => {
  test.each([
    ['400', '?cursor=nonsense', 'invalid_cursor'],
    ['400', '?type=data.deleted', 'invalid_request'],
    ['400', '?user_id=unknown', 'invalid_request'],
    ['400', '?limit=5', 'invalid_request'],
  ])('%s: %s', async (status, query, error) => {
    const response = await openStream(app, { query });
    expect(response).toMatchObject({ status: Number(status), error: { error } });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('400: an ID of another account or environment, or a modified one', async () => {
    const account = await app.createAccount();
    const { cursor } = (await app.request('GET', '/v1/events', { key: account.liveKey })).body;
    const other = await app.createAccount();
    for (const response of [
      await open(other, { lastEventId: cursor }),
      await open(account, { key: account.sandboxKey, lastEventId: cursor }),
      await open(account, { lastEventId: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }),
      await open(account, { query: `?cursor=${cursor}`, lastEventId: 'nonsense' }),
    ])
      expect(response).toMatchObject({ status: 400, error: { error: 'invalid_cursor' } });
  });

  test('400: an ID after which events were dropped', async () => {
    const account = await app.createAccount();
    const { cursor } = (await app.request('GET', '/v1/events', { key: account.liveKey })).body;
    await emit(account, 3);
    await feedOf(account, 3);
    await app.admin.query('DELETE FROM feed WHERE account_id = $1 AND position < 3', [account.uuid]);
    expect(await open(account, { lastEventId: cursor })).toMatchObject({
      status: 400,
      error: { error: 'invalid_cursor', details: { reason: 'expired' } },
    });
  });

  test('401, 403: callers without permission', async () => {
    expect(await openStream(app, { key: 'sk_live_nonsense' })).toMatchObject({ status: 401 });
    const user = await app.request('POST', '/v1/users', { body: { external_ref: randomUUID() } });
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: user.body.id } });
    expect(await openStream(app, { key: body.token })).toMatchObject({
      status: 403,
      error: { error: 'insufficient_scope' },
    });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('405: %s', async (method) => {
    expect((await app.request(method, '/v1/events/stream')).status).toBe(405);
  });

  test('503: above MAX_STREAMS until a stream ends; 429: above a tenth of them for one environment', async () => {
    await using own = await startTestApp({ MAX_STREAMS: '11' });
    const [full, other] = [await own.createAccount(), await own.createAccount()];
    const keys = [full.liveKey, full.liveKey, full.sandboxKey, other.liveKey, other.sandboxKey];
    const streams = await Promise.all(keys.map((key) => openStream(own, { key })));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const refused = await openStream(own, { key: full.liveKey });
    expect(refused).toMatchObject({ status: 429, error: { error: 'rate_limited' } });
    expect(refused.error!.message).toContain('2 open streams');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (let left = 11 - keys.length; left > 0; left -= 2) {
      const { liveKey } = await own.createAccount();
      await Promise.all([openStream(own, { key: liveKey }), openStream(own, { key: liveKey })]);
    }
    expect(await openStream(own)).toMatchObject({ status: 503, error: { error: 'unavailable' } });
    expect((await own.request('GET', '/v1/events')).status).toBe(200);
    streams[0]!.close();
    await expect.poll(async () => (await openStream(own)).status, { timeout: 5_000 }).toBe(200);
  }, 30_000);
});
