import { exampleBatch } from '@tributary/contract/testing';
import {
  type ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PaymentRequiredError,
  PermissionError,
  RateLimitError,
  ServerError,
  Tributary,
  TributaryUser,
  UnprocessableError,
  type ErrorCode,
} from '@tributary/client';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { testActor } from '../../test/acting.ts';
import type { TestAccount, TestApp } from '../../test/apps/test-app.ts';
import { join, sendInvitationReply, startRosterApp } from '../../test/data/roster.ts';
import { workThrough } from '../../test/data/uploads.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';
import { createSchemaCheck, listOperations, readOpenApiFile } from '../../test/openapi-file.ts';
import { createTestWebhook, emitEvents, insertTestUser, setDeliveryState } from '../../test/webhooks.ts';

/** The published client against the service: every operation in both forms, and every error by its class. */

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp({
    LAB_URL: 'http://127.0.0.1:9',
    SANDBOX_WAIT_MS: '0',
    MAX_DEVICES_PER_USER: '3',
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const forms = [1, 2] as const;
const day = { first: '2026-02-20', last: '2026-03-05' };

/** A `fetch` that records each operation, and the problems of each response with the description of its form. */
async function createRecorder(form: 1 | 2) {
  const document = await readOpenApiFile(form);
  const described = listOperations(document);
  const check = createSchemaCheck(document);
  const operations = new Set<string>();
  const problems: string[] = [];
  const record: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const { pathname } = new URL(url);
    const match = described.find(
      ({ method, path }) =>
        method === init!.method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    )!;
    const { operationId, responses } = match.operation;
    operations.add(operationId);
    const written = responses[response.status];
    if (!written) problems.push(`${operationId} returned ${response.status}, which is not described`);
    else if (written.content) {
      const problem = check(match.schemaOf(response.status), await response.clone().json());
      if (problem) problems.push(`${operationId} ${response.status}: ${problem}`);
    }
    return response;
  };
  const ids = described.map(({ operation }) => operation.operationId);
  return { record, operations, problems, ids };
}

const sleep = {
  id: 'night',
  start: '2026-02-27T22:30:00Z',
  end: '2026-02-28T06:10:00Z',
  minutes: { asleep: 421 },
};
const workout = {
  id: 'run',
  sport_type: 'running',
  start: '2026-02-28T16:00:00Z',
  end: '2026-02-28T16:50:00Z',
};

const batchOf = (change: object = {}) => ({ ...exampleBatch, batch_id: randomUUID(), ...change });

/** Methods whose types do not depend on the form. */
type AnyClient = Tributary<1> | Tributary<2>;

/** Uploads as a phone does, and returns the access token. */
async function upload(client: AnyClient, userId: string, change: object = {}): Promise<string> {
  const { token } = await client.tokens.createMobileToken({ user_id: userId });
  const { access_token } = await client.sdkSessions.exchange({ client_token: token });
  await client.batches.create(batchOf(change), { bearer: access_token });
  await workThrough(app);
  return access_token;
}

/** Calls every operation that has one shape. */
async function callShared(
  live: AnyClient,
  sandbox: AnyClient,
  userId: string,
  sandboxUserId: string,
): Promise<void> {
  await callPhone(live, userId);
  await callReads(live, userId);
  await callWebhooks(live);
  await callRoster(live);
  for (const call of [
    live.consolidation.catalog(),
    live.consolidation.get(userId),
    live.consolidation.update(userId, { metrics: { steps: { method: 'sum' } } }),
    live.consolidation.preview(userId, { metrics: { steps: { method: null } } }, { from_date: day.first }),
    live.consolidation.reset(userId),
    live.metrics.list(),
    live.providers.list({ include: 'unavailable' }),
    live.events.list({ limit: 1 }),
    live.audit.list(),
    live.accessRecords.list({ user_id: userId }),
    live.tokens.createUserToken({ user_id: userId }),
    live.tokens.createMobileToken({ user_id: userId, scopes: ['sleep'] }),
    live.tokens.refreshUserToken({ user_id: userId }),
    sandbox.sandbox.advance(sandboxUserId, { days: 0 }),
    live.service.health(),
    live.service.readiness(),
    live.service.keys(),
    live.service.openapi(),
    live.service.openapiForm1(),
    live.service.openapiForm2(),
  ])
    await call;
  const { data: device } = await sandbox.devices.connect(sandboxUserId, { provider: 'oura' });
  await sandbox.devices.getSync(sandboxUserId, device.id);
  expect((await sandbox.devices.list(sandboxUserId)).data.length).toBeGreaterThan(0);
  await sandbox.devices.delete(sandboxUserId, device.id);
}

async function callPhone(live: AnyClient, userId: string): Promise<void> {
  const bootstrap = await live.sdkSessions.create(userId, { platform: 'ios' });
  const { refresh_token } = await live.sdkSessions.exchange({ client_token: bootstrap.client_token });
  const { access_token: bearer } = await live.sdkSessions.refresh({ refresh_token });
  const batch = batchOf({ sleep: [sleep], workouts: [workout] });
  await live.batches.create(batch, { bearer });
  await workThrough(app);
  expect(await live.batches.get(batch.batch_id, { bearer })).toMatchObject({ status: 'processed' });
  await live.sdkSessions.deleteCurrent({ bearer });
  const other = await live.sdkSessions.create(userId, {});
  const ids: string[] = [];
  for await (const { session_id } of live.sdkSessions.list(userId)) ids.push(session_id);
  expect(ids).toContain(other.session_id);
  await live.sdkSessions.delete(userId, other.session_id);
}

async function callReads(live: AnyClient, userId: string): Promise<void> {
  const dates = { start_date: '2026-03-01', end_date: '2026-03-02' };
  const samples: number[] = [];
  for await (const { value } of live.timeseries.list(userId, { ...dates, metrics: ['heart_rate'] }))
    samples.push(value);
  expect(samples).toEqual([61, 62, 62, 63]);
  await live.scores.history(userId, { ...dates, include_missing: true });
  await live.scores.explain(userId, { type: 'sleep_score', date: '2026-02-28' });
  const explained = await live.daily.explain(userId, { metric: 'steps', date: '2026-03-01' });
  expect(explained.value).toBe(8420);
}

async function callWebhooks(live: AnyClient): Promise<void> {
  const { data: webhook } = await live.webhooks.create({ url: 'https://example.com/hooks', events: ['*'] });
  await live.webhooks.get(webhook.id);
  await live.webhooks.update(webhook.id, { rate_limit: 10 });
  await live.webhooks.rotateSecret(webhook.id);
  const { data: delivery } = await live.webhooks.test(webhook.id, {});
  await live.deliveries.get(webhook.id, delivery.event_id);
  await live.deliveries.resend(webhook.id, delivery.event_id);
  const eventIds: string[] = [];
  for await (const { event_id } of live.deliveries.list(webhook.id)) eventIds.push(event_id);
  expect(eventIds).toEqual([delivery.event_id]);
  await live.webhooks.recover(webhook.id, { since: '2026-03-01T00:00:00Z' });
  expect((await live.webhooks.list()).data.map(({ id }) => id)).toContain(webhook.id);
  await live.webhooks.delete(webhook.id);
}

async function callRoster(live: AnyClient): Promise<void> {
  const invited = await live.invitations.create({ email: `${randomUUID()}@example.com` });
  await live.invitations.get(invited.id);
  await live.invitations.list({ limit: 1 });
  await live.invitations.delete(invited.id);
  const second = await live.invitations.create({ email: `${randomUUID()}@example.com` });
  await sendInvitationReply(app, second.id);
  const { data } = await live.members.list({ limit: 1 });
  await live.members.update(data[0]!.id, { status: 'archived' });
  await live.members.delete(data[0]!.id);
}

/** Calls the operations that have two forms, in Form 1. */
async function callForm1(client: Tributary<1>, userId: string): Promise<void> {
  const dates = { start_date: day.first, end_date: day.last };
  const { data } = await client.daily.list(userId, { ...dates, metrics: ['steps'], include_sources: true });
  expect(data).toMatchObject([{ date: '2026-03-01', metric: 'steps', value: 8420 }]);
  await client.scores.list(userId);
  const nights = await client.sleep.list(userId, dates);
  await client.sleep.explain(userId, nights.data[0]!.id);
  const runs = await client.workouts.list(userId, dates);
  expect(runs.meta.total).toBe(1);
  await client.workouts.get(userId, runs.data[0]!.id);
  await client.workouts.explain(userId, runs.data[0]!.id);
  await client.users.get(userId);
  await client.users.update(userId, { timezone: 'Europe/Berlin' });
  const ids: string[] = [];
  for await (const { id } of client.users.list({ per_page: 1 })) ids.push(id);
  expect(ids).toContain(userId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await client.users.delete(userId)).toEqual({ data: { id: userId, status: 'deleting' } });
}

/** Calls the operations that have two forms, in Form 2. */
async function callForm2(client: Tributary<2>, userId: string): Promise<void> {
  const dates = { from_date: day.first, to_date: day.last };
  const { series, dates: days } = await client.daily.list(userId, { ...dates, types: 'steps' });
  expect(series['steps']![days.indexOf('2026-03-01')]).toBe(8420);
  await client.scores.list(userId);
  const nights = await client.sleep.list(userId, dates);
  await client.sleep.explain(userId, nights.data[0]!.id);
  const runs = await client.workouts.list(userId, dates);
  await client.workouts.get(userId, runs.data[0]!.id);
  await client.workouts.explain(userId, runs.data[0]!.id);
  await client.users.get(userId);
  await client.users.update(userId, { timezone: 'Europe/Berlin' });
  const ids: string[] = [];
  for await (const { id } of client.users.list({ limit: 1 })) ids.push(id);
  expect(ids).toContain(userId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(await client.users.delete(userId)).toEqual({ id: userId, status: 'deleting' });
}

describe.each(forms)('Form %s', (form) => {
  // @contract all/forms: Every operation works through the client in both forms, and every response matches the description of its form
  test('every operation works, and every response is as described', async () => {
    const { record, operations, problems, ids } = await createRecorder(form);
    const options = { baseUrl: app.url, fetch: record };
    const [reference, sandboxReference] = [randomUUID(), randomUUID()];
    const { liveKey, sandboxKey } = app.account;
    if (form === 1) {
      const live = new Tributary({ ...options, apiKey: liveKey, form: 1 });
      const sandbox = new Tributary({ ...options, apiKey: sandboxKey, form: 1 });
      const { data: user } = await live.users.create({ reference_id: reference });
      const { data: other } = await sandbox.users.create({ reference_id: sandboxReference });
      await callShared(live, sandbox, user.id, other.id);
      await callForm1(live, user.id);
    } else {
      const live = new Tributary({ ...options, apiKey: liveKey, form: 2 });
      const sandbox = new Tributary({ ...options, apiKey: sandboxKey, form: 2 });
      const user = await live.users.create({ external_ref: reference });
      const other = await sandbox.users.create({ external_ref: sandboxReference });
      await callShared(live, sandbox, user.id, other.id);
      await callForm2(live, user.id);
    }
    // `events.follow` opens the stream.
    expect(ids.filter((id) => !operations.has(id))).toEqual(['streamEvents']);
    expect(problems).toEqual([]);
  });

  test('a user token reads its own user', async () => {
    const client = new Tributary({ baseUrl: app.url, apiKey: app.account.liveKey, form: 2 });
    const { id } = await client.users.create({ external_ref: randomUUID() });
    await upload(client, id, { sleep: [sleep], workouts: [workout] });
    const { record, operations, problems } = await createRecorder(form);
    const userToken = async () => (await client.tokens.createUserToken({ user_id: id })).token;
    const options = { baseUrl: app.url, userToken, fetch: record, cachedResponses: 10 };
    const dates1 = { start_date: day.first, end_date: day.last };
    const one = new TributaryUser({ ...options, form: 1 });
    const two = new TributaryUser({ ...options, form: 2 });
    const own = form === 1 ? one : two;
    for (let round = 0; round < 2; round += 1) {
      await (form === 1 ? one.daily.list(id, dates1) : two.daily.list(id));
      await (form === 1 ? one.sleep.list(id, dates1) : two.sleep.list(id));
      const { data } = await (form === 1
        ? one.workouts.list(id, dates1)
        : two.workouts.list(id, { from_date: day.first, to_date: day.last }));
      await own.workouts.get(id, data[0]!.id);
      await own.scores.list(id);
      await own.scores.history(id, dates1);
      await own.timeseries.list(id, { ...dates1, metrics: 'heart_rate' });
      expect((await own.devices.list(id)).data).toHaveLength(1);
    }
    expect(operations.size).toBe(8);
    expect(problems).toEqual([]);
  });
});

describe('errors', () => {
  let client: Tributary<2>;
  let live: Tributary<1>;
  let userId: string;
  let other: { account: TestAccount; client: Tributary<2> };
  const withKey = (apiKey: string) => new Tributary({ baseUrl: app.url, apiKey, form: 2, maxRetries: 0 });

  beforeAll(async () => {
    client = withKey(app.account.liveKey);
    live = new Tributary({ baseUrl: app.url, apiKey: app.account.liveKey, form: 1, maxRetries: 0 });
    userId = (await client.users.create({ external_ref: 'errors' })).id;
    const account = await app.createAccount();
    other = { account, client: withKey(account.liveKey) };
  });

  /** The classes of the client, and how to cause each code of the API. */
  const causes: Record<
    ErrorCode,
    [family: abstract new (...parts: never[]) => ApiError, cause: () => PromiseLike<unknown>]
  > = {
    invalid_request: [BadRequestError, () => client.users.list({ limit: 1_000 })],
    invalid_body: [BadRequestError, () => client.consolidation.update(userId, { metrics: 5 } as never)],
    mixed_forms: [BadRequestError, () => client.users.list({ page: 1 } as never)],
    invalid_cursor: [BadRequestError, () => client.users.list({ cursor: 'x' })],
    invalid_url: [
      BadRequestError,
      () => client.webhooks.create({ url: 'https://192.168.1.20/hooks', events: ['*'] }),
    ],
    too_many_days: [
      BadRequestError,
      () => {
        const daily = Array.from({ length: 1_001 }, (_, at) => ({
          metric: 'steps',
          date: new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
          value: 1,
        }));
        return upload(client, userId, { daily });
      },
    ],
    unknown_provider: [BadRequestError, () => client.devices.connect(userId, { provider: 'abacus' })],
    provider_unavailable: [BadRequestError, () => client.devices.connect(userId, { provider: 'oura' })],
    use_mobile_sdk: [BadRequestError, () => client.devices.connect(userId, { provider: 'apple_health' })],
    redirect_url_not_allowed: [
      BadRequestError,
      async () => {
        const sandbox = withKey(app.account.sandboxKey);
        const { id } = await sandbox.users.create({ external_ref: 'redirect' });
        return sandbox.devices.connect(id, { provider: 'oura', redirect_url: 'https://other.example.com/' });
      },
    ],
    missing_token: [AuthenticationError, () => withHeaders({ Authorization: undefined }).users.list()],
    invalid_token: [AuthenticationError, () => withKey('sk_live_x').users.list()],
    token_expired: [
      AuthenticationError,
      async () => {
        const { token } = await client.tokens.createUserToken({ user_id: userId });
        await app.moveClock(2 * 3_600_000);
        const reading = new TributaryUser({ baseUrl: app.url, userToken: token, form: 2 });
        return reading.scores.list(userId).then(undefined, async (error: unknown) => {
          await app.moveClock(0);
          throw error;
        });
      },
    ],
    payment_required: [
      PaymentRequiredError,
      async () => {
        const account = await app.createAccount();
        await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
        app.ctx.credentials.clear();
        return withKey(account.liveKey).users.list();
      },
    ],
    insufficient_scope: [
      PermissionError,
      async () => {
        const { token } = await client.tokens.createUserToken({ user_id: userId });
        return client.users.list({}, { bearer: token });
      },
    ],
    wrong_user: [
      PermissionError,
      async () => {
        const { token } = await client.tokens.createUserToken({ user_id: userId });
        const { id } = await client.users.create({ external_ref: 'another' });
        return new TributaryUser({ baseUrl: app.url, userToken: token, form: 2 }).scores.list(id);
      },
    ],
    not_found: [NotFoundError, () => client.users.get('user_unknown')],
    user_not_found: [NotFoundError, () => client.consolidation.get('user_unknown')],
    workout_not_found: [NotFoundError, () => client.workouts.get(userId, 'wko_unknown')],
    reference_id_taken: [ConflictError, () => live.users.create({ reference_id: 'errors' })],
    idempotency_conflict: [
      ConflictError,
      async () => {
        const reusing = withFixedKey();
        await reusing.sdkSessions.create(userId, {});
        return reusing.sdkSessions.create(userId, { platform: 'web' });
      },
    ],
    idempotency_in_progress: [
      ConflictError,
      async () => {
        await using holder = await holdTransaction(app.admin);
        await holder.query(`SELECT FROM users WHERE reference_id = 'errors' FOR UPDATE`);
        const reusing = withFixedKey();
        const slow = reusing.sdkSessions.create(userId, {}, { timeoutMs: 30_000 });
        const refusal = await vi.waitFor(
          async () => {
            const failure: unknown = await reusing.sdkSessions
              .create(userId, {}, { timeoutMs: 500 })
              .catch((error: unknown) => error);
            expect(failure).toBeInstanceOf(ConflictError);
            return failure;
          },
          { timeout: 20_000 },
        );
        await holder.commit();
        await slow;
        throw refusal;
      },
    ],
    batch_conflict: [
      ConflictError,
      async () => {
        const batch_id = randomUUID();
        const bearer = await upload(client, userId, { batch_id });
        return client.batches.create(batchOf({ batch_id, daily: [] }), { bearer });
      },
    ],
    device_limit_reached: [
      ConflictError,
      async () => {
        const { id } = await client.users.create({ external_ref: randomUUID() });
        for (let at = 0; at < 4; at += 1)
          await upload(client, id, { device: { ...exampleBatch.device, id: `watch-${at}` } });
      },
    ],
    webhook_limit_reached: [
      ConflictError,
      async () => {
        const input = { url: 'https://example.com/hooks', events: ['*' as const] };
        for (let at = 0; at <= 100; at += 1) await other.client.webhooks.create(input);
      },
    ],
    webhook_not_active: [
      ConflictError,
      async () => {
        const { data } = await client.webhooks.create({
          url: 'https://example.com/',
          events: ['*'],
          status: 'inactive',
        });
        return client.webhooks.test(data.id, {});
      },
    ],
    delivery_merged: [
      ConflictError,
      async () => {
        const webhook = await createTestWebhook(app);
        const user = await insertTestUser(app, app.account);
        const [first, last] = await emitEvents(app, app.account, user, ['data.updated', 'data.updated']);
        await setDeliveryState(app, webhook, [first!], 'merged', { mergedInto: last! });
        return client.deliveries.resend(webhook.id, first!);
      },
    ],
    already_invited: [
      ConflictError,
      async () => {
        await client.invitations.create({ email: 'twice@example.com' });
        return client.invitations.create({ email: 'twice@example.com' });
      },
    ],
    already_member: [
      ConflictError,
      async () => {
        const { email } = await join(app);
        return client.invitations.create({ email });
      },
    ],
    roster_not_configured: [ConflictError, () => other.client.invitations.list()],
    payload_too_large: [
      PayloadTooLargeError,
      () => client.users.create({ external_ref: 'large', timezone: 'x'.repeat(2_000_000) }),
    ],
    invalid_filter: [UnprocessableError, () => client.users.list({ external_ref: '' })],
    invalid_types: [UnprocessableError, () => client.daily.list(userId, { types: ['step'] })],
    invalid_metric: [
      UnprocessableError,
      () => client.consolidation.update(userId, { metrics: { abacus: { method: 'sum' } } }),
    ],
    invalid_method: [
      UnprocessableError,
      () => client.consolidation.update(userId, { metrics: { weight: { method: 'sum' } } }),
    ],
    invalid_provider: [
      UnprocessableError,
      () => client.consolidation.update(userId, { providers: { garmin: false } }),
    ],
    rate_limited: [
      RateLimitError,
      async () => {
        const account = await app.createAccount();
        const fast = withKey(account.liveKey);
        for (;;) await Promise.all(Array.from({ length: 400 }, () => fast.webhooks.list()));
      },
    ],
    internal_error: [
      ServerError,
      async () => {
        await app.admin.query('ALTER TABLE webhooks RENAME TO webhooks_elsewhere');
        try {
          return await client.webhooks.list();
        } finally {
          await app.admin.query('ALTER TABLE webhooks_elsewhere RENAME TO webhooks');
        }
      },
    ],
    unavailable: [
      ServerError,
      async () => {
        await using broken = await startRosterApp();
        const { rows } = await broken.admin.query<{ name: string }>('SELECT current_database() AS name');
        await broken.admin.query(`ALTER DATABASE ${rows[0]!.name} CONNECTION LIMIT 0`);
        await broken.admin.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        broken.ctx.credentials.clear();
        const failing = new Tributary({
          baseUrl: broken.url,
          apiKey: broken.account.liveKey,
          form: 2,
          maxRetries: 0,
        });
        return await failing.users.list();
      },
    ],
  };

  /** A client behind a proxy that changes headers of requests. */
  function withHeaders(change: Record<string, string | undefined>): Tributary<2> {
    const changing: typeof fetch = (url, init) => {
      const headers = Object.entries({ ...(init!.headers as Record<string, string>), ...change });
      const sent = headers.filter((header): header is [string, string] => header[1] !== undefined);
      return fetch(url, { ...init, headers: sent });
    };
    return new Tributary({ baseUrl: app.url, apiKey: app.account.liveKey, form: 2, fetch: changing });
  }

  /** A client makes a new idempotency key for each request. This one uses the same key again. */
  function withFixedKey(): Tributary<2> {
    return withHeaders({ 'Idempotency-Key': randomUUID() });
  }

  // @contract all/credentials: Every documented error code can be caught by the class of its status in the client
  test.each(Object.entries(causes))('%s is an error of its own class', async (code, [Family, cause]) => {
    const error: unknown = await Promise.resolve(cause()).then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(Family);
    const { requestId, details, message, status } = error as ApiError;
    expect((error as ApiError).code).toBe(code);
    expect(requestId).toMatch(/^req_/);
    expect(details['request_id']).toBe(requestId);
    expect(message.length).toBeGreaterThan(10);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test('are all that the API description has', async () => {
    const codes = new Set<string>();
    for (const { operation } of listOperations(await readOpenApiFile())) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        for (const name of Object.keys(content?.['application/json'].examples ?? {})) codes.add(name);
      }
    }
    codes.delete('example'); // readiness, which is not an error of the API
    expect(Object.keys(causes).toSorted()).toEqual([...codes].toSorted());
  });
});

test('an identifier with any characters reaches the service as one segment', async () => {
  const client = new Tributary({ baseUrl: app.url, apiKey: app.account.liveKey, form: 2 });
  for (const id of ['a/b', '../users', '%2e%2e', 'ü', formatId('user', app.account.uuid)])
    await expect(client.users.get(id)).rejects.toThrow(NotFoundError);
});
