import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/apps/test-app.ts';
import {
  createTestWebhook,
  insertTestUser,
  setDeliveryState,
  emitEvents,
  type TestWebhook,
} from '../../../test/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const longAgo = '2020-01-01T00:00:00Z';

/** An account with a user that has events, and a webhook for scores. */
async function arrange(input: object = {}) {
  const account = await app.createAccount();
  const userId = await insertTestUser(app, account);
  const webhook = await createTestWebhook(app, { events: ['score.updated'], ...input }, account.liveKey);
  return {
    account,
    userId,
    webhook,
    emit: (...types: Parameters<typeof emitEvents>[3]) => emitEvents(app, account, userId, types),
  };
}

async function pendingOf({ uuid }: TestWebhook): Promise<string[]> {
  const { rows } = await app.admin.query(
    `SELECT event_id FROM deliveries WHERE webhook_id = $1 AND state = 'pending' AND due_at <= tributary_now() ORDER BY due_at, position`,
    [uuid],
  );
  return rows.map(({ event_id }) => formatId('evt', event_id));
}

const recover = (webhook: TestWebhook, body: object) => webhook.call('POST', '/recover', body);
const feedCursor = async (account: TestAccount): Promise<string> =>
  (await app.request('GET', '/v1/events?limit=1000', { key: account.liveKey })).body.cursor;

describe('202', () => {
  // @contract webhooks: `recover` queues missed and failed deliveries and leaves the others unchanged _(addition)_
  test('queues events missed while the webhook was inactive, in feed order', async () => {
    const { webhook, emit } = await arrange();
    await webhook.call('PATCH', '', { status: 'inactive' });
    const [first, , third] = await emit('score.updated', 'data.updated', 'score.updated');
    await webhook.call('PATCH', '', { status: 'active' });
    expect(await pendingOf(webhook)).toEqual([]);
    const response = await recover(webhook, { since: longAgo });
    expect(response).toMatchObject({
      status: 202,
      body: { data: { queued: 2, cursor: expect.any(String), has_more: false } },
    });
    expect(await pendingOf(webhook)).toEqual([first, third]);
    const { data } = (await webhook.call('GET', `/deliveries/${first}`)).body;
    expect(data.event).toMatchObject({ event_id: first, event_type: 'score.updated' });
    expect((await recover(webhook, { since: longAgo })).body.data.queued).toBe(0);
  });

  // @contract webhooks: `recover` queues missed and failed deliveries and leaves the others unchanged _(addition)_
  test('queues failed deliveries again and leaves succeeded, merged and pending ones unchanged', async () => {
    const { webhook, emit } = await arrange();
    const [failed, succeeded, merged, waiting] = await emit(
      'score.updated',
      'score.updated',
      'score.updated',
      'score.updated',
    );
    await setDeliveryState(app, webhook, [failed!], 'failed', { attempts: [{ at: longAgo }], tries: 10 });
    await setDeliveryState(app, webhook, [succeeded!], 'succeeded');
    await setDeliveryState(app, webhook, [merged!], 'merged', { mergedInto: waiting! });
    await setDeliveryState(app, webhook, [waiting!], 'pending', { tries: 3 });
    expect((await recover(webhook, { since: longAgo })).body.data.queued).toBe(1);
    const { rows } = await app.admin.query(
      `SELECT state, tries, ended_at IS NULL AS open, jsonb_array_length(attempts) AS attempts, due_at <= tributary_now() AS due
       FROM deliveries WHERE webhook_id = $1 ORDER BY position`,
      [webhook.uuid],
    );
    expect(rows).toMatchObject([
      { state: 'pending', tries: 0, open: true, attempts: 1, due: true },
      { state: 'succeeded', open: false },
      { state: 'merged', open: false },
      { state: 'pending', tries: 3, due: false },
    ]);
  });

  // @contract webhooks: `recover` starts from a time or from a feed cursor and covers ten thousand positions per request _(addition)_
  test('starts at a feed cursor, not before it', async () => {
    const { account, webhook, emit } = await arrange({ status: 'inactive' });
    await emit('score.updated');
    const cursor = await feedCursor(account);
    const [second] = await emit('score.updated');
    await webhook.call('PATCH', '', { active: true });
    const { data } = (await recover(webhook, { cursor })).body;
    expect(data).toMatchObject({ queued: 1, has_more: false });
    expect(await pendingOf(webhook)).toEqual([second]);
    // The returned cursor is a feed cursor, too.
    const read = await app.request('GET', `/v1/events?cursor=${data.cursor}`, { key: account.liveKey });
    expect(read.body.events).toEqual([]);
  });

  // @contract webhooks: `recover` starts from a time or from a feed cursor and covers ten thousand positions per request _(addition)_
  test('starts exactly at the first event of a time, and queues nothing for a future time', async () => {
    const { account, webhook, emit } = await arrange({ status: 'inactive' });
    const ids: string[] = [];
    for (let at = 0; at < 9; at += 1) ids.push(...(await emit('score.updated')));
    await app.admin.query(
      `UPDATE feed SET sequenced_at = date_trunc('month', sequenced_at) + position * interval '1 minute' WHERE account_id = $1`,
      [account.uuid],
    );
    const { rows } = await app.admin.query(
      'SELECT sequenced_at, id FROM feed WHERE account_id = $1 ORDER BY position',
      [account.uuid],
    );
    await webhook.call('PATCH', '', { active: true });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    expect((await recover(webhook, { since: later })).body.data).toMatchObject({
      queued: 0,
      has_more: false,
    });
    // Newest first: each earlier time finds one more event.
    for (const [at, { sequenced_at: placedAt }] of [...rows.entries()].toReversed()) {
      const justAfter = new Date(placedAt.getTime() + 1).toISOString();
      expect((await recover(webhook, { since: justAfter })).body.data.queued).toBe(0);
      expect((await recover(webhook, { since: placedAt.toISOString() })).body.data.queued).toBe(1);
      expect((await pendingOf(webhook)).toSorted()).toEqual(ids.slice(at).toSorted());
    }
  });

  test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '2026-03-02T07:14:30+05:45'])(
    'accepts any valid time: %s',
    async (since) => {
      const { webhook } = await arrange();
      expect(await recover(webhook, { since })).toMatchObject({ status: 202, body: { data: { queued: 0 } } });
    },
  );

  test('recovers the first event from the cursor of an empty feed', async () => {
    const { webhook, emit } = await arrange();
    const { cursor } = (await recover(webhook, { since: longAgo })).body.data;
    const [id] = await emit('score.updated');
    await setDeliveryState(app, webhook, [id!], 'failed');
    expect((await recover(webhook, { cursor })).body.data.queued).toBe(1);
  });

  // @contract webhooks: `recover` starts from a time or from a feed cursor and covers ten thousand positions per request _(addition)_
  test('recovers a long feed in several requests of ten thousand positions each', async () => {
    const { account, userId, webhook } = await arrange({ events: ['*'] });
    await app.admin.query(
      `INSERT INTO feed (account_id, environment, position, id, user_id, type, metrics, data, created_at, sequenced_at)
       SELECT $1, 'live', n, gen_random_uuid(), $2, 'data.updated', '{}', '{"backfill": true}', now(), now() FROM generate_series(1, 20500) AS n`,
      [account.uuid, userId],
    );
    await app.admin.query(`INSERT INTO feed_heads VALUES ($1, 'live', 20500)`, [account.uuid]);
    const queued: number[] = [];
    let body: object = { since: longAgo };
    for (let hasMore = true; hasMore;) {
      const { data } = (await recover(webhook, body)).body;
      queued.push(data.queued);
      body = { cursor: data.cursor };
      hasMore = data.has_more;
    }
    expect(queued).toEqual([10_000, 10_000, 500]);
    const { rows } = await app.admin.query(
      `SELECT count(*)::int AS n, bool_and(backfill) AS backfill FROM deliveries d JOIN feed f ON f.id = d.event_id
         AND f.position = d.position AND f.sequenced_at = d.sequenced_at WHERE webhook_id = $1`,
      [webhook.uuid],
    );
    expect(rows).toEqual([{ n: 20_500, backfill: true }]);
  });

  test('sends only the deletion for a deleted user', async () => {
    const { account, webhook, emit, userId } = await arrange({ events: ['*'], status: 'inactive' });
    await emit('data.updated');
    const [, deleted] = await emit('score.updated', 'user.deleted');
    await app.admin.query(`UPDATE users SET status = 'deleting' WHERE id = $1`, [userId]);
    const other = await insertTestUser(app, account);
    const [otherEvent] = await emitEvents(app, account, other, ['data.updated']);
    await webhook.call('PATCH', '', { active: true });
    expect((await recover(webhook, { since: longAgo })).body.data.queued).toBe(2);
    expect(await pendingOf(webhook)).toEqual([deleted, otherEvent]);
  });
});

