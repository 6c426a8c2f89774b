import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatId } from '../ids.ts';
import { runSequencer } from '../jobs/sequencer.ts';
import { startReceiver, type ReceiverResponse, type Receiver } from '../test/receiver.ts';
import { insertTestEvents } from '../test/data/emit-events.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createTestWebhook } from '../test/webhooks.ts';
import type { Event } from '../store/events/events.ts';
import { runDeliveries } from './run-deliveries.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let app: TestApp;
let receiver: Receiver;
let running: AsyncDisposableStack;
beforeAll(async () => {
  running = new AsyncDisposableStack();
  app = running.use(await startTestApp());
  running.use(runSequencer(app.ctx));
  running.use(runDeliveries(app.ctx));
});
afterAll(() => running.disposeAsync());
beforeEach(async () => {
  await app.admin.query(`UPDATE webhooks SET status = 'deleted'`);
  await app.moveClock(0);
  receiver = running.use(await startReceiver());
});

interface Row {
  state: string;
  tries: number;
  due: number;
  attempts: { status: number | null; error: string | null; milliseconds: number; answer: string | null }[];
}

/** Creates a webhook that receives every event at once by default. Returns its UUID. */
async function plantWebhook(url: string, more: object = {}): Promise<string> {
  const { uuid } = await createTestWebhook(app, { url, coalesce_seconds: 0, ...more });
  return uuid;
}

function emitEvents(events: readonly Partial<Event>[]): Promise<string[]> {
  return insertTestEvents(
    app,
    app.account,
    events.map((event) => ({ type: 'score.updated', ...event })),
  );
}

async function deliveryOf(webhookId: string, eventId: string): Promise<Row> {
  const { rows } = await app.admin.query<Row>(
    `SELECT state, tries, attempts, extract(epoch FROM due_at)::float8 * 1000 AS due FROM deliveries WHERE webhook_id = $1 AND event_id = $2`,
    [webhookId, eventId],
  );
  return rows[0]!;
}

async function webhookRow(id: string) {
  const { rows } = await app.admin.query<{
    status: string;
    disabled_reason: string | null;
    failing: boolean;
  }>('SELECT status, disabled_reason, failing_since IS NOT NULL AS failing FROM webhooks WHERE id = $1', [
    id,
  ]);
  return rows[0]!;
}

function receivedIds(): unknown[] {
  return receiver.received.map(({ headers }) => headers['webhook-id']);
}

const poll = { timeout: 10_000, interval: 10 };

describe('events', () => {
  test('sends an event promptly, in the form of the feed', async () => {
    await plantWebhook(`${receiver.url}/hooks?a=1`);
    await emitEvents([{ metrics: [1], data: { change: 'updated', first_date: '2026-03-01' } }]);
    await expect.poll(() => receiver.received.length, poll).toBe(1);
    const [{ body, headers, path }] = receiver.received as [Receiver['received'][0]];
    const feed = await app.request('GET', '/v1/events?limit=1000');
    expect(body).toEqual(feed.body.events.at(-1));
    expect(path).toBe('/hooks?a=1');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tributary-Webhooks',
      'webhook-id': body.event_id,
    });
  });

  test('sends an event to every webhook that subscribes to its type, and to no other', async () => {
    await plantWebhook(`${receiver.url}/all`);
    await plantWebhook(`${receiver.url}/scores`, { events: ['device.connected', 'score.updated'] });
    await plantWebhook(`${receiver.url}/devices`, { events: ['device.connected'] });
    await plantWebhook(`${receiver.url}/inactive`, { status: 'inactive' });
    await emitEvents([{ type: 'score.updated' }, { type: 'device.connected' }]);
    await expect
      .poll(() => receiver.received.map(({ path, body }) => `${path} ${body.event_type}`).sort(), poll)
      .toEqual([
        '/all device.connected',
        '/all score.updated',
        '/devices device.connected',
        '/scores device.connected',
        '/scores score.updated',
      ]);
  });

  test('sends the events of one user one at a time, in order', async () => {
    await plantWebhook(receiver.url);
    let atOnce = 0;
    receiver.respond = async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return { status: 200 };
    };
    const userId = app.ctx.newId();
    const ids = await emitEvents(Array.from({ length: 12 }, () => ({ userId })));
    await expect.poll(receivedIds, poll).toEqual(ids.map((id) => formatId('evt', id)));
  });

  /** Responds to requests after a while. Returns the largest number of requests that were open at once. */
  function countOpen(): () => number {
    let atOnce = 0;
    let most = 0;
    receiver.respond = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 50));
      atOnce -= 1;
      return { status: 200 };
    };
    return () => most;
  }

  test('sends events of different users in parallel, up to the limit', async () => {
    await plantWebhook(receiver.url);
    const mostOpen = countOpen();
    await emitEvents(Array.from({ length: 60 }, () => ({})));
    await expect.poll(() => receiver.received.length, poll).toBe(60);
    expect(mostOpen()).toBe(8);
  });

  test('sends as many events in parallel as WEBHOOK_CONCURRENCY allows', async () => {
    await using own = await startTestApp({ WEBHOOK_CONCURRENCY: '20' });
    await using _sequencer = runSequencer(own.ctx);
    await using _deliveries = runDeliveries(own.ctx);
    await createTestWebhook(own, { url: receiver.url, coalesce_seconds: 0 });
    const mostOpen = countOpen();
    const events = Array.from({ length: 100 }, () => ({ type: 'score.updated' as const }));
    await insertTestEvents(own, own.account, events);
    await expect.poll(() => receiver.received.length, poll).toBe(100);
    expect(mostOpen()).toBe(20);
  });

  test('respects the rate limit of the webhook', async () => {
    await plantWebhook(receiver.url, { rate_limit: 20 });
    await emitEvents(Array.from({ length: 10 }, () => ({})));
    await expect.poll(() => receiver.received.length, poll).toBe(10);
    const [first, last] = [receiver.received[0]!, receiver.received[9]!];
    expect(last.at - first.at).toBeGreaterThan(400);
  });
});

