import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../../ids.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/apps/test-app.ts';
import {
  createTestWebhook,
  insertTestUser,
  setDeliveryState,
  emitEvents,
  type TestWebhook,
} from '../../../test/webhooks.ts';

let app: TestApp;
let account: TestAccount;
let userId: string;
beforeAll(async () => {
  app = await startTestApp();
  account = app.account;
  userId = await insertTestUser(app, account);
});
afterAll(() => app[Symbol.asyncDispose]());

/** A failed attempt, as the dispatchers record it. */
const failure = {
  at: '2026-03-02T07:14:33.004Z',
  status: 500,
  error: null,
  milliseconds: 812,
  answer: 'Internal Server Error',
};
const idsOf = (response: { body: { data: { event_id: string }[] } }) =>
  response.body.data.map(({ event_id }) => event_id);
const emit = (...types: Parameters<typeof emitEvents>[3]) => emitEvents(app, account, userId, types);

/** A webhook for scores only, with `count` deliveries of them; returns their IDs, oldest first. */
async function withDeliveries(count: number): Promise<[TestWebhook, string[]]> {
  const webhook = await createTestWebhook(app, { events: ['score.updated'] });
  const ids = await emit(...Array.from({ length: count }, () => 'score.updated' as const));
  return [webhook, ids];
}

async function rowOf({ uuid }: TestWebhook, eventId: string) {
  const { rows } = await app.admin.query(
    `SELECT d.state, d.tries, d.ended_at, d.due_at <= tributary_now() AS due, jsonb_array_length(d.attempts) AS attempts
     FROM deliveries d WHERE d.webhook_id = $1 AND d.event_id = $2`,
    [uuid, parseId('evt', eventId)],
  );
  return rows[0];
}

