import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { cliOf } from '../../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import {
  createTestWebhook,
  insertTestUser,
  setDeliveryState,
  emitEvents,
  type TestWebhook,
} from '../../test/webhooks.ts';

let app: TestApp;
let cli: ReturnType<typeof cliOf>;
let userId: string;
let webhook: TestWebhook;
beforeAll(async () => {
  app = await startTestApp();
  cli = cliOf(app);
  userId = await insertTestUser(app, app.account);
  webhook = await createTestWebhook(app, {
    url: 'https://example.com/hooks?token=hush',
    events: ['score.updated'],
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const emit = (...types: Parameters<typeof emitEvents>[3]) => emitEvents(app, app.account, userId, types);
const text = async (...args: string[]) => {
  const ended = await cli.tributary(['webhooks', ...args]);
  expect(ended).toMatchObject({ code: 0 });
  return ended.stdout;
};

test('list shows accounts and pending deliveries but hides secrets in URLs', async () => {
  const [failed] = await emit('score.updated', 'score.updated');
  await setDeliveryState(app, webhook, [failed!], 'failed');
  const other = await app.createAccount();
  const second = await createTestWebhook(app, { status: 'inactive' }, other.sandboxKey);
  const all = await cli.json('webhooks', 'list');
  expect(all.map(({ id }: { id: string }) => id).toSorted()).toEqual([webhook.id, second.id].toSorted());
  expect(all.find(({ id }: { id: string }) => id === webhook.id)).toMatchObject({
    account_id: app.account.id,
    environment: 'live',
    events: ['score.updated'],
    status: 'active',
    last_delivery_at: null,
    pending: 1,
    failed: 1,
  });
  const ofOther = await text('list', '--account', other.id);
  expect(ofOther).toMatch(/^WEBHOOK +ACCOUNT +ENVIRONMENT +STATUS +PENDING +FAILED +LAST ATTEMPT +URL\n/);
  expect(ofOther).toContain(second.id);
  expect(ofOther).not.toContain(webhook.id);
  const live = await text('list', '--environment', 'live');
  expect(live).toContain('https://example.com/hooks?…');
  expect(live).not.toContain('hush');
  expect(await text('list', '--account', other.id, '--environment', 'live')).toBe('No webhooks.\n');
});

test('deliveries and attempts show their results without terminal control characters', async () => {
  const [older, newer] = await emit('score.updated', 'score.updated');
  const attempt = { at: '2026-03-02T07:14:33.004Z', status: 500, error: null, milliseconds: 812 };
  await setDeliveryState(app, webhook, [older!], 'failed', {
    attempts: [{ ...attempt, answer: '\u001B[31mred' }],
  });
  const listed = await cli.json('webhooks', 'deliveries', webhook.id, '--limit', '2');
  expect(listed).toMatchObject([
    { event_id: newer, status: 'pending' },
    { event_id: older, status: 'failed', last_attempt: attempt },
  ]);
  const page = await text('deliveries', webhook.id, '--status', 'failed', '--limit', '1');
  expect(page).toMatch(/^EVENT +TYPE +STATUS +ATTEMPTS +LAST +NEXT ATTEMPT +ENDED\n/);
  expect(page).toMatch(new RegExp(`${older} +score.updated +failed +1 +500 +· +20`));
  const attempts = await text('attempts', webhook.id, older!);
  expect(attempts).toMatch(
    /\nAT +STATUS +MS +ERROR OR RESPONSE\n2026-03-02T07:14:33\.004Z +500 +812 +\?\[31mred\n$/,
  );
  expect(await cli.json('webhooks', 'attempts', webhook.id, older!)).toMatchObject({
    event_id: older,
    event: { event_id: older },
    attempts: [attempt],
  });
  expect(await text('attempts', webhook.id, newer!)).toContain('Not attempted yet.');
});

test('test queues a sample event', async () => {
  const delivery = await cli.json('webhooks', 'test', webhook.id, '--type', 'user.deleted');
  expect(delivery).toMatchObject({ event_type: 'user.deleted', test: true, status: 'pending' });
  expect(await text('test', webhook.id)).toMatch(/^Queued evt_\w+\. See `tributary webhooks attempts wh_/);
});

test('resend makes a delivery pending again', async () => {
  const [id] = await emit('score.updated');
  await setDeliveryState(app, webhook, [id!], 'succeeded');
  expect(await text('resend', webhook.id, id!)).toContain(`Queued ${id}.`);
  expect((await webhook.call('GET', `/deliveries/${id}`)).body.data.status).toBe('pending');
});

describe('recover', () => {
  test('continues until nothing is left and reports its progress', async () => {
    const account = await app.createAccount();
    const owner = await insertTestUser(app, account);
    const fresh = await createTestWebhook(app, {}, account.liveKey);
    await app.admin.query(
      `INSERT INTO feed (account_id, environment, position, id, user_id, type, metrics, data, created_at, sequenced_at)
       SELECT $1, 'live', n, gen_random_uuid(), $2, 'data.updated', '{}', '{}', now(), now() FROM generate_series(1, 10001) AS n`,
      [account.uuid, owner],
    );
    await app.admin.query(`INSERT INTO feed_heads VALUES ($1, 'live', 10001)`, [account.uuid]);
    const ended = await cli.tributary(['webhooks', 'recover', fresh.id, '--since', '2020-01-01T00:00:00Z']);
    expect(ended).toEqual({
      code: 0,
      stdout: 'Queued 10001 events. See `tributary webhooks deliveries`.\n',
      stderr: 'Scanned 10,000 events, 10,000 queued so far.\n',
    });
    const again = await cli.json('webhooks', 'recover', fresh.id, '--since', '2020-01-01T00:00:00Z');
    expect(again).toEqual({ queued: 0, cursor: expect.any(String) });
    expect(await cli.json('webhooks', 'recover', fresh.id, '--cursor', again.cursor)).toMatchObject({
      queued: 0,
    });
  });
});

test('rotate-secret prints the new secret once', async () => {
  const rotated = await cli.json('webhooks', 'rotate-secret', webhook.id);
  expect(rotated).toEqual({
    id: webhook.id,
    secret: expect.stringMatching(/^whsec_/),
    previous_secret_valid_until: expect.stringMatching(/Z$/),
  });
  expect(rotated.secret).not.toBe(webhook.secret);
  expect(await text('rotate-secret', webhook.id)).toMatch(
    /^whsec_\S{44}\nSave the secret now: it is not shown again\. .*Z\.\n$/,
  );
});

const nothing = formatId('wh', randomUUID());
test.each([
  [['deliveries', 'wh_1'], /Invalid id wh_1/],
  [['deliveries', nothing], /Webhook wh_\w+ not found/],
  [['deliveries', nothing, '--limit', '0'], /from 1 to 100/],
  [['test', nothing, '--type', 'ping'], /data\.updated/],
])('rejects %j with a one-line message', async (args, expected) => {
  const { code, stderr } = await cli.tributary(['webhooks', ...args]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain('    at ');
});

test('prints the API’s error message', async () => {
  const paused = await createTestWebhook(app, { status: 'inactive' });
  for (const [args, expected] of [
    [['test', paused.id], /not active/],
    [['recover', paused.id], /either --since or --cursor/],
    [['recover', paused.id, '--since', 'yesterday'], /is not a time/],
    [['recover', paused.id, '--cursor', 'nonsense'], /did not issue the cursor/],
    [['attempts', webhook.id, formatId('evt', randomUUID())], /has no delivery/],
    [['resend', webhook.id, 'evt_1'], /Invalid id evt_1/],
  ] as const) {
    const { code, stderr } = await cli.tributary(['webhooks', ...args]);
    expect(code).toBe(1);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('    at ');
  }
});

test('prints examples in the help', async () => {
  expect(await text('--help')).toMatch(/rotate-secret \[options\] <webhook-id>/);
  expect(await text('recover', '--help')).toMatch(/Examples:\n {2}tributary webhooks recover wh_/);
});