describe('400', () => {
  test.each([
    {},
    { since: longAgo, cursor: 'x' },
    { since: 'yesterday' },
    { since: 1_700_000_000 },
    { since: '2026-02-30T00:00:00Z' },
    { cursor: '' },
    { cursor: 'x'.repeat(3) + 'y'.repeat(2048) },
  ])('%j', async (body) => {
    const { webhook } = await arrange();
    expect(await recover(webhook, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('rejects a cursor that is not a position of this feed: malformed, of a list, of another account', async () => {
    const { account, webhook } = await arrange();
    const other = await app.createAccount();
    await emitEvents(app, account, randomUUID(), ['score.updated', 'score.updated']);
    const { next_cursor: ofList } = (await webhook.call('GET', '/deliveries?limit=1')).body;
    for (const cursor of ['nonsense', ofList, await feedCursor(other)])
      expect(await recover(webhook, { cursor })).toMatchObject({
        status: 400,
        body: { error: 'invalid_cursor' },
      });
  });

  test('reports a cursor after which events were dropped', async () => {
    const { account, webhook, emit } = await arrange();
    const cursor = await feedCursor(account);
    await emit('score.updated', 'score.updated', 'score.updated');
    await app.admin.query('DELETE FROM feed WHERE account_id = $1 AND position < 3', [account.uuid]);
    expect(await recover(webhook, { cursor })).toMatchObject({
      status: 400,
      body: { error: 'invalid_cursor', details: { reason: 'expired' } },
    });
    expect((await recover(webhook, { since: longAgo })).status).toBe(202);
  });
});
