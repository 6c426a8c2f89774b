import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@tributary/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../ids.ts';
import { allAuditText, entriesDuring, type StoredEntry } from '../../test/audit.ts';
import { listOperations, type OpenApiDocument } from '../../test/openapi-file.ts';
import { invite, join, startRosterApp } from '../../test/data/roster.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import type { TestResponse, TestApp, TestRequest } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { createTestWebhook, insertTestUser, setDeliveryState, emitEvents } from '../../test/webhooks.ts';

let app: TestApp;
let sdk: ReturnType<typeof sdkOf>;
const keyIds = new Map<string, string>();

beforeAll(async () => {
  // A provider counts as configured even if nothing listens at the lab URL.
  app = await startRosterApp({ SANDBOX_WAIT_MS: '0', LAB_URL: 'http://127.0.0.1:1' });
  const request = app.request.bind(app);
  // Collect the secrets that callers receive. The last test searches for them.
  app.request = async (...args) => keepSecrets(await request(...args));
  sdk = sdkOf(app);
  const { rows } = await app.admin.query(
    `SELECT target_id, data FROM audit_intake WHERE action = 'api_key.created'`,
  );
  for (const { target_id, data } of rows) keyIds.set(data.environment, target_id);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Secrets that only their receiver may know, by field name. */
const secrets = new Map<string, Set<string>>();
const secretFields = ['token', 'client_token', 'access_token', 'refresh_token', 'secret', 'auth_url'];
/** Measured values and other private data that the tests below write into profiles, uploads and URLs. */
const marks = {
  weight: 87.654,
  heart: 123.457,
  url: 'hush-hush',
  birth: '1971-03-19',
  model: 'Marked Phone 9',
};

function keepSecrets(response: TestResponse): TestResponse {
  for (const body of [response.body, response.body?.data])
    for (const field of secretFields)
      if (typeof body?.[field] === 'string')
        secrets.set(field, (secrets.get(field) ?? new Set()).add(body[field]));
  return response;
}

type Expected = Pick<StoredEntry, 'target'> & Partial<StoredEntry> & { action: AuditAction };

/** A prepared call and its expected audit entries. Null if the call is not audited. */
interface Write {
  call: () => Promise<TestResponse>;
  expected: ((response: TestResponse) => Expected | Expected[]) | null;
}

const call =
  (method: string, path: string, body?: unknown, options: TestRequest = {}) =>
  () =>
    app.request(method, path, { ...options, ...(body === undefined ? {} : { body }) });

async function newUser(key = app.account.liveKey): Promise<string> {
  const profile = { weight_kg: marks.weight, birth_date: marks.birth };
  const body = { external_ref: randomUUID(), profile };
  return (await app.request('POST', '/v1/users', { key, body })).body.id;
}

const hooks = `https://hooks.example.com/${marks.url}?token=${marks.url}`;

async function uploadedUser() {
  const user = await createPhoneUser(app);
  await user.upload(
    { id: 'watch-1' },
    {
      series: [
        { metric: 'heart_rate', start: '2026-03-01T08:00:00Z', interval_seconds: 60, values: [marks.heart] },
      ],
    },
  );
  await workThrough(app);
  return user;
}

/** An active webhook with a failed delivery. */
async function failedDelivery() {
  const webhook = await createTestWebhook(app, { url: hooks });
  const userId = await insertTestUser(app, app.account);
  const [event] = await emitEvents(app, app.account, userId, ['data.updated']);
  await setDeliveryState(app, webhook, [event!], 'failed');
  return { webhook, event: event! };
}

/** One call per operation. The first test fails if a write operation is missing here. */
const writes: Record<string, () => Promise<Write>> = {
  createUser: async () => {
    const body = {
      reference_id: 'ref-created',
      profile: { weight_kg: marks.weight, birth_date: marks.birth },
    };
    return {
      call: call('POST', '/v1/users', body),
      expected: ({ body: { data } }) => ({
        action: 'user.created',
        target: `user ${data.id}`,
        data: {},
        person: parseId('user', data.id),
        text: { reference_id: 'ref-created' },
      }),
    };
  },
  updateUser: async () => {
    const id = await newUser();
    const profile = { weight_kg: marks.weight + 1, birth_date: marks.birth, sex: 'female' };
    return {
      call: call('PATCH', `/v1/users/${id}`, {
        reference_id: `ref-${id}`,
        timezone: 'Europe/Paris',
        profile,
      }),
      expected: () => ({
        action: 'user.updated',
        target: `user ${id}`,
        data: { fields: ['profile.sex', 'profile.weight_kg', 'reference_id', 'timezone'] },
        person: parseId('user', id),
        text: { reference_id: `ref-${id}` },
      }),
    };
  },
  deleteUser: async () => {
    const id = await newUser();
    return {
      call: call('DELETE', `/v1/users/${id}`),
      expected: () => ({ action: 'user.deleted', target: `user ${id}`, data: {} }),
    };
  },
  advanceSandboxUser: async () => {
    const key = app.account.sandboxKey;
    const id = await newUser(key);
    return {
      call: call('POST', `/v1/sandbox/users/${id}/advance`, { days: 2 }, { key }),
      expected: () => ({
        environment: 'sandbox',
        actor: `api_key ${keyIds.get('sandbox')}`,
        action: 'user.advanced',
        target: `user ${id}`,
        data: { days: 2 },
      }),
    };
  },
  createWebhook: async () => ({
    call: call('POST', '/v1/webhooks', { url: hooks, events: ['score.updated'] }),
    expected: ({ body: { data } }) => ({
      action: 'webhook.created',
      target: `webhook ${data.id}`,
      data: {
        host: 'hooks.example.com',
        events: ['score.updated'],
        status: 'active',
        coalesce_seconds: 1,
        rate_limit: null,
      },
    }),
  }),
  updateWebhook: async () => {
    const { id } = await createTestWebhook(app, { url: hooks });
    const changes = { url: `https://other.example.com/${marks.url}`, status: 'inactive', rate_limit: 5 };
    return {
      call: call('PATCH', `/v1/webhooks/${id}`, changes),
      expected: () => ({
        action: 'webhook.updated',
        target: `webhook ${id}`,
        data: {
          fields: ['rate_limit', 'status', 'url'],
          before: { host: 'hooks.example.com', rate_limit: null, status: 'active' },
          after: { host: 'other.example.com', rate_limit: 5, status: 'inactive' },
        },
      }),
    };
  },
  deleteWebhook: async () => {
    const { id } = await createTestWebhook(app, { url: hooks });
    return {
      call: call('DELETE', `/v1/webhooks/${id}`),
      expected: () => ({ action: 'webhook.deleted', target: `webhook ${id}`, data: {} }),
    };
  },
  rotateWebhookSecret: async () => {
    const { id } = await createTestWebhook(app, { url: hooks });
    return {
      call: call('POST', `/v1/webhooks/${id}/rotate-secret`),
      expected: () => ({ action: 'webhook.secret_rotated', target: `webhook ${id}`, data: {} }),
    };
  },
  testWebhook: async () => {
    const { id } = await createTestWebhook(app, { url: hooks });
    return {
      call: call('POST', `/v1/webhooks/${id}/test`, { event_type: 'score.updated' }),
      expected: ({ body: { data } }) => ({
        action: 'webhook.tested',
        target: `webhook ${id}`,
        data: { event: data.event_id, event_type: 'score.updated' },
      }),
    };
  },
  recoverWebhook: async () => {
    const { webhook } = await failedDelivery();
    return {
      call: call('POST', `/v1/webhooks/${webhook.id}/recover`, { since: '2020-01-01T00:00:00Z' }),
      expected: ({ body: { data } }) => ({
        action: 'webhook.recovered',
        target: `webhook ${webhook.id}`,
        data: { queued: data.queued },
      }),
    };
  },
  resendDelivery: async () => {
    const { webhook, event } = await failedDelivery();
    return {
      call: call('POST', `/v1/webhooks/${webhook.id}/deliveries/${event}/resend`),
      expected: () => ({
        action: 'delivery.resent',
        target: `delivery ${event}`,
        data: { webhook: webhook.id },
      }),
    };
  },
  connectDevice: async () => {
    const key = app.account.sandboxKey;
    const id = await newUser(key);
    return {
      call: call('POST', `/v1/users/${id}/devices`, { provider: 'oura' }, { key }),
      expected: ({ body: { data } }) => ({
        environment: 'sandbox',
        actor: `api_key ${keyIds.get('sandbox')}`,
        action: 'device.connecting',
        target: `device ${data.id}`,
        data: { user: id, provider: 'oura' },
      }),
    };
  },
  deleteDevice: async () => {
    const user = await uploadedUser();
    const device = (await app.request('GET', `/v1/users/${user.id}/devices`)).body.data[0];
    return {
      call: call('DELETE', `/v1/users/${user.id}/devices/${device.id}`),
      expected: () => ({
        action: 'device.deleted',
        target: `device ${device.id}`,
        data: { user: user.id, provider: 'apple_health' },
      }),
    };
  },
  createUserToken: async () => ({
    call: call('POST', '/v1/auth/user-token', { user_id: await newUser() }),
    expected: null,
  }),
  refreshUserToken: async () => ({
    call: call('POST', '/v1/auth/user-token/refresh', { user_id: await newUser() }),
    expected: null,
  }),
  createMobileToken: async () => {
    const id = await newUser();
    return {
      call: call('POST', '/v1/auth/mobile-token', { user_id: id, scopes: ['activity'] }),
      expected: () => ({
        action: 'mobile_token.created',
        target: `user ${id}`,
        data: { scopes: ['activity'] },
      }),
    };
  },
  createSdkSession: async () => {
    const id = await newUser();
    const installation = { scopes: ['activity'], platform: 'ios', device_model: marks.model };
    return {
      call: () => sdk.start(id, installation),
      expected: ({ body }) => ({
        action: 'sdk_session.created',
        target: `sdk_session ${body.session_id}`,
        data: { user: id, scopes: ['activity'], recovered: false },
      }),
    };
  },
  deleteSdkSession: async () => {
    const id = await newUser();
    const { session_id: session } = (await sdk.start(id)).body;
    return {
      call: call('DELETE', `/v1/users/${id}/sdk-sessions/${session}`),
      expected: () => ({
        action: 'sdk_session.revoked',
        target: `sdk_session ${session}`,
        data: { user: id },
      }),
    };
  },
  exchangeClientToken: async () => {
    const id = await newUser();
    const { session_id: session, client_token: token } = (await sdk.start(id, { scopes: ['activity'] })).body;
    return {
      call: () => sdk.exchange(token),
      expected: () => ({
        actor: `sdk_session ${session}`,
        action: 'sdk_session.started',
        target: `sdk_session ${session}`,
        address: null,
        data: { user: id, scopes: ['activity'], by: 'client_token' },
        person: parseId('user', id),
        text: { address: '127.0.0.1' },
      }),
    };
  },
  refreshSdkCredentials: async () => {
    const { credentials } = await sdk.signIn(await newUser());
    return { call: () => sdk.refresh(credentials.refresh_token), expected: null };
  },
  deleteCurrentSdkSession: async () => {
    const id = await newUser();
    const { bootstrap, credentials } = await sdk.signIn(id);
    return {
      call: () => sdk.end(credentials.access_token),
      expected: () => ({
        actor: `sdk_session ${bootstrap.session_id}`,
        action: 'sdk_session.ended',
        target: `sdk_session ${bootstrap.session_id}`,
        address: null,
        data: { user: id },
        person: parseId('user', id),
        text: { address: '127.0.0.1' },
      }),
    };
  },
  updateConsolidation: async () => {
    const { id } = await uploadedUser();
    const patch = {
      providers: { apple_health: false },
      metrics: { steps: { method: 'max', providers: { apple_health: false } } },
    };
    return {
      call: call('PATCH', `/v1/users/${id}/consolidation`, patch),
      expected: () => ({
        action: 'consolidation.updated',
        target: `user ${id}`,
        data: {
          providers: { apple_health: false },
          metrics: {
            steps: { method: { before: null, after: 'max' }, providers: { apple_health: false } },
          },
        },
      }),
    };
  },
  resetConsolidation: async () => {
    const id = await newUser();
    await app.request('PATCH', `/v1/users/${id}/consolidation`, {
      body: { metrics: { steps: { method: 'max' } } },
    });
    return {
      call: call('DELETE', `/v1/users/${id}/consolidation`),
      expected: () => ({
        action: 'consolidation.reset',
        target: `user ${id}`,
        data: { metrics: { steps: { method: { before: 'max', after: null } } } },
      }),
    };
  },
  previewConsolidation: async () => ({
    call: call(
      'POST',
      `/v1/users/${await newUser()}/consolidation/preview?from_date=2026-03-01&to_date=2026-03-02`,
      {
        metrics: { steps: { method: 'max' } },
      },
    ),
    expected: null,
  }),
  createBatch: async () => {
    const { accessToken } = await createPhoneUser(app);
    const body = { batch_id: randomUUID(), device: { provider: 'apple_health', id: 'w', kind: 'watch' } };
    return { call: call('POST', '/v1/sdk/batches', body, { key: accessToken }), expected: null };
  },
  createRosterInvitation: async () => ({
    call: () => invite(app, { email: 'recorded@example.com', name: 'Recorded' }),
    expected: ({ body }) => ({
      action: 'roster_invitation.created',
      target: `roster_invitation ${body.id}`,
      person: expect.any(String),
      text: expect.objectContaining({ email: 'recorded@example.com', name: 'Recorded' }),
    }),
  }),
  deleteRosterInvitation: async () => {
    const { id } = (await invite(app)).body;
    return {
      call: call('DELETE', `/v1/team/roster/invitations/${id}`),
      expected: () => ({ action: 'roster_invitation.revoked', target: `roster_invitation ${id}` }),
    };
  },
  updateRosterMember: async () => {
    const { memberId } = await join(app);
    return {
      call: call('PATCH', `/v1/team/roster/${memberId}`, { status: 'archived' }),
      expected: () => ({ action: 'roster_member.archived', target: `roster_member ${memberId}` }),
    };
  },
  deleteRosterMember: async () => {
    const { memberId, userId } = await join(app);
    return {
      call: call('DELETE', `/v1/team/roster/${memberId}`),
      expected: () => [
        { action: 'roster_member.removed', target: `roster_member ${memberId}` },
        { action: 'user.withdrawn', target: `user ${userId}` },
      ],
    };
  },
};

test('covers every operation that is not a GET', async () => {
  const document = (await app.request('GET', '/openapi.json')).body as OpenApiDocument;
  const operations = listOperations(document).filter(({ method }) => method !== 'GET');
  expect(Object.keys(writes).toSorted()).toEqual(
    operations.map((one) => one.operation.operationId).toSorted(),
  );
});

test.each(Object.keys(writes))('records %s', async (operationId) => {
  const { call: make, expected } = await writes[operationId]!();
  const { response, entries } = await entriesDuring(app, make);
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
  const common: Partial<StoredEntry> = {
    account: app.account.uuid,
    environment: 'live',
    actor: `api_key ${keyIds.get('live')}`,
    address: '127.0.0.1',
    requestId: response.headers.get('request-id'),
    data: expect.any(Object),
    person: null,
    text: null,
  };
  const expectedEntries = expected === null ? [] : [expected(response)].flat();
  expect(entries).toEqual(expectedEntries.map((entry) => ({ ...common, ...entry })));
  expect(response.headers.get('request-id')).toBeTruthy();
});

test('records a session that is recovered, started by a mobile token, or revoked after token reuse', async () => {
  const id = await newUser();
  const started = await sdk.start(id, { installation_id: 'phone-1' });
  const back = await entriesDuring(app, () => sdk.start(id, { installation_id: 'phone-1' }));
  const session = back.response.body.session_id;
  expect(session).toBe(started.body.session_id);
  expect(back.entries).toMatchObject([{ target: `sdk_session ${session}`, data: { recovered: true } }]);

  const mobile = await sdk.mobileToken(id);
  const exchanged = await entriesDuring(app, () => sdk.exchange(mobile));
  const { session_id: other, refresh_token: token } = exchanged.response.body;
  expect(exchanged.entries).toMatchObject([
    { actor: `sdk_session ${other}`, action: 'sdk_session.started', data: { by: 'mobile_token' } },
  ]);

  // The latest used token may be repeated for 30 seconds. An older one counts as stolen.
  const next = await sdk.refresh(token);
  await sdk.refresh(next.body.refresh_token);
  const reused = await entriesDuring(app, () => sdk.refresh(token));
  expect(reused.response.status).toBe(401);
  expect(reused.entries).toMatchObject([
    {
      actor: `sdk_session ${other}`,
      action: 'sdk_session.revoked',
      address: null,
      data: { user: id, reason: 'token_reused' },
      text: { address: '127.0.0.1' },
    },
  ]);
});

test('stores no secret and no measured value', async () => {
  await newUser();
  await uploadedUser();
  const text = await allAuditText(app);
  expect(text.split('\n').length).toBeGreaterThan(50);
  // Expected content, so that the test fails on an empty log.
  expect(text).toContain('hooks.example.com');
  const { liveKey, sandboxKey } = app.account;
  expect([...secrets.keys()].toSorted()).toEqual(secretFields.toSorted());
  const all = [liveKey, sandboxKey, ...[...secrets.values()].flatMap((values) => [...values])];
  for (const secret of all) expect(text).not.toContain(secret.slice(-30));
  expect(text).not.toContain('whsec_');
  for (const mark of [...Object.values(marks), marks.weight + 1]) expect(text).not.toContain(String(mark));
});
