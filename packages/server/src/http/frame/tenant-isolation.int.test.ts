import { operations } from '@tributary/contract';
import {
  emptyDeviceDay,
  encodeDeviceDay,
  encodeFacts,
  findMetric,
  parseDay,
  uuidBytes,
} from '@tributary/domain';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../../ids.ts';
import { configureApp } from '../../services/providers/configure-app.ts';
import { testActor } from '../../test/acting.ts';
import { joinAs } from '../../test/data/operators.ts';
import { nameOrganization, startRosterApp } from '../../test/data/roster.ts';
import { batchOf } from '../../test/data/sdk-user.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import { comparable } from '../../test/comparable-response.ts';
import { arrangeLayers } from '../../test/apps/isolation-layers.ts';
import { arrangePooler } from '../../test/apps/test-logins.ts';
import { startTestApp, type TestAccount, type TestResponse, type TestApp } from '../../test/apps/test-app.ts';
import { access, accessOf } from './access.ts';

/**
 * Calls every route with every kind of credential and with the caller's, foreign and missing IDs: under both layers of tenant isolation, under query
 * filters only, and under row-level security only, directly and behind a pooler. No response may contain another tenant's data, and a foreign ID must return the same
 * response as a missing one.
 */

/** Thousands of requests take time. */
const slow = { timeout: 240_000 };

const foreignMarker = 'belongs-to-someone-else';
/** Every user's session was created with this key and body. */
const sharedIdempotencyKey = randomUUID();
const installation = { installation_id: foreignMarker, device_model: foreignMarker };
const missingUserId = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');