describe('coalescing', () => {
  test('merges the changes of one user within a window into one delivery', async () => {
    const id = await plantWebhook(receiver.url, { coalesce_seconds: 1 });
    const userId = app.ctx.newId();
    const change = { type: 'data.updated', userId } as const;
    const ids = await emitEvents([
      {
        ...change,
        metrics: [1],
        data: { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-01', backfill: false },
      },
      {
        ...change,
        metrics: [2],
        data: { change: 'updated', first_date: '2026-03-02', last_date: '2026-03-02', backfill: false },
      },
      {
        ...change,
        metrics: [1],
        data: { change: 'updated', first_date: '2026-03-02', last_date: '2026-03-03', backfill: false },
      },
      {
        ...change,
        metrics: [3],
        data: { change: 'updated', first_date: '2025-03-02', last_date: '2025-03-03', backfill: true },
      },
    ]);
    await expect.poll(() => receiver.received.length, poll).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(receivedIds()).toEqual([ids[2]!, ids[3]!].map((one) => formatId('evt', one)));
    const [now, history] = receiver.received.map(({ body }) => body);
    expect(now.metrics).toHaveLength(2);
    expect(now.data).toEqual({
      change: 'updated',
      first_date: '2026-03-01',
      last_date: '2026-03-03',
      backfill: false,
    });
    expect(history.data).toMatchObject({ first_date: '2025-03-02', backfill: true });
    const states = await Promise.all(ids.map((one) => deliveryOf(id, one)));
    expect(states.map(({ state }) => state)).toEqual(['merged', 'merged', 'succeeded', 'succeeded']);
  });

  test('sends merged changes before later events, and retries them unchanged', async () => {
    const id = await plantWebhook(receiver.url, { coalesce_seconds: 900 });
    const userId = app.ctx.newId();
    const data = { change: 'updated', first_date: '2026-03-01', last_date: '2026-03-01', backfill: false };
    let response: ReceiverResponse = { status: 500 };
    receiver.respond = () => response;
    const ids = await emitEvents([
      { type: 'data.updated', userId, metrics: [1], data },
      { type: 'data.updated', userId, metrics: [2], data },
      { type: 'score.updated', userId },
    ]);
    const expected = [ids[1]!, ids[2]!].map((one) => formatId('evt', one));
    await expect.poll(receivedIds, poll).toEqual(expected);
    await expect.poll(async () => (await deliveryOf(id, ids[2]!)).tries, poll).toBe(1);
    response = { status: 200 };
    await app.moveClock(10_000);
    await expect.poll(() => receivedIds().slice(2).sort(), poll).toEqual(expected.toSorted());
    const bodies = receiver.received.filter(({ headers }) => headers['webhook-id'] === expected[0]);
    expect(bodies[1]!.text).toBe(bodies[0]!.text);
  });
});

describe('failures', () => {
  test('makes ten attempts by the schedule and then gives up', async () => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status: 500, body: 'out of order' });
    const [eventId] = await emitEvents([{}]);
    const waits = [
      5_000,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ];
    let offset = 0;
    for (const [at, wait] of waits.entries()) {
      await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(at + 1);
      const { due, state } = await deliveryOf(id, eventId!);
      const waits = due - app.ctx.clock.now();
      expect(state).toBe('pending');
      expect(waits).toBeGreaterThan(wait * 0.9 - 3_000);
      expect(waits).toBeLessThan(wait * 1.1);
      // No attempt before its time.
      await app.moveClock((offset += waits - 2_000));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(receiver.received).toHaveLength(at + 1);
      await app.moveClock((offset += 2_000));
    }
    await expect.poll(async () => (await deliveryOf(id, eventId!)).state, poll).toBe('failed');
    const { attempts } = await deliveryOf(id, eventId!);
    expect(attempts).toHaveLength(10);
    expect(attempts[9]).toMatchObject({ status: 500, error: null, answer: 'out of order' });
    await app.moveClock(offset + 30 * day);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receivedIds()).size).toBe(1);
  }, 60_000);

  test('is attempted again at once if it is resent during an attempt that fails', async () => {
    const webhook = await createTestWebhook(app, { url: receiver.url, coalesce_seconds: 0 });
    const firstResponse = Promise.withResolvers<ReceiverResponse>();
    receiver.respond = () => (receiver.received.length === 1 ? firstResponse.promise : { status: 204 });
    const [eventId] = await emitEvents([{}]);
    await expect.poll(() => receiver.received.length, poll).toBe(1);
    const path = `/deliveries/${formatId('evt', eventId!)}/resend`;
    expect((await webhook.call('POST', path)).status).toBe(202);
    firstResponse.resolve({ status: 500, headers: { 'retry-after': '600' } });
    await expect.poll(async () => (await deliveryOf(webhook.uuid, eventId!)).state, poll).toBe('succeeded');
    expect((await deliveryOf(webhook.uuid, eventId!)).attempts).toMatchObject([
      { status: 500 },
      { status: 204 },
    ]);
  });

  test('waits longer when the endpoint asks for it', async () => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status: 429, headers: { 'retry-after': '600' } });
    const [eventId] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(1);
    const wait = (await deliveryOf(id, eventId!)).due - app.ctx.clock.now();
    expect(wait).toBeGreaterThan(590_000);
    expect(wait).toBeLessThanOrEqual(600_000);
  });

  test.each([301, 307, 404])('treats %i as a failure and follows no redirect', async (status) => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status, headers: { location: `${receiver.url}/elsewhere` } });
    const [eventId] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(1);
    expect(await deliveryOf(id, eventId!)).toMatchObject({ state: 'pending', attempts: [{ status }] });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  test('records a reason when the host is unreachable', async () => {
    const id = await plantWebhook('http://127.0.0.1:9');
    const [eventId] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(1);
    const { attempts } = await deliveryOf(id, eventId!);
    expect(attempts).toMatchObject([
      { status: null, error: expect.stringContaining('refused'), answer: null },
    ]);
  });

  test('disables the webhook after a 410, holds its pending deliveries, and resumes them when it is active again', async () => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status: 410 });
    const [eventId] = await emitEvents([{}]);
    await expect
      .poll(() => webhookRow(id), poll)
      .toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const [missed] = await emitEvents([{}]);
    await app.moveClock(hour);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received).toHaveLength(1);
    receiver.respond = () => ({ status: 200 });
    await app.admin.query(
      `UPDATE webhooks SET status = 'active', disabled_reason = NULL, failing_since = NULL WHERE id = $1`,
      [id],
    );
    await expect.poll(async () => (await deliveryOf(id, eventId!)).state, poll).toBe('succeeded');
    expect(await deliveryOf(id, missed!)).toBeUndefined();
  });

  test('disables the webhook after five days of failures only, counted again after each success', async () => {
    const id = await plantWebhook(receiver.url);
    let response: ReceiverResponse = { status: 500 };
    receiver.respond = () => response;
    const failAt = async (offset: number) => {
      await app.moveClock(offset);
      const [eventId] = await emitEvents([{}]);
      await expect.poll(async () => (await deliveryOf(id, eventId!))?.tries ?? 0, poll).toBeGreaterThan(0);
    };
    await failAt(0);
    await failAt(4 * day);
    expect(await webhookRow(id)).toMatchObject({ status: 'active', failing: true });
    response = { status: 200 };
    await failAt(4 * day + hour);
    expect(await webhookRow(id)).toMatchObject({ status: 'active', failing: false });
    response = { status: 500 };
    await failAt(5 * day);
    await failAt(10 * day - minute);
    expect(await webhookRow(id)).toMatchObject({ status: 'active', failing: true });
    await failAt(10 * day + minute);
    expect(await webhookRow(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  }, 60_000);
});

