import type { Stack } from '@tributary/stack';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { exampleBatch } from '@tributary/contract/testing';
import { createSecretToken } from '@tributary/server/testing/credentials';
import { createIdSource, formatId, parseId, systemClock } from '@tributary/server/testing/ids';
import { createAccount, createApiKey, updateAccount } from '@tributary/server/testing/accounts';
import { openPool, testActor } from '@tributary/server/testing/database';
import { Broker, createSemaphore, plainNats } from '@tributary/server/testing/service';
import { allowedReturn, configureProvider } from './devices.ts';
import { insertRoster } from './roster.ts';
import { fuzzedUrl } from './webhooks.ts';
import type { Tenant } from './tenant.ts';

/** Everything that requests are built from: tenants, credentials and users. */
export interface World {
  tenants: Tenant[];
  suspended: Tenant;
  full: Tenant;
  revokedKey: string;
  unknownKey: string;
}

const accounts = 60;
/** Creating a sandbox user waits until it is scored, so several accounts are created at once. */
const accountsAtOnce = 6;
const usersPerTenant = 4;
const sessionsPerTenant = 2;
const webhooksPerTenant = 2;

/** Creates accounts with the service's own functions, and users through the API. */
export async function makeWorld(stack: Stack): Promise<World> {
  const operator = openPool({
    url: stack.info.database_url,
    role: 'operator',
    max: 4,
    statementTimeoutMs: 10_000,
    applicationName: 'fuzz',
  });
  await using broker = new Broker(plainNats(stack.info.nats_url), 'fuzz');
  await new Promise((connected) => broker.whenConnected(connected));
  const ctx = { operator, broker, newId: createIdSource(systemClock) };

  await configureProvider(ctx);
  const semaphore = createSemaphore(accountsAtOnce);
  const pairs = Array.from({ length: accounts }, (_, at) =>
    semaphore(async () => {
      const { account, live, sandbox } = await createAccount(ctx, testActor, { name: `Fuzz ${at}` });
      const form = at % 2 === 1 ? { defaultForm: 2 as const } : {};
      await updateAccount(ctx, testActor, account.id, {
        organizationName: 'Fuzz',
        addRedirectUrls: [allowedReturn],
        ...form,
      });
      const liveTenant = await makeTenant(stack, live.secret);
      return [liveTenant, { ...(await makeTenant(stack, sandbox.secret)), live: liveTenant }];
    }),
  );
  const tenants = (await Promise.all(pairs)).flat();
  await insertDevices(operator, ctx.newId, tenants);
  for (const tenant of tenants) await startConnection(stack, tenant);
  await insertRoster(operator, ctx.newId, tenants);
  for (const tenant of tenants) await findSessions(stack, tenant);

  const fullAccount = await createAccount(ctx, testActor, { name: 'Full' });
  const full = await makeTenant(stack, fullAccount.live.secret);
  await updateAccount(ctx, testActor, fullAccount.account.id, { userLimit: usersPerTenant });
  const suspendedAccount = await createAccount(ctx, testActor, { name: 'Suspended' });
  const suspended = await makeTenant(stack, suspendedAccount.live.secret);
  await updateAccount(ctx, testActor, suspendedAccount.account.id, { status: 'suspended' });
  const revoked = await createAccount(ctx, testActor, { name: 'Revoked' });
  await createApiKey(ctx, testActor, { accountId: revoked.account.id, environment: 'live' });

  // All nodes must be notified of the changes before the first request.
  await broker.connection?.flush();
  await operator.end();
  return {
    tenants,
    full,
    suspended,
    revokedKey: revoked.live.secret,
    unknownKey: createSecretToken('sk_live_'),
  };
}

async function makeTenant(stack: Stack, key: string): Promise<Tenant> {
  const tenant: Tenant = {
    key,
    users: [],
    deleted: [],
    userTokens: [],
    sessions: [],
    clientTokens: [],
    refreshTokens: [],
    accessTokens: [],
    phoneToken: '',
    cursors: [],
    references: [],
    batches: [],
    devices: [],
    connections: [],
    workouts: [],
    nights: [],
    webhooks: [],
    invitations: [],
    members: [],
    live: null,
    feedCursor: '',
    sessionCursors: {},
  };
  for (let at = 0; at < usersPerTenant; at += 1) {
    const { id } = await call<{ id: string }>(stack, key, 'POST', '/v1/users', {
      external_ref: `known-${at}`,
    });
    tenant.users.push(id);
    tenant.references.push(`known-${at}`);
  }
  const userId = tenant.users[0]!;
  const { token } = await call<{ token: string }>(stack, key, 'POST', '/v1/auth/user-token', {
    user_id: userId,
  });
  tenant.userTokens.push({ token, userId });
  for (let at = 0; at < sessionsPerTenant; at += 1) await startSession(stack, tenant, userId);
  await startPhone(stack, tenant, userId);
  const { next_cursor } = await call<{ next_cursor: string }>(stack, key, 'GET', '/v1/users?limit=2');
  tenant.cursors.push(next_cursor);
  for (let at = 0; at < webhooksPerTenant; at += 1) await registerWebhook(stack, tenant);
  tenant.feedCursor = (await call<{ cursor: string }>(stack, key, 'GET', '/v1/events?limit=1')).cursor;
  return tenant;
}