/** The IDs of the resources that every user has. */
interface Belongings {
  sessionId: string;
  deviceId: string;
  batchId: string;
  workoutId: string;
  sleepId: string;
  webhookId: string;
  /** The event of a delivery to the webhook. */
  eventId: string;
  invitationId: string;
  memberId: string;
}
const missing: Belongings = {
  sessionId: '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10',
  deviceId: formatId('dev', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e11'),
  batchId: '0195570b-8a3c-4c1e-b1f0-5d2f6a7c9e12',
  workoutId: formatId('wko', '0195570b-8a3c-8c1e-b1f0-5d2f6a7c9e13'),
  sleepId: formatId('slp', '0195570b-8a3c-8c1e-b1f0-5d2f6a7c9e14'),
  webhookId: formatId('wh', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e15'),
  eventId: formatId('evt', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e16'),
  invitationId: formatId('inv', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e17'),
  memberId: formatId('mem', '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e18'),
};
const missingOnes = { ...missing, id: missingUserId };
const belongings = new Map<string, Belongings>();
/** The resources of a user by its ID. A missing user has missing resources. */
const of = (id: string): Belongings => belongings.get(id) ?? missing;

interface Call {
  operationId: string;
  method: string;
  path: (id: string) => string;
  headers?: () => Record<string, string>;
  body?: (id: string) => object;
  /** Whether the response depends on the ID. */
  takesId: boolean;
  okStatus: number;
  /** The request ends its own session, so each request gets a new one. */
  endsSession?: true;
}

const calls: Call[] = [
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => '/v1/users?page=1&per_page=100',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => '/v1/users?limit=100',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => `/v1/users?external_ref=${foreignMarker}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => `/v1/users?reference_id=${foreignMarker}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'createUser',
    method: 'POST',
    path: () => '/v1/users',
    body: () => ({ reference_id: `new-${Math.random()}` }),
    takesId: false,
    okStatus: 201,
  },
  { operationId: 'getUser', method: 'GET', path: (id) => `/v1/users/${id}`, takesId: true, okStatus: 200 },
  {
    operationId: 'updateUser',
    method: 'PATCH',
    path: (id) => `/v1/users/${id}`,
    body: () => ({ timezone: 'Asia/Tokyo' }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listDevices',
    method: 'GET',
    path: (id) => `/v1/users/${id}/devices`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listProviders',
    method: 'GET',
    path: () => '/v1/providers',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'connectDevice',
    method: 'POST',
    path: (id) => `/v1/users/${id}/devices`,
    body: () => ({ provider: 'oura' }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'getDeviceSync',
    method: 'GET',
    path: (id) => `/v1/users/${id}/devices/${of(id).deviceId}/sync`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'getConsolidationCatalog',
    method: 'GET',
    path: () => '/v1/consolidation/catalog',
    takesId: false,
    okStatus: 200,
  },
  { operationId: 'listMetrics', method: 'GET', path: () => '/v1/metrics', takesId: false, okStatus: 200 },
  {
    operationId: 'getConsolidation',
    method: 'GET',
    path: (id) => `/v1/users/${id}/consolidation`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'updateConsolidation',
    method: 'PATCH',
    path: (id) => `/v1/users/${id}/consolidation`,
    body: () => ({ metrics: { steps: { method: 'sum' } } }),
    takesId: true,
    okStatus: 202,
  },
  {
    operationId: 'previewConsolidation',
    method: 'POST',
    path: (id) => `/v1/users/${id}/consolidation/preview`,
    body: () => ({ metrics: { steps: { method: 'sum' } }, providers: { [foreignMarker]: false } }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'resetConsolidation',
    method: 'DELETE',
    path: (id) => `/v1/users/${id}/consolidation`,
    takesId: true,
    okStatus: 202,
  },
  {
    operationId: 'listDaily',
    method: 'GET',
    path: (id) => `/v1/users/${id}/daily?types=steps&from_date=2026-03-01&to_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listDaily',
    method: 'GET',
    path: (id) =>
      `/v1/users/${id}/daily?metrics=steps&start_date=2026-03-01&end_date=2026-03-02&unit_system=imperial`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listDaily',
    method: 'GET',
    path: (id) => `/v1/users/${id}/daily?types=steps&include_sources=true&include_reasons=true`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listScores',
    method: 'GET',
    path: (id) => `/v1/users/${id}/scores`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listScores',
    method: 'GET',
    path: (id) => `/v1/users/${id}/scores?from_date=2026-03-01&to_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listScoreHistory',
    method: 'GET',
    path: (id) => `/v1/users/${id}/scores/history?start_date=2026-03-01&end_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listScoreHistory',
    method: 'GET',
    path: (id) =>
      `/v1/users/${id}/scores/history?start_date=2026-03-01&end_date=2026-03-02&include_missing=true`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'explainScore',
    method: 'GET',
    path: (id) => `/v1/users/${id}/scores/explain?type=sleep_score&date=2026-03-01`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listTimeseries',
    method: 'GET',
    path: (id) => `/v1/users/${id}/timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listSleep',
    method: 'GET',
    path: (id) => `/v1/users/${id}/sleep?start_date=2026-03-01&end_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listSleep',
    method: 'GET',
    path: (id) => `/v1/users/${id}/sleep?from_date=2026-03-01&to_date=2026-03-02&include_sources=true`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listWorkouts',
    method: 'GET',
    path: (id) => `/v1/users/${id}/workouts?start_date=2026-03-01&end_date=2026-03-02&include_sources=true`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listWorkouts',
    method: 'GET',
    path: (id) => `/v1/users/${id}/workouts?from_date=2026-03-01&to_date=2026-03-02`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'getWorkout',
    method: 'GET',
    path: (id) => `/v1/users/${id}/workouts/${of(id).workoutId}`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'explainDaily',
    method: 'GET',
    path: (id) => `/v1/users/${id}/daily/explain?metric=steps&date=2026-03-01`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'explainSleep',
    method: 'GET',
    path: (id) => `/v1/users/${id}/sleep/${of(id).sleepId}/explain`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'explainWorkout',
    method: 'GET',
    path: (id) => `/v1/users/${id}/workouts/${of(id).workoutId}/explain`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'createUserToken',
    method: 'POST',
    path: () => '/v1/auth/user-token',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'refreshUserToken',
    method: 'POST',
    path: () => '/v1/auth/user-token/refresh',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'createMobileToken',
    method: 'POST',
    path: () => '/v1/auth/mobile-token',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'createSdkSession',
    method: 'POST',
    path: (id) => `/v1/users/${id}/sdk-sessions`,
    headers: () => ({ 'idempotency-key': randomUUID() }),
    body: () => ({ platform: 'ios' }),
    takesId: true,
    okStatus: 201,
  },
  {
    operationId: 'createSdkSession',
    method: 'POST',
    path: (id) => `/v1/users/${id}/sdk-sessions`,
    headers: () => ({ 'idempotency-key': sharedIdempotencyKey }),
    body: () => installation,
    takesId: true,
    okStatus: 200, // a repeated request returns the same session, only to its owner
  },
  {
    operationId: 'listSdkSessions',
    method: 'GET',
    path: (id) => `/v1/users/${id}/sdk-sessions`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'deleteSdkSession',
    method: 'DELETE',
    path: (id) => `/v1/users/${id}/sdk-sessions/${of(id).sessionId}`,
    takesId: true,
    okStatus: 204,
  },
  {
    operationId: 'deleteCurrentSdkSession',
    method: 'DELETE',
    path: () => '/v1/sdk/sessions/current',
    takesId: false,
    okStatus: 204,
    endsSession: true,
  },
  {
    operationId: 'createBatch',
    method: 'POST',
    path: () => '/v1/sdk/batches',
    body: () => batchOf({ daily: [{ metric: 'steps', date: '2026-03-01', value: 8420 }] }),
    takesId: false,
    okStatus: 202,
  },
  {
    operationId: 'getBatch',
    method: 'GET',
    path: (id) => `/v1/sdk/batches/${of(id).batchId}`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'deleteDevice',
    method: 'DELETE',
    path: (id) => `/v1/users/${id}/devices/${of(id).deviceId}`,
    takesId: true,
    okStatus: 204,
  },
  { operationId: 'listEvents', method: 'GET', path: () => '/v1/events', takesId: false, okStatus: 200 },
  { operationId: 'listAudit', method: 'GET', path: () => '/v1/audit', takesId: false, okStatus: 200 },
  {
    operationId: 'listAccessRecords',
    method: 'GET',
    path: () => '/v1/access-records',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listAccessRecords',
    method: 'GET',
    path: (id) => `/v1/access-records?user_id=${id}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listAudit',
    method: 'GET',
    path: () => `/v1/audit?target_id=${foreignMarker}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'streamEvents',
    method: 'GET',
    path: () => '/v1/events/stream',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listWebhooks',
    method: 'GET',
    path: () => '/v1/webhooks',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'createWebhook',
    method: 'POST',
    path: () => '/v1/webhooks',
    body: () => ({ url: 'https://example.com/hooks', events: ['*'] }),
    takesId: false,
    okStatus: 201,
  },
  {
    operationId: 'getWebhook',
    method: 'GET',
    path: (id) => `/v1/webhooks/${of(id).webhookId}`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: (id) => `/v1/webhooks/${of(id).webhookId}`,
    body: () => ({ url: 'https://example.com/moved', active: true }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/rotate-secret`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'testWebhook',
    method: 'POST',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/test`,
    body: () => ({}),
    takesId: true,
    okStatus: 202,
  },
  {
    operationId: 'recoverWebhook',
    method: 'POST',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/recover`,
    body: () => ({ since: '2020-01-01T00:00:00Z' }),
    takesId: true,
    okStatus: 202,
  },
  {
    operationId: 'listDeliveries',
    method: 'GET',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/deliveries`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listDeliveries',
    method: 'GET',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/deliveries?status=succeeded`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'getDelivery',
    method: 'GET',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/deliveries/${of(id).eventId}`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'resendDelivery',
    method: 'POST',
    path: (id) => `/v1/webhooks/${of(id).webhookId}/deliveries/${of(id).eventId}/resend`,
    takesId: true,
    okStatus: 202,
  },
  {
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: (id) => `/v1/webhooks/${of(id).webhookId}`,
    takesId: true,
    okStatus: 204,
  },
  {
    operationId: 'listRosterInvitations',
    method: 'GET',
    path: () => '/v1/team/roster/invitations',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listRosterMembers',
    method: 'GET',
    path: () => '/v1/team/roster',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'getRosterInvitation',
    method: 'GET',
    path: (id) => `/v1/team/roster/invitations/${of(id).invitationId}`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'deleteRosterInvitation',
    method: 'DELETE',
    path: (id) => `/v1/team/roster/invitations/${of(id).invitationId}`,
    takesId: true,
    okStatus: 204,
  },
  {
    operationId: 'updateRosterMember',
    method: 'PATCH',
    path: (id) => `/v1/team/roster/${of(id).memberId}`,
    body: () => ({ status: 'archived' }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'deleteRosterMember',
    method: 'DELETE',
    path: (id) => `/v1/team/roster/${of(id).memberId}`,
    takesId: true,
    okStatus: 204,
  },
  {
    operationId: 'createRosterInvitation', // for a user who is no longer a member
    method: 'POST',
    path: () => '/v1/team/roster/invitations',
    body: (id) => ({ email: `${randomUUID()}@example.com`, user_id: id }),
    takesId: true,
    okStatus: 201,
  },
  {
    operationId: 'advanceSandboxUser',
    method: 'POST',
    path: (id) => `/v1/sandbox/users/${id}/advance`,
    takesId: true,
    body: () => ({ days: 1 }),
    okStatus: 404, // live users are not simulated
  },
  {
    operationId: 'deleteUser',
    method: 'DELETE',
    path: (id) => `/v1/users/${id}`,
    takesId: true,
    okStatus: 202,
  },
];

test('covers every route that requires a credential', () => {
  const guarded = Object.entries(access).filter(([, rule]) => !rule.open);
  expect([...new Set(calls.map((call) => call.operationId))].toSorted()).toEqual(
    guarded.map(([id]) => id).toSorted(),
  );
  expect(Object.keys(access).every((id) => id in operations)).toBe(true);
});

const pooled = 'both layers, behind a pooler in transaction mode';

describe.each(['both layers', 'query filter only', 'row-level security only', pooled] as const)(
  'with %s',
  (layers) => {
    let app: TestApp;
    let stranger: TestAccount;
    /** Kind of credential → how it is sent: as a key or token, or in the dashboard's headers. */
    let credentials: Record<string, string | Record<string, string>>;
    let own: string;
    let foreign: Record<string, string>;
    let untouched: string;

    /** All identifying data of foreign users, as text. */
    const snapshot = async () => {
      const tables = [
        'sdk_sessions',
        'devices',
        'raw_batches',
        'pending_batches',
        'receipts',
        'events',
        'deliveries',
        'roster_members',
        'roster_invitations',
        'connections',
        'connection_streams',
        'connect_links',
        'sync_notices',
        'sync_runs',
      ];
      const marked = `SELECT id FROM users WHERE reference_id = $1`;
      const parts = ['users', ...tables].map(
        (table) => `(SELECT json_agg(t ORDER BY t::text) FROM ${table} t
         WHERE ${table === 'users' ? 'id' : 'user_id'} IN (${marked}))`,
      );
      parts.push(`(SELECT json_agg(w ORDER BY w.id) FROM webhooks w WHERE url LIKE '%' || $1)`);
      const { rows } = await app.admin.query(`SELECT json_build_array(${parts.join()})::text AS all`, [
        foreignMarker,
      ]);
      return rows[0].all;
    };

    beforeAll(async () => {
      app = await startRosterApp(
        { LAB_URL: 'http://127.0.0.1:1' },
        layers === pooled ? arrangePooler : undefined,
      );
      stranger = await app.createAccount();
      await nameOrganization(app, stranger);
      const ours = { clientId: 'ours', clientSecret: 'ours', settings: {}, force: false };
      await configureApp(app.ctx, testActor, { provider: 'oura', ...ours });
      await arrangeLayers(app, layers === pooled ? 'both layers' : layers);
      own = await createUser(app, app.account.liveKey, 'mine');
      foreign = {
        'of another account': await createUser(app, stranger.liveKey, foreignMarker),
        "of another account's sandbox": await createUser(app, stranger.sandboxKey, foreignMarker),
        'of the own sandbox': await createUser(app, app.account.sandboxKey, foreignMarker),
      };
      const issue = async (path: string, key: string, id: string) =>
        (await app.request('POST', path, { key, body: { user_id: id } })).body.token;
      credentials = {
        'live key': app.account.liveKey,
        'sandbox key': app.account.sandboxKey,
        'user token': await issue('/v1/auth/user-token', app.account.liveKey, own),
        'mobile token': await issue('/v1/auth/mobile-token', app.account.liveKey, own),
        'SDK session': (await sdkOf(app).signIn(own)).credentials.access_token,
        'no credential': '',
      };
      const [owner, viewer] = [await joinAs(app, 'owner'), await joinAs(app, 'viewer')];
      for (const [name, { browser }, environment] of [
        ['owner', owner, 'live'],
        ['owner in the sandbox', owner, 'sandbox'],
        ['viewer', viewer, 'live'],
      ] as const)
        credentials[name] = {
          cookie: browser.cookie,
          origin: app.url,
          'tributary-environment': environment,
        };
      untouched = await snapshot();
      expect(untouched).toContain(foreignMarker);
    });
    afterAll(() => app[Symbol.asyncDispose]());

    const send = async (call: Call, credential: string, id: string) => {
      const isLast = call.endsSession && credential === 'SDK session';
      const way = isLast ? (await sdkOf(app).signIn(own)).credentials.access_token : credentials[credential]!;
      const options = {
        key: typeof way === 'string' ? way : '',
        headers: { ...(typeof way === 'string' ? {} : way), ...call.headers?.() },
        ...(call.body ? { body: call.body(id) } : {}),
      };
      return patiently(call.method, call.path(id), options);
    };

    /** Other tests cover rate limits; here a throttled request waits and retries. */
    const patiently: TestApp['request'] = async (...request) => {
      for (;;) {
        const response = await app.request(...request);
        if (response.status !== 429) return response;
        await sleep(1000 * Number(response.headers.get('retry-after')));
      }
    };

    const inSandbox = new Set(['sandbox key', 'owner in the sandbox']);

    /** To a sandbox key, live users of its own account are foreign too. */
    const foreignTo = (credential: string) =>
      inSandbox.has(credential)
        ? [own, foreign['of another account']!, foreign["of another account's sandbox"]!]
        : Object.values(foreign);

    test('has the expected isolation layers in place', async () => {
      const direct = await app.ctx.db.query(`SELECT count(*)::int AS seen FROM users`);
      expect(direct.rows[0].seen > 0).toBe(layers === 'query filter only');
      const { rows } = await app.admin.query(
        `SELECT in_tenant(gen_random_uuid(), 'live', gen_random_uuid(), 'live') AS open`,
      );
      expect(rows[0].open).toBe(layers === 'row-level security only');
    });

    // @contract all/credentials [both layers]: An API key reads every user of its own environment and of no other
    // @contract all/credentials [query filter only | row-level security only]: Either of the two layers of tenant isolation keeps other environments unreadable
    test(
      'returns the same response for foreign and missing IDs on every route, and no foreign data',
      slow,
      async () => {
        let compared = 0;
        for (const call of calls) {
          for (const credential of Object.keys(credentials)) {
            const ofMissing = await send(call, credential, missingUserId);
            const rule = accessOf(call.operationId);
            // The sandbox has one user of its own with the marker.
            if (!inSandbox.has(credential) || call.takesId) expectNoLeak(ofMissing);
            for (const id of call.takesId ? foreignTo(credential) : []) {
              const response = await send(call, credential, id);
              expectNoLeak(response);
              expect(
                comparable(response, { ...of(id), id }),
                `${call.operationId} with ${credential}`,
              ).toEqual(comparable(ofMissing, missingOnes));
              const isLetIn = rule.sdk
                ? credential === 'SDK session'
                : credential === 'live key' ||
                  credential === 'owner' ||
                  (inSandbox.has(credential) && !rule.live);
              if (isLetIn) expect(response.status).toBe(404);
              compared += 1;
            }
          }
        }
        const withId = calls.filter(({ takesId }) => takesId);
        expect(compared).toBe(withId.length * 9 * 3); // × credentials × foreign ids
        expect(await snapshot()).toBe(untouched);
        const tokens = await app.admin.query(
          `SELECT count(*)::int AS n FROM mobile_tokens m JOIN users u ON u.id = m.user_id WHERE u.reference_id = $1`,
          [foreignMarker],
        );
        expect(tokens.rows[0].n).toBe(0);
      },
    );

    test('returns the same response for a foreign and a missing session, device or workout, also under the caller’s user', async () => {
      const sessionBelow = (id: string, sessionId: string) => `/v1/users/${id}/sdk-sessions/${sessionId}`;
      const deviceBelow = (id: string, deviceId: string) => `/v1/users/${id}/devices/${deviceId}`;
      const workoutBelow = (id: string, workoutId: string) => `/v1/users/${id}/workouts/${workoutId}`;
      const ofMissing = {
        workout: await patiently('GET', workoutBelow(own, missing.workoutId)),
        session: await patiently('DELETE', sessionBelow(own, missing.sessionId)),
        device: await patiently('DELETE', deviceBelow(own, missing.deviceId)),
        sync: await patiently('GET', `${deviceBelow(own, missing.deviceId)}/sync`),
      };
      expect(Object.values(ofMissing).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      for (const id of Object.values(foreign)) {
        const session = await patiently('DELETE', sessionBelow(own, of(id).sessionId));
        expect(comparable(session, { ...of(id), id })).toEqual(comparable(ofMissing.session, missingOnes));
        const device = await patiently('DELETE', deviceBelow(own, of(id).deviceId));
        expect(comparable(device, { ...of(id), id })).toEqual(comparable(ofMissing.device, missingOnes));
        expect((await patiently('DELETE', deviceBelow(id, of(own).deviceId))).status).toBe(404);
        const sync = await patiently('GET', `${deviceBelow(own, of(id).deviceId)}/sync`);
        expect(comparable(sync, { ...of(id), id })).toEqual(comparable(ofMissing.sync, missingOnes));
        const workout = await patiently('GET', workoutBelow(own, of(id).workoutId));
        expect(comparable(workout, { ...of(id), id })).toEqual(comparable(ofMissing.workout, missingOnes));
        const why = await patiently('GET', `/v1/users/${own}/sleep/${of(id).sleepId}/explain`);
        expect(why).toMatchObject({ status: 404, body: { error: 'not_found' } });
      }
      expect(await snapshot()).toBe(untouched);
      const { body } = await patiently('GET', `/v1/users/${own}/devices`);
      expect(body.data).toHaveLength(1);
      for (const { operationId, path } of calls) {
        if (operationId !== 'listSleep' && operationId !== 'listWorkouts') continue;
        const { body: list } = await patiently('GET', path(own));
        expect(list.data, path(own)).toHaveLength(1);
        expect(list.meta?.total ?? 1).toBe(1);
      }
    });

    test('resolves tokens that require no credential to their own tenant', async () => {
      const phone = sdkOf(app);
      for (const [key, id] of [
        [app.account.liveKey, own],
        [stranger.liveKey, await createUser(app, stranger.liveKey, 'theirs')],
      ] as const) {
        const tokens = [(await phone.start(id, {}, { key })).body.client_token];
        tokens.push(await phone.mobileToken(id, {}, key));
        for (const token of tokens) {
          const { body } = await phone.exchange(token);
          expect(body.user_id).toBe(id);
          const renewed = await phone.refresh(body.refresh_token);
          expect(renewed.body).toMatchObject({ user_id: id, session_id: body.session_id });
          expect((await phone.end(renewed.body.access_token)).status).toBe(204);
        }
      }
    });

    test('stores an upload under a foreign batch ID as a separate upload', async () => {
      const key = credentials['SDK session'] as string;
      for (const id of Object.values(foreign)) {
        const { batchId } = of(id);
        const body = { ...batchOf({}), batch_id: batchId };
        expect((await patiently('POST', '/v1/sdk/batches', { key, body })).status).toBe(202);
        const receipt = await patiently('GET', `/v1/sdk/batches/${batchId}`, { key });
        expectNoLeak(receipt);
        expect(receipt.body).toMatchObject({ batch_id: batchId, status: 'accepted', rejected: [] });
      }
      expect(await snapshot()).toBe(untouched);
    });

    test('limits the audit log to the caller’s environment and account', async () => {
      const { body } = await patiently('GET', '/v1/audit?target_id=mine');
      expect(body.data).toMatchObject([{ environment: 'live', text: { name: 'mine' } }]);
      const marked = await patiently('GET', `/v1/audit?target_id=${foreignMarker}`, {
        key: app.account.sandboxKey,
      });
      expect(marked.body.data).toMatchObject([{ environment: 'sandbox' }]);
    });

    test('counts only the caller’s environment in lists and totals', async () => {
      const page = await app.request('GET', '/v1/users?page=1');
      expect(
        page.body.data.every((user: { reference_id: string }) => user.reference_id !== foreignMarker),
      ).toBe(true);
      const { rows } = await app.admin.query(
        `SELECT count(*)::int AS n FROM users WHERE account_id = $1 AND environment = 'live' AND status = 'active'`,
        [app.account.uuid],
      );
      expect(page.body.meta.total).toBe(rows[0].n);
    });

    // @contract all/credentials [both layers]: A user token reads daily, scores, score history, timeseries, sleep, workouts and devices of its own user, and may do nothing else
    test('follows the access table for the caller’s IDs', slow, async () => {
      for (const call of calls) {
        const rule = accessOf(call.operationId);
        const expected: Record<string, number> = rule.sdk
          ? {
              'no credential': 401,
              'mobile token': 401,
              'user token': 401,
              'sandbox key': 401,
              'live key': 401,
              owner: 401,
              viewer: 401,
              'SDK session': call.okStatus,
            }
          : {
              'no credential': 401,
              'mobile token': 401,
              'user token': rule.ownUser ? call.okStatus : 403,
              'SDK session': 403,
              'sandbox key': rule.live ? 403 : call.takesId ? 404 : call.okStatus,
              'owner in the sandbox': rule.live ? 403 : call.takesId ? 404 : call.okStatus,
              viewer: rule.measured || !(call.method === 'GET' || rule.read) ? 403 : call.okStatus,
              'live key': call.okStatus, // last, because it deletes the user
            };
        for (const [credential, status] of Object.entries(expected)) {
          const response = await send(call, credential, own);
          expect(response.status, `${call.operationId} with ${credential}`).toBe(status);
        }
      }
    });
  },
);

test('exposes foreign data without any isolation layer, which proves that these tests can fail', async () => {
  await using app = await startTestApp();
  await arrangeLayers(app, 'no layer');
  const stranger = await app.createAccount();
  const id = await createUser(app, stranger.liveKey, foreignMarker);
  const response = await app.request('GET', `/v1/users/${id}`);
  expect(response.status).toBe(200);
  expect(() => expectNoLeak(response)).toThrow();
});

async function createUser(app: TestApp, key: string, reference_id: string): Promise<string> {
  const response = await app.request('POST', '/v1/users', {
    key,
    body: { reference_id, timezone: 'Europe/Berlin' },
  });
  expect(response.status).toBe(201);
  const id = response.body.data.id;
  const session = await sdkOf(app).start(id, installation, { key, idempotencyKey: sharedIdempotencyKey });
  expect(session.status).toBe(201);
  const [deviceUuid, batchId, userUuid] = [randomUUID(), randomUUID(), parseId('user', id)!];
  await app.insertDevice(userUuid, { id: deviceUuid, provider: foreignMarker, status: 'active' });
  await insertConnection(app, userUuid, deviceUuid);
  await insertProcessedBatch(app, userUuid, batchId);
  const sessions = await insertSessions(app, userUuid);
  await insertDay(app, userUuid, batchId);
  await insertScores(app, userUuid);
  await insertAuditEntries(app, userUuid);
  const hook = await insertDelivery(app, { key, reference_id, userId: userUuid });
  const person = await insertMember(app, { userId: userUuid, name: reference_id });
  const deviceId = formatId('dev', deviceUuid);
  belongings.set(id, {
    sessionId: session.body.session_id,
    deviceId,
    batchId,
    ...sessions,
    ...hook,
    ...person,
  });
  return id;
}

/** Additional data of a cloud provider's device: a consent, a link, and recent activity. */
async function insertConnection(app: TestApp, userId: string, deviceId: string): Promise<void> {
  await app.admin.query(`UPDATE devices SET sync_state = 'fresh', sync_reason = 'on_time' WHERE id = $1`, [
    deviceId,
  ]);
  const own = `SELECT $2::uuid, u.id, u.account_id, u.environment, $3 FROM users u WHERE u.id = $1`;
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider) ${own}`,
    [userId, deviceId, foreignMarker],
  );
  await app.admin.query(
    `INSERT INTO connect_links (device_id, user_id, account_id, environment, provider, id, link_hash, created_at, expires_at)
     SELECT mine.*, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), now(), now() FROM (${own}) AS mine`,
    [userId, deviceId, foreignMarker],
  );
  await app.admin.query(
    `INSERT INTO sync_runs (id, device_id, user_id, cause, outcome, started_at, ended_at, calls, documents, news)
     VALUES (gen_random_uuid(), $2, $1, 'poll', 'ok', now(), now(), 421, 421, 421)`,
    [userId, deviceId],
  );
}

/** A member whose user the organization created, and a declined invitation. */
async function insertMember(
  app: TestApp,
  { userId, name }: { userId: string; name: string },
): Promise<Pick<Belongings, 'invitationId' | 'memberId'>> {
  const [invitation, member] = [randomUUID(), randomUUID()];
  const link = `sha256(gen_random_uuid()::text::bytea), 1`;
  await app.admin.query(
    `WITH u AS (SELECT id, account_id, environment FROM users WHERE id = '${userId}'), m AS (
       INSERT INTO roster_members (id, account_id, environment, user_id, born, email, name, status, joined_at, link_hash, link_key_version)
       SELECT '${member}', account_id, environment, id, false, id || '@example.com', '${name}', 'active', now(), ${link} FROM u)
     INSERT INTO roster_invitations (id, account_id, environment, email, name, user_id, kind, status, created_at, expires_at, ended_at,
       link_hash, link_key_version)
     SELECT '${invitation}', account_id, environment, id || '@example.com', '${name}', id, 'existing', 'declined', now(), now(), now(),
       ${link} FROM u`,
  );
  await app.admin.query(
    `INSERT INTO mails (id, account_id, environment, kind, invitation_id, user_id, created_at)
     SELECT gen_random_uuid(), account_id, environment, 'invitation', id, user_id, now() FROM roster_invitations WHERE id = $1`,
    [invitation],
  );
  return { invitationId: formatId('inv', invitation), memberId: formatId('mem', member) };
}

/** An accepted and processed batch, with a marker in its receipt. */
async function insertProcessedBatch(app: TestApp, userId: string, batchId: string): Promise<void> {
  await app.admin.query(
    `INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
     VALUES ($1, $2, now(), now(), 0, 'x', 'x')`,
    [userId, batchId],
  );
  const rejected = [{ list: 'daily', index: 0, count: 1, code: 'out_of_range', message: foreignMarker }];
  await app.admin.query(
    `INSERT INTO receipts (user_id, batch_id, processed_at, counts, rejected) VALUES ($1, $2, now(), '{5,0,0,1,0}', $3)`,
    [userId, batchId, JSON.stringify(rejected)],
  );
}

/** Adds a night and a workout to the user's device and returns their IDs. */
async function insertSessions(
  app: TestApp,
  userId: string,
): Promise<Pick<Belongings, 'sleepId' | 'workoutId'>> {
  const times = `date '2026-03-01', 1, 'source', '2026-03-01T06:00Z', '2026-03-01T07:00Z'`;
  const sessionValues = `$1, 1, 'source', now(), gen_random_uuid(), '2026-03-01T06:00Z', '2026-03-01T07:00Z'`;
  const sessionColumns = 'user_id, device_no, source_id, created_at, batch_id, start_at, end_at, content';
  const workout = { sport: 'running', name: foreignMarker, values: {}, trace: null, histogram: [] };
  await app.admin.query(
    `INSERT INTO device_sleep (${sessionColumns}) VALUES (${sessionValues}, '{"stages": [], "minutes": {}, "vitals": {}}')`,
    [userId],
  );
  const sleep = await app.admin.query(
    `INSERT INTO canonical_sleep (user_id, id, is_main, day, device_no, source_id, start_at, end_at, content)
     VALUES ($1, gen_random_uuid(), true, ${times}, '{"deepMinutes": null, "remMinutes": null, "vitals": {}}') RETURNING id`,
    [userId],
  );
  await app.admin.query(
    `INSERT INTO device_workouts (${sessionColumns}) VALUES (${sessionValues}, '{"heartRate": {"offsetsMs": [], "bpm": []}}')`,
    [userId],
  );
  const { rows } = await app.admin.query(
    `INSERT INTO canonical_workouts (user_id, id, day, device_no, source_id, start_at, end_at, content)
     VALUES ($1, gen_random_uuid(), ${times}, $2) RETURNING id`,
    [userId, workout],
  );
  return { sleepId: formatId('slp', sleep.rows[0].id), workoutId: formatId('wko', rows[0].id) };
}

/** A webhook with a completed delivery. */
async function insertDelivery(
  app: TestApp,
  { key, reference_id, userId }: { key: string; reference_id: string; userId: string },
): Promise<Pick<Belongings, 'webhookId' | 'eventId'>> {
  const created = await app.request('POST', '/v1/webhooks', {
    key,
    body: { url: `https://example.com/${reference_id}`, events: ['score.updated'] },
  });
  const webhookId = created.body.data.id;
  const attempt = {
    at: '2026-03-01T07:00:00Z',
    status: 200,
    error: null,
    milliseconds: 9,
    answer: foreignMarker,
  };
  const { rows } = await app.admin.query(
    `INSERT INTO deliveries (webhook_id, event_id, account_id, environment, user_id, type, state, created_at, due_at, attempts)
     SELECT w.id, gen_random_uuid(), w.account_id, w.environment, $2, 'score.updated', 'succeeded', now(), now(), $3
     FROM webhooks w WHERE w.id = $1 RETURNING event_id`,
    [parseId('wh', webhookId), userId, JSON.stringify([attempt])],
  );
  return { webhookId, eventId: formatId('evt', rows[0].event_id) };
}

/** A day with steps reported by the user's device. */
async function insertDay(app: TestApp, userId: string, batchId: string): Promise<void> {
  const day = emptyDeviceDay();
  const owner = { createdMs: 0, batchId: uuidBytes(batchId), utcOffsetMinutes: null, unitCode: 0 };
  day.reported.set(findMetric('steps')!.no, { micros: 8420 * 1_000_000, owner });
  await app.admin.query(
    `INSERT INTO device_days (user_id, day, device_no, data) VALUES ($1, '2026-03-01', 1, $2)`,
    [userId, Buffer.from(encodeDeviceDay(day, parseDay('2026-03-01')!))],
  );
}

/** A sleep score for that day and one for today. */
async function insertScores(app: TestApp, userId: string): Promise<void> {
  const facts = encodeFacts({ coveredMinutes: 0, awake: [], workouts: [], hrvKind: null, epochs: [] });
  const scores = { sleep_score: [421, [[foreignMarker, 421]], Date.now(), 0, 1] };
  await app.admin.query(
    `INSERT INTO score_days (user_id, day, scores, facts)
     SELECT $1, day, $2, $3 FROM (VALUES (date '2026-03-01'), (current_date)) AS d (day)`,
    [userId, scores, Buffer.from(facts)],
  );
}

/** Audit entries about the user, with text, and one about the whole account when that is not the caller's. */
async function insertAuditEntries(app: TestApp, userId: string): Promise<void> {
  await app.admin.query(
    `WITH emitted AS (
       INSERT INTO audit_log (account_id, position, id, environment, at, actor_type, actor_id, action, target_type, target_id, data, hash)
       SELECT u.account_id, (SELECT count(*) FROM audit_log) + n, gen_random_uuid(), CASE n WHEN 1 THEN u.environment END, now(), 'service',
         'test', 'user.updated', 'user', u.reference_id, '{}', 'x' FROM users u, generate_series(1, 2) n
       WHERE u.id = $1 AND (n = 1 OR u.account_id <> $2) RETURNING *
     )
     INSERT INTO audit_texts (entry_id, account_id, environment, person, salt, text)
     SELECT id, account_id, environment, $1, 'x', json_build_object('name', target_id) FROM emitted`,
    [userId, app.account.uuid],
  );
}

function expectNoLeak(response: TestResponse): void {
  expect(JSON.stringify(response.body)).not.toContain(foreignMarker);
}