describe('changes between attempts', () => {
  test('uses a new URL and respects a pause', async () => {
    const id = await plantWebhook(`${receiver.url}/old`);
    receiver.respond = () => ({ status: 503 });
    const [eventId] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(1);
    await app.admin.query(`UPDATE webhooks SET url = $2, status = 'inactive' WHERE id = $1`, [
      id,
      `${receiver.url}/new`,
    ]);
    await app.moveClock(hour);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old']);
    await app.admin.query(`UPDATE webhooks SET status = 'active' WHERE id = $1`, [id]);
    await expect.poll(() => receiver.received.map(({ path }) => path), poll).toEqual(['/old', '/new']);
  });

  test('sends nothing to a deleted webhook', async () => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status: 503 });
    const [eventId] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, eventId!)).tries, poll).toBe(1);
    await app.admin.query(`UPDATE webhooks SET status = 'deleted', secret = '' WHERE id = $1`, [id]);
    await app.moveClock(hour);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received).toHaveLength(1);
  });
});

describe('undeliverable events', () => {
  test('fails a delivery whose event the feed no longer retains, and continues with the next one', async () => {
    const id = await plantWebhook(receiver.url);
    receiver.respond = () => ({ status: 503 });
    const [forgotten] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, forgotten!))?.tries, poll).toBe(1);
    await app.admin.query('DELETE FROM feed WHERE id = $1', [forgotten]);
    receiver.respond = () => ({ status: 200 });
    await app.moveClock(minute);
    await expect.poll(async () => (await deliveryOf(id, forgotten!)).state, poll).toBe('failed');
    expect((await deliveryOf(id, forgotten!)).attempts).toMatchObject([
      { status: 503 },
      { status: null, error: 'The event is no longer kept.', milliseconds: 0, answer: null },
    ]);
    const [next] = await emitEvents([{}]);
    await expect.poll(async () => (await deliveryOf(id, next!))?.state, poll).toBe('succeeded');
    expect(receiver.received).toHaveLength(2);
  });

  test('retries at intervals while the secret cannot be decrypted, and resumes when it can', async () => {
    const id = await plantWebhook(receiver.url);
    const { rows } = await app.admin.query<{ secret: Buffer }>(
      `UPDATE webhooks w SET secret = 'xx' FROM webhooks o WHERE w.id = $1 AND o.id = w.id RETURNING o.secret`,
      [id],
    );
    const errors: unknown[] = [];
    const { log } = app.ctx;
    const original = log.error.bind(log);
    log.error = (...args: Parameters<typeof original>) => void errors.push(args);
    try {
      const [eventId] = await emitEvents([{}]);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(errors.length).toBeGreaterThan(1);
      expect(errors.length).toBeLessThan(10);
      await app.admin.query('UPDATE webhooks SET secret = $2 WHERE id = $1', [id, rows[0]!.secret]);
      await expect.poll(async () => (await deliveryOf(id, eventId!)).state, poll).toBe('succeeded');
    } finally {
      log.error = original;
    }
  });
});