describe('GET deliveries 200', () => {
  // @contract webhooks: Deliveries are listed newest first, by status, with cursors _(addition)_
  test('returns the state of each delivery, newest first', async () => {
    const [webhook, [first, second, third]] = await withDeliveries(3);
    await setDeliveryState(app, webhook, [first!], 'failed', {
      attempts: [failure, { ...failure, status: null, error: 'timeout' }],
    });
    await setDeliveryState(app, webhook, [second!], 'merged', { mergedInto: third! });
    const response = await webhook.call('GET', '/deliveries');
    const common = {
      event_type: 'score.updated',
      user_id: formatId('user', userId),
      held: false,
      test: false,
      created_at: expect.stringMatching(/Z$/),
    };
    expect(response).toMatchObject({ status: 200 });
    expect(response.body).toEqual({
      data: [
        {
          ...common,
          event_id: third,
          status: 'pending',
          next_attempt_at: expect.stringMatching(/Z$/),
          ended_at: null,
          attempt_count: 0,
          last_attempt: null,
          merged_into: null,
        },
        {
          ...common,
          event_id: second,
          status: 'merged',
          next_attempt_at: null,
          ended_at: expect.stringMatching(/Z$/),
          attempt_count: 0,
          last_attempt: null,
          merged_into: third,
        },
        {
          ...common,
          event_id: first,
          status: 'failed',
          next_attempt_at: null,
          ended_at: expect.stringMatching(/Z$/),
          attempt_count: 2,
          last_attempt: { at: failure.at, status: null, error: 'timeout', milliseconds: 812 },
          merged_into: null,
        },
      ],
      next_cursor: null,
    });
  });

  test.each([
    'pending',
    // @contract webhooks: Deliveries are listed newest first, by status, with cursors _(addition)_
    'failed',
    'succeeded',
    'merged',
  ] as const)('returns only deliveries that are %s, page by page', async (status) => {
    const [webhook, ids] = await withDeliveries(16);
    const states = ['pending', 'failed', 'succeeded', 'merged'] as const;
    const wanted: string[] = [];
    for (const [at, id] of ids.entries()) {
      const state = states[at % states.length]!;
      await setDeliveryState(app, webhook, [id], state);
      if (state === status) wanted.unshift(id);
    }
    const seenIds: string[] = [];
    let query = `status=${status}&limit=3`;
    for (let pages = 0; query !== ''; pages += 1) {
      const { body } = await webhook.call('GET', `/deliveries?${query}`);
      seenIds.push(...idsOf({ body }));
      query = body.next_cursor === null ? '' : `cursor=${body.next_cursor}`;
      expect(pages).toBeLessThan(3);
    }
    expect(seenIds).toEqual(wanted);
  });

  test('returns every delivery once, page by page', async () => {
    const [webhook, ids] = await withDeliveries(7);
    const first = await webhook.call('GET', '/deliveries?limit=3');
    const second = await webhook.call('GET', `/deliveries?cursor=${first.body.next_cursor}`);
    const third = await webhook.call('GET', `/deliveries?limit=3&cursor=${second.body.next_cursor}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids.toReversed());
    expect(third.body.next_cursor).toBeNull();
  });

  test('limits the scan for a rare state and continues where it ended', async () => {
    const [webhook, [oldest]] = await withDeliveries(1);
    await setDeliveryState(app, webhook, [oldest!], 'merged', { mergedInto: oldest! });
    await app.admin.query(
      `INSERT INTO deliveries (webhook_id, event_id, account_id, environment, type, state, created_at, due_at)
       SELECT $1, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, 'live', 'score.updated', 'succeeded', now(), now()
       FROM generate_series(1, 10000) AS n`,
      [webhook.uuid, account.uuid],
    );
    const none = await webhook.call('GET', '/deliveries?status=merged');
    expect(none.body).toMatchObject({ data: [], next_cursor: expect.any(String) });
    const nextPage = await webhook.call('GET', `/deliveries?cursor=${none.body.next_cursor}`);
    expect(idsOf(nextPage)).toEqual([oldest]);
    expect(nextPage.body.next_cursor).toBeNull();
    expect(idsOf(await webhook.call('GET', '/deliveries?status=failed'))).toEqual([]);
  });
});

describe('GET deliveries 400', () => {
  test.each([
    ['status=held', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['since=2026-01-01', 'since'],
  ])('%s', async (query, name) => {
    const webhook = await createTestWebhook(app);
    const response = await webhook.call('GET', `/deliveries?${query}`);
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.details.fields[0].name).toBe(name);
  });

  test('rejects a cursor that is malformed or of another webhook, status or limit', async () => {
    const [webhook] = await withDeliveries(3);
    const other = await createTestWebhook(app);
    const { next_cursor: cursor } = (await webhook.call('GET', '/deliveries?limit=2')).body;
    const { cursor: ofFeed } = (await app.request('GET', '/v1/events')).body;
    for (const response of [
      await webhook.call('GET', '/deliveries?cursor=nonsense'),
      await webhook.call('GET', `/deliveries?cursor=${ofFeed}`),
      await webhook.call('GET', `/deliveries?cursor=${cursor}&status=failed`),
      await webhook.call('GET', `/deliveries?cursor=${cursor}&limit=3`),
      await other.call('GET', `/deliveries?cursor=${cursor}`),
    ])
      expect(response).toMatchObject({ status: 400, body: { error: 'invalid_cursor' } });
    const start = await webhook.call('GET', '/deliveries?limit=2&cursor=');
    expect(start.body.next_cursor).toBe(cursor);
  });
});

describe('GET deliveries/{event_id}', () => {
  // @contract webhooks: A delivery includes its attempts and its request body _(addition)_
  test('200: returns every attempt with its response, and the event that is sent', async () => {
    const [webhook, [id]] = await withDeliveries(1);
    await setDeliveryState(app, webhook, [id!], 'pending', { attempts: [failure] });
    const response = await webhook.call('GET', `/deliveries/${id}`);
    const { events } = (await app.request('GET', `/v1/events?user_id=${formatId('user', userId)}&limit=1000`))
      .body;
    expect(response).toMatchObject({ status: 200 });
    expect(response.body.data).toMatchObject({ event_id: id, status: 'pending', attempt_count: 1 });
    expect(response.body.data.attempts).toEqual([failure]);
    expect(response.body.data.event).toEqual(
      events.find((event: { event_id: string }) => event.event_id === id),
    );
    expect(response.body.data.event).toMatchObject({ event_id: id, data: {} });
  });

  test('200: returns the events that were merged into one', async () => {
    const [webhook, [id]] = await withDeliveries(1);
    const { event } = (await webhook.call('GET', `/deliveries/${id}`)).body.data;
    const sent = { ...event, metrics: ['steps', 'weight'] };
    await app.admin.query('UPDATE deliveries SET sent = $2 WHERE webhook_id = $1', [
      webhook.uuid,
      JSON.stringify(sent),
    ]);
    expect((await webhook.call('GET', `/deliveries/${id}`)).body.data.event).toEqual(sent);
  });

  test('200: omits the event once the feed no longer has it', async () => {
    const [webhook, [id]] = await withDeliveries(1);
    await app.admin.query('DELETE FROM feed WHERE id = $1', [parseId('evt', id!)]);
    expect((await webhook.call('GET', `/deliveries/${id}`)).body.data).toMatchObject({
      event_id: id,
      event: null,
    });
  });

  test('404: no delivery, another webhook’s, a malformed ID', async () => {
    const [webhook, [id]] = await withDeliveries(1);
    const other = await createTestWebhook(app);
    for (const response of [
      await webhook.call('GET', `/deliveries/${formatId('evt', randomUUID())}`),
      await other.call('GET', `/deliveries/${id}`),
      await webhook.call('GET', '/deliveries/evt_1'),
      await other.call('POST', `/deliveries/${id}/resend`),
      await webhook.call('POST', '/deliveries/evt_1/resend'),
    ])
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});

describe('resend', () => {
  test.each([
    // @contract webhooks: `resend` sends a delivery again; a merged delivery is 409 and names the delivery that includes it _(addition)_
    'failed',
    'succeeded',
  ] as const)('202: a delivery that %s is due now and keeps its attempts', async (state) => {
    const [webhook, [id]] = await withDeliveries(1);
    await setDeliveryState(app, webhook, [id!], state, { attempts: [failure], tries: 10 });
    const response = await webhook.call('POST', `/deliveries/${id}/resend`);
    expect(response).toMatchObject({
      status: 202,
      body: { data: { event_id: id, status: 'pending', ended_at: null, attempt_count: 1 } },
    });
    expect(await rowOf(webhook, id!)).toEqual({
      state: 'pending',
      tries: 0,
      ended_at: null,
      due: true,
      attempts: 1,
    });
  });

  test('202: a delivery that waits for a retry is due now, without extra attempts', async () => {
    const [webhook, [id]] = await withDeliveries(1);
    await setDeliveryState(app, webhook, [id!], 'pending', { attempts: [failure], tries: 4 });
    expect(await rowOf(webhook, id!)).toMatchObject({ due: false });
    expect((await webhook.call('POST', `/deliveries/${id}/resend`)).status).toBe(202);
    expect(await rowOf(webhook, id!)).toMatchObject({ state: 'pending', tries: 4, due: true });
  });

  test('202: a delivery without attempts keeps its scheduled time', async () => {
    const webhook = await createTestWebhook(app, { events: ['data.updated'], coalesce_seconds: 900 });
    const [id] = await emit('data.updated');
    expect((await webhook.call('POST', `/deliveries/${id}/resend`)).status).toBe(202);
    expect(await rowOf(webhook, id!)).toMatchObject({ state: 'pending', tries: 0, due: false });
  });

  // @contract webhooks: `resend` sends a delivery again; a merged delivery is 409 and names the delivery that includes it _(addition)_
  test('409: a merged delivery names the one that includes it', async () => {
    const [webhook, [first, second]] = await withDeliveries(2);
    await setDeliveryState(app, webhook, [first!], 'merged', { mergedInto: second! });
    const response = await webhook.call('POST', `/deliveries/${first}/resend`);
    expect(response).toMatchObject({
      status: 409,
      body: { error: 'delivery_merged', details: { merged_into: second } },
    });
    expect(await rowOf(webhook, first!)).toMatchObject({ state: 'merged' });
  });
});

describe('test', () => {
  // @contract webhooks: `test` sends a sample event that does not appear in the feed _(addition)_
  test('202: a sample event is due now and is not in the feed', async () => {
    const webhook = await createTestWebhook(app, { events: ['score.updated', 'data.updated'] });
    const before = (await app.request('GET', '/v1/events?limit=1000')).body.cursor;
    const response = await webhook.call('POST', '/test', {});
    expect(response).toMatchObject({
      status: 202,
      body: {
        data: {
          event_type: 'score.updated',
          user_id: null,
          test: true,
          status: 'pending',
          next_attempt_at: expect.any(String),
        },
      },
    });
    const { event_id: id } = response.body.data;
    const { data } = (await webhook.call('GET', `/deliveries/${id}`)).body;
    expect(data.event).toMatchObject({ event_id: id, event_type: 'score.updated', metrics: ['sleep_score'] });
    expect(data.event.data).toMatchObject({ test: true, change: 'updated' });
    expect((await app.request('GET', `/v1/events?cursor=${before}`)).body.events).toEqual([]);
    // The user of the sample event does not exist.
    expect((await app.request('GET', `/v1/users/${data.event.user_id}`)).status).toBe(404);
  });

  test.each([
    ['data.updated', { metrics: ['steps', 'heart_rate'], device_id: null }],
    [
      'device.connected',
      {
        metrics: [],
        device_id: expect.stringMatching(/^dev_/),
        data: { test: true, provider: 'apple_health' },
      },
    ],
    ['user.deleted', { metrics: [], device_id: null, data: { test: true } }],
  ])('202: sends the requested type %s', async (type, expected) => {
    const webhook = await createTestWebhook(app);
    const { body } = await webhook.call('POST', '/test', { event_type: type });
    const { event } = (await webhook.call('GET', `/deliveries/${body.data.event_id}`)).body.data;
    expect(event).toMatchObject({ event_type: type, ...expected });
  });

  test('202: uses data.updated for a webhook with `*`', async () => {
    const webhook = await createTestWebhook(app);
    expect((await webhook.call('POST', '/test', {})).body.data.event_type).toBe('data.updated');
  });

  test('400: an unknown type', async () => {
    const webhook = await createTestWebhook(app);
    for (const event_type of ['*', 'ping', 7])
      expect(await webhook.call('POST', '/test', { event_type })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
  });
});

// @contract webhooks: A webhook that is not active rejects `test`, `resend` and `recover` with 409 _(addition)_
test.each(['inactive', 'disabled'] as const)(
  '409: a webhook that is %s rejects test, resend and recover',
  async (status) => {
    const [webhook, [id]] = await withDeliveries(1);
    await setDeliveryState(app, webhook, [id!], 'failed');
    const reason = status === 'disabled' ? 'gone' : null;
    await app.admin.query('UPDATE webhooks SET status = $2, disabled_reason = $3 WHERE id = $1', [
      webhook.uuid,
      status,
      reason,
    ]);
    for (const [path, body] of [
      ['/test', {}],
      ['/recover', { since: '2026-01-01T00:00:00Z' }],
      [`/deliveries/${id}/resend`, undefined],
    ] as const) {
      const response = await webhook.call('POST', path, body);
      expect(response).toMatchObject({
        status: 409,
        body: { error: 'webhook_not_active', details: { status, disabled_reason: reason } },
      });
      expect(response.body.message).toContain('`active`');
    }
    expect(await rowOf(webhook, id!)).toMatchObject({ state: 'failed' });
  },
);
