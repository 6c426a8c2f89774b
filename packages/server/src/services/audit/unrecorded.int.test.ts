import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { testActing, testActor } from '../../test/acting.ts';
import { allAuditText, entriesDuring } from '../../test/audit.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import { startTestApp, type TestResponse, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser } from '../../test/data/uploads.ts';
import { createTestWebhook } from '../../test/webhooks.ts';
import { createAccount } from '../accounts/create-account.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { eraseUser } from '../users/erase-user.ts';
import { record } from './record.ts';

let app: TestApp;
let sdk: ReturnType<typeof sdkOf>;

beforeAll(async () => {
  app = await startTestApp({ SANDBOX_WAIT_MS: '0' });
  sdk = sdkOf(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const missing = randomUUID();
const user = formatId('user', missing);
const webhook = formatId('wh', missing);
const send = (method: string, path: string, body?: unknown, key = app.account.liveKey) =>
  app.request(method, path, { key, ...(body === undefined ? {} : { body }) });

async function newUser(body: object = {}, key = app.account.liveKey): Promise<string> {
  return (await send('POST', '/v1/users', { external_ref: randomUUID(), ...body }, key)).body.id;
}

/** Rejected calls with their expected status. Entries of their preparation are ignored. */
const refused: [name: string, status: number, prepare: () => Promise<() => Promise<TestResponse>>][] = [
  [
    'a user with a reference ID that is taken',
    409,
    async () => {
      await send('POST', '/v1/users', { reference_id: 'taken' });
      return () => send('POST', '/v1/users', { reference_id: 'taken' });
    },
  ],
  ['a user with invalid fields', 400, async () => () => send('POST', '/v1/users', { reference_id: 5 })],
  [
    'a user beyond the plan limit',
    402,
    async () => {
      const account = await app.createAccount();
      await updateAccount(app.ctx, testActor, account.uuid, { userLimit: 0 });
      return () => send('POST', '/v1/users', { reference_id: 'one' }, account.liveKey);
    },
  ],
  [
    'an update of an unknown user',
    404,
    async () => () => send('PATCH', `/v1/users/${user}`, { timezone: 'UTC' }),
  ],
  [
    'an update to a reference ID that is taken',
    409,
    async () => {
      const id = await newUser();
      await send('POST', '/v1/users', { reference_id: 'theirs' });
      return () => send('PATCH', `/v1/users/${id}`, { reference_id: 'theirs' });
    },
  ],
  [
    'a repeated user deletion',
    404,
    async () => {
      const id = await newUser();
      await send('DELETE', `/v1/users/${id}`);
      return () => send('DELETE', `/v1/users/${id}`);
    },
  ],
  [
    'advancing a user that is not simulated',
    404,
    async () => {
      const id = await newUser();
      return () => send('POST', `/v1/sandbox/users/${id}/advance`, { days: 1 });
    },
  ],
  [
    'a webhook with an invalid URL',
    400,
    async () => () => send('POST', '/v1/webhooks', { url: 'ftp://example.com/', events: ['*'] }),
  ],
  [
    'an update of an unknown webhook',
    404,
    async () => () => send('PATCH', `/v1/webhooks/${webhook}`, { active: true }),
  ],
  [
    'a secret rotation of an unknown webhook',
    404,
    async () => () => send('POST', `/v1/webhooks/${webhook}/rotate-secret`),
  ],
  ['a test of an unknown webhook', 404, async () => () => send('POST', `/v1/webhooks/${webhook}/test`, {})],
  [
    'a test of an inactive webhook',
    409,
    async () => {
      const hook = await createTestWebhook(app, { status: 'inactive' });
      return () => hook.call('POST', '/test', {});
    },
  ],
  [
    'a resend of an unknown delivery',
    404,
    async () => {
      const hook = await createTestWebhook(app);
      return () => hook.call('POST', `/deliveries/${formatId('evt', missing)}/resend`);
    },
  ],
  [
    'a repeated webhook deletion',
    404,
    async () => {
      const hook = await createTestWebhook(app);
      await hook.call('DELETE');
      return () => hook.call('DELETE');
    },
  ],
  [
    'an unknown device',
    404,
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/devices/${formatId('dev', missing)}`);
    },
  ],
  [
    'a mobile token for an unknown user',
    404,
    async () => () => send('POST', '/v1/auth/mobile-token', { user_id: user }),
  ],
  ['a session for an unknown user', 404, async () => () => sdk.start(user)],
  [
    'revoking an unknown session',
    404,
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/sdk-sessions/${missing}`);
    },
  ],
  [
    'a client token that was already used',
    401,
    async () => {
      const { client_token: token } = (await sdk.start(await newUser())).body;
      await sdk.exchange(token);
      return () => sdk.exchange(token);
    },
  ],
  [
    'ending a session that has already ended',
    401,
    async () => {
      const { credentials } = await sdk.signIn(await newUser());
      await sdk.end(credentials.access_token);
      return () => sdk.end(credentials.access_token);
    },
  ],
  ['settings of an unknown user', 404, async () => () => send('DELETE', `/v1/users/${user}/consolidation`)],
  [
    'settings for a provider that is not connected',
    422,
    async () => {
      const id = await newUser();
      return () => send('PATCH', `/v1/users/${id}/consolidation`, { providers: { garmin: false } });
    },
  ],
  ['a call without a key', 401, async () => () => send('POST', '/v1/users', { reference_id: 'x' }, '')],
];

/** Calls that succeed without changing anything. */
const idle: [name: string, prepare: () => Promise<() => Promise<TestResponse>>][] = [
  [
    'an update that changes nothing',
    async () => {
      const profile = { weight_kg: 70.1, goals: { steps: 8000, sleep_hours: 8 } };
      const id = await newUser({ external_ref: 'same', timezone: 'Europe/Rome', profile });
      const goals = { sleep_hours: 8, steps: 8000 };
      const same = {
        external_ref: 'same',
        timezone: 'Europe/Rome',
        profile: { weight_kg: 70.1, goals, sex: null },
      };
      return () => send('PATCH', `/v1/users/${id}`, same);
    },
  ],
  [
    'a webhook update that changes nothing',
    async () => {
      const hook = await createTestWebhook(app);
      return () => hook.call('PATCH', '', { url: 'https://example.com/hooks', events: ['*'], active: true });
    },
  ],
  [
    'a recovery that finds nothing',
    async () => {
      const hook = await createTestWebhook(app, { events: ['device.connected'] });
      return () => hook.call('POST', '/recover', { since: '2020-01-01T00:00:00Z' });
    },
  ],
  [
    'advancing a user without devices by zero days',
    async () => {
      const key = app.account.sandboxKey;
      const id = await newUser({ sandbox: { archetype: 'none' } }, key);
      return () => send('POST', `/v1/sandbox/users/${id}/advance`, { days: 0 }, key);
    },
  ],
  [
    'settings that are already in effect',
    async () => {
      const { id } = await createPhoneUser(app);
      const settings = { metrics: { steps: { method: 'priority' } } };
      await send('PATCH', `/v1/users/${id}/consolidation`, settings);
      return () => send('PATCH', `/v1/users/${id}/consolidation`, settings);
    },
  ],
  [
    'a reset of default settings',
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/consolidation`);
    },
  ],
  [
    'a session request with a repeated idempotency key',
    async () => {
      const [id, idempotencyKey] = [await newUser(), randomUUID()];
      await sdk.start(id, {}, { idempotencyKey });
      return () => sdk.start(id, {}, { idempotencyKey });
    },
  ],
  [
    'revoking a session that is already revoked',
    async () => {
      const id = await newUser();
      const { session_id: session } = (await sdk.start(id)).body;
      await send('DELETE', `/v1/users/${id}/sdk-sessions/${session}`);
      return () => send('DELETE', `/v1/users/${id}/sdk-sessions/${session}`);
    },
  ],
];

describe('calls without an audit entry', () => {
  test.each(refused)('records nothing for %s (%i)', async (_name, status, prepare) => {
    const { response, entries } = await entriesDuring(app, await prepare());
    expect(response).toMatchObject({ status });
    expect(entries).toEqual([]);
  });

  test.each(idle)('records nothing for %s', async (_name, prepare) => {
    const { response, entries } = await entriesDuring(app, await prepare());
    expect(response.status).toBeLessThan(300);
    expect(entries).toEqual([]);
  });

  test('records nothing for an account update without changes and a key that is already revoked', async () => {
    const { account, live } = await createAccount(app.ctx, testActor, { name: 'Same' });
    await revokeApiKey(app.ctx, testActor, live.id);
    const { entries } = await entriesDuring(app, async () => {
      expect(await updateAccount(app.ctx, testActor, account.id, { name: 'Same' })).toMatchObject(account);
      expect(await updateAccount(app.ctx, testActor, missing, { name: 'Same' })).toBeNull();
      expect(await revokeApiKey(app.ctx, testActor, live.id)).toMatchObject({ id: live.id });
      expect(await revokeApiKey(app.ctx, testActor, missing)).toBeNull();
    });
    expect(entries).toEqual([]);
  });
});

describe('atomicity of a change and its entry', () => {
  const usersNamed = async (reference: string) =>
    (await app.admin.query('SELECT FROM users WHERE reference_id = $1', [reference])).rowCount;
  /** Makes every insert into a table fail, immediately or at the commit, while `work` runs. */
  const whileFailing = async (
    table: string,
    when: 'at once' | 'at the commit',
    work: () => Promise<void>,
  ) => {
    const timing = when === 'at once' ? 'BEFORE INSERT' : 'AFTER INSERT';
    const kind = when === 'at once' ? '' : 'CONSTRAINT';
    const deferred = when === 'at once' ? '' : 'DEFERRABLE INITIALLY DEFERRED';
    await app.admin
      .query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
      CREATE ${kind} TRIGGER fail ${timing} ON ${table} ${deferred} FOR EACH ROW EXECUTE FUNCTION fail()`);
    try {
      await work();
    } finally {
      await app.admin.query('DROP FUNCTION fail CASCADE');
    }
  };

  test('stores neither if the commit of the change fails', async () => {
    await whileFailing('users', 'at the commit', async () => {
      const create = () => send('POST', '/v1/users', { reference_id: 'rolled-back' });
      const { response, entries } = await entriesDuring(app, create);
      expect(response).toMatchObject({ status: 500 });
      expect(entries).toEqual([]);
    });
    expect(await usersNamed('rolled-back')).toBe(0);
    expect(await allAuditText(app)).not.toContain('rolled-back');
  });

  test.each(['audit_intake', 'audit_texts'])('stores neither if inserting into %s fails', async (table) => {
    await whileFailing(table, 'at once', async () => {
      expect(await send('POST', '/v1/users', { reference_id: 'unrecorded' })).toMatchObject({ status: 500 });
    });
    expect(await usersNamed('unrecorded')).toBe(0);
  });

  test('stores neither if the work after the entry fails', async () => {
    const acting = testActing({ accountId: app.account.uuid, environment: 'live' });
    const change = { action: 'user.updated', target: { type: 'user', id: user } } as const;
    const { entries } = await entriesDuring(app, async () => {
      const failing = asTenant(app.ctx.db, acting, async (tx) => {
        await record(app.ctx, tx, acting, change);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
    });
    expect(entries).toEqual([]);
  });
});

test('keeps the entries of an erased user without text, and adds one that explains why', async () => {
  const { id, uuid } = await createPhoneUser(app, { external_ref: 'marked-reference' });
  await send('PATCH', `/v1/users/${id}`, { external_ref: 'marked-reference-2' });
  const textsOf = async () =>
    (await app.admin.query('SELECT FROM audit_texts WHERE person = $1', [uuid])).rowCount;
  expect(await textsOf()).toBe(3);
  await send('DELETE', `/v1/users/${id}`);
  const { response, entries } = await entriesDuring(app, () => eraseUser(app.ctx, uuid));
  expect(response).toMatchObject({ audit_texts: 3 });
  expect(entries).toMatchObject([
    {
      account: app.account.uuid,
      environment: 'live',
      actor: 'service erase-user',
      action: 'user.erased',
      target: `user ${id}`,
      address: null,
      requestId: null,
    },
  ]);
  expect(await textsOf()).toBe(0);
  expect(await allAuditText(app)).not.toContain('marked-reference');
  const { rowCount } = await app.admin.query('SELECT FROM audit_intake WHERE person = $1', [uuid]);
  expect(rowCount).toBe(3);
});