describe('slow endpoints', () => {
  test('does not delay other endpoints', async () => {
    const slow = running.use(await startReceiver());
    slow.respond = () => 'hang';
    await plantWebhook(slow.url);
    await plantWebhook(receiver.url);
    await emitEvents(Array.from({ length: 40 }, () => ({})));
    await expect.poll(() => receiver.received.length, poll).toBe(40);
    expect(slow.received).toHaveLength(8);
  });
});

describe('multiple processes', () => {
  test('share the webhooks and take over when one stops', async () => {
    const webhooks = await Promise.all(
      Array.from({ length: 12 }, (_, at) => plantWebhook(`${receiver.url}/${at}`)),
    );
    const second = runDeliveries({ ...app.ctx });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await emitEvents([{}]);
    await expect.poll(() => receiver.received.length, poll).toBe(webhooks.length);
    await second[Symbol.asyncDispose]();
    await emitEvents([{}]);
    await expect.poll(() => receiver.received.length, poll).toBe(2 * webhooks.length);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.received).toHaveLength(2 * webhooks.length);
  });

  test('a dispatcher reconnects after its session is terminated', async () => {
    await plantWebhook(receiver.url);
    await app.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'tributary-delivery-%' AND datname = current_database()`,
    );
    await emitEvents([{}]);
    await expect.poll(() => receiver.received.length, poll).toBe(1);
  });
});