/** Creates a webhook with a delivery. */
async function registerWebhook(stack: Stack, { key, webhooks }: Tenant): Promise<void> {
  type CreatedBody<T> = { data: T };
  const created = await call<CreatedBody<{ id: string }>>(stack, key, 'POST', '/v1/webhooks', {
    url: fuzzedUrl,
    events: ['*'],
  });
  const { id } = created.data;
  const path = `/v1/webhooks/${id}/test`;
  const tested = await call<CreatedBody<{ event_id: string }>>(stack, key, 'POST', path, {});
  webhooks.push({ id, eventId: tested.data.event_id });
}

/** Starts a connection to a cloud provider that no user ever completes. */
async function startConnection(stack: Stack, { key, users, devices, connections }: Tenant): Promise<void> {
  const userId = users[0]!;
  const path = `/v1/users/${userId}/devices`;
  const { data } = await call<{ data: { id: string } }>(stack, key, 'POST', path, { provider: 'oura' });
  devices.push({ id: data.id, userId });
  connections.push({ id: data.id, userId });
}

type Credentials = Record<'session_id' | 'access_token' | 'refresh_token', string>;

async function signIn(stack: Stack, { key }: Tenant, userId: string): Promise<Credentials> {
  const client_token = await issueToken(stack, key, userId);
  return call(stack, key, 'POST', '/v1/sdk/sessions/exchange', { client_token });
}

async function issueToken(stack: Stack, key: string, user_id: string): Promise<string> {
  return (await call<{ token: string }>(stack, key, 'POST', '/v1/auth/mobile-token', { user_id })).token;
}

/** Creates a session with its credentials, and a token for another one. */
async function startSession(stack: Stack, tenant: Tenant, userId: string): Promise<void> {
  const session = await signIn(stack, tenant, userId);
  tenant.sessions.push({ id: session.session_id, userId });
  tenant.accessTokens.push(session.access_token);
  tenant.refreshTokens.push(session.refresh_token);
  tenant.clientTokens.push(await issueToken(stack, tenant.key, userId));
}

/** Two nights and two workouts, one of them with a heart rate trace, so that both lists have a second page. */
const sessions = {
  sleep: [
    { id: 'first', start: '2026-02-27T22:30:00Z', end: '2026-02-28T06:10:00Z', minutes: { asleep: 421 } },
    { id: 'second', start: '2026-02-28T23:05:00Z', end: '2026-03-01T06:40:00Z' },
  ],
  workouts: [
    {
      id: 'run',
      sport_type: 'running',
      start: '2026-02-28T16:00:00Z',
      end: '2026-02-28T16:50:00Z',
      values: { distance: 8.2 },
      heart_rate: { start: '2026-02-28T16:00:00Z', interval_seconds: 60, values: [98, 131, 149, 152] },
    },
    { id: 'swim', sport_type: 'swimming', start: '2026-03-01T08:00:00Z', end: '2026-03-01T08:45:00Z' },
  ],
};

/** Waits until the uploaded sessions are listed, and stores their ids and cursors. */
async function findSessions(stack: Stack, tenant: Tenant): Promise<void> {
  const userId = tenant.users[0]!;
  const list = (name: string) =>
    call<{ data: { id: string }[]; next_cursor: string | null }>(
      stack,
      tenant.key,
      'GET',
      `/v1/users/${userId}/${name}?from_date=2026-02-20&to_date=2026-03-05&limit=1`,
    );
  for (;;) {
    const [sleep, workouts] = [await list('sleep'), await list('workouts')];
    if (sleep.next_cursor && workouts.next_cursor) {
      tenant.sessionCursors = { listSleep: sleep.next_cursor, listWorkouts: workouts.next_cursor };
      for (const { id } of workouts.data) tenant.workouts.push({ id, userId });
      for (const { id } of sleep.data) tenant.nights.push({ id, userId });
      return;
    }
    await setTimeout(100);
  }
}

/** Creates a session that no other request uses, with an upload. */
async function startPhone(stack: Stack, tenant: Tenant, userId: string): Promise<void> {
  tenant.phoneToken = (await signIn(stack, tenant, userId)).access_token;
  const batch = { ...exampleBatch, ...sessions, batch_id: randomUUID() };
  await call(stack, tenant.phoneToken, 'POST', '/v1/sdk/batches', batch);
  tenant.batches.push({ id: batch.batch_id, token: tenant.phoneToken });
}

async function call<T>(stack: Stack, key: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(stack.info.base_url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function insertDevices(
  operator: ReturnType<typeof openPool>,
  newId: () => string,
  tenants: Tenant[],
): Promise<void> {
  for (const tenant of tenants) {
    for (const userId of tenant.users.slice(0, 2)) {
      const ids = [newId(), newId(), newId()];
      // Device numbers that do not collide with those of uploads, which are processed at the same time.
      await operator.query(
        `INSERT INTO devices (user_id, device_no, id, provider, status, connected_at, stable_id, on_device)
         VALUES ($1, 101, $2, 'oura', 'active', now(), NULL, false), ($1, 102, $3, 'garmin', 'pending', NULL, NULL, false),
           ($1, 103, $4, 'apple_health', 'active', now(), 'planted', true)`,
        [parseId('user', userId), ...ids],
      );
      for (const id of ids) tenant.devices.push({ id: formatId('dev', id), userId });
    }
  }
}
