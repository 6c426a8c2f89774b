import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { asTenant } from '../../store/tenant.ts';
import { testActing, testActor } from '../../test/acting.ts';
import { allAuditText, entriesDuring } from '../../test/audit.ts';
import { sdkOf } from '../../test/sdk.ts';
import { startTestApp, type TestAnswer, type TestApp } from '../../test/test-app.ts';
import { createPhoneUser } from '../../test/uploads.ts';
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

/** Calls whose preparation is not looked at, and the status that they end with. */
const refused: [name: string, status: number, prepare: () => Promise<() => Promise<TestAnswer>>][] = [
  [
    'a user with a reference that is taken',
    409,
    async () => {
      await send('POST', '/v1/users', { reference_id: 'taken' });
      return () => send('POST', '/v1/users', { reference_id: 'taken' });
    },
  ],
  ['a user that is badly described', 400, async () => () => send('POST', '/v1/users', { reference_id: 5 })],
  [
    'a user beyond the limit',
    402,
    async () => {
      const account = await app.createAccount();
      await updateAccount(app.ctx, testActor, account.uuid, { userLimit: 0 });
      return () => send('POST', '/v1/users', { reference_id: 'one' }, account.liveKey);
    },
  ],
  ['an update of nobody', 404, async () => () => send('PATCH', `/v1/users/${user}`, { timezone: 'UTC' })],
  [
    'an update to a reference that is taken',
    409,
    async () => {
      const id = await newUser();
      await send('POST', '/v1/users', { reference_id: 'theirs' });
      return () => send('PATCH', `/v1/users/${id}`, { reference_id: 'theirs' });
    },
  ],
  [
    'a deletion for the second time',
    404,
    async () => {
      const id = await newUser();
      await send('DELETE', `/v1/users/${id}`);
      return () => send('DELETE', `/v1/users/${id}`);
    },
  ],
  [
    'days for a user that is real',
    404,
    async () => {
      const id = await newUser();
      return () => send('POST', `/v1/sandbox/users/${id}/advance`, { days: 1 });
    },
  ],
  [
    'a webhook to an address that is none',
    400,
    async () => () => send('POST', '/v1/webhooks', { url: 'ftp://example.com/', events: ['*'] }),
  ],
  [
    'an update of no webhook',
    404,
    async () => () => send('PATCH', `/v1/webhooks/${webhook}`, { active: true }),
  ],
  [
    'a new secret for no webhook',
    404,
    async () => () => send('POST', `/v1/webhooks/${webhook}/rotate-secret`),
  ],
  ['a test of no webhook', 404, async () => () => send('POST', `/v1/webhooks/${webhook}/test`, {})],
  [
    'a test of one that is not active',
    409,
    async () => {
      const hook = await createTestWebhook(app, { status: 'inactive' });
      return () => hook.call('POST', '/test', {});
    },
  ],
  [
    'a delivery that is none, sent again',
    404,
    async () => {
      const hook = await createTestWebhook(app);
      return () => hook.call('POST', `/deliveries/${formatId('evt', missing)}/resend`);
    },
  ],
  [
    'a webhook deleted for the second time',
    404,
    async () => {
      const hook = await createTestWebhook(app);
      await hook.call('DELETE');
      return () => hook.call('DELETE');
    },
  ],
  [
    'a device that is none',
    404,
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/devices/${formatId('dev', missing)}`);
    },
  ],
  [
    'a mobile token for nobody',
    404,
    async () => () => send('POST', '/v1/auth/mobile-token', { user_id: user }),
  ],
  ['a session for nobody', 404, async () => () => sdk.start(user)],
  [
    'a session that is none, revoked',
    404,
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/sdk-sessions/${missing}`);
    },
  ],
  [
    'a client token for the second time',
    401,
    async () => {
      const { client_token: token } = (await sdk.start(await newUser())).body;
      await sdk.exchange(token);
      return () => sdk.exchange(token);
    },
  ],
  [
    'a session ended for the second time',
    401,
    async () => {
      const { credentials } = await sdk.signIn(await newUser());
      await sdk.end(credentials.access_token);
      return () => sdk.end(credentials.access_token);
    },
  ],
  ['settings of nobody', 404, async () => () => send('DELETE', `/v1/users/${user}/consolidation`)],
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

/** Calls that succeed and find everything as they want it. */
const idle: [name: string, prepare: () => Promise<() => Promise<TestAnswer>>][] = [
  [
    'an update to what is there',
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
    'a webhook updated to what it is',
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
    'no day for someone who reports nothing',
    async () => {
      const key = app.account.sandboxKey;
      const id = await newUser({ sandbox: { archetype: 'none' } }, key);
      return () => send('POST', `/v1/sandbox/users/${id}/advance`, { days: 0 }, key);
    },
  ],
  [
    'settings that are so already',
    async () => {
      const { id } = await createPhoneUser(app);
      const settings = { metrics: { steps: { method: 'priority' } } };
      await send('PATCH', `/v1/users/${id}/consolidation`, settings);
      return () => send('PATCH', `/v1/users/${id}/consolidation`, settings);
    },
  ],
  [
    'a reset of nothing',
    async () => {
      const id = await newUser();
      return () => send('DELETE', `/v1/users/${id}/consolidation`);
    },
  ],
  [
    'a session asked for with the same key again',
    async () => {
      const [id, idempotencyKey] = [await newUser(), randomUUID()];
      await sdk.start(id, {}, { idempotencyKey });
      return () => sdk.start(id, {}, { idempotencyKey });
    },
  ],
  [
    'a session revoked again',
    async () => {
      const id = await newUser();
      const { session_id: session } = (await sdk.start(id)).body;
      await send('DELETE', `/v1/users/${id}/sdk-sessions/${session}`);
      return () => send('DELETE', `/v1/users/${id}/sdk-sessions/${session}`);
    },
  ],
];

describe('nothing is recorded of', () => {
  test.each(refused)('%s (%i)', async (_name, status, prepare) => {
    const { answer, entries } = await entriesDuring(app, await prepare());
    expect(answer).toMatchObject({ status });
    expect(entries).toEqual([]);
  });

  test.each(idle)('%s', async (_name, prepare) => {
    const { answer, entries } = await entriesDuring(app, await prepare());
    expect(answer.status).toBeLessThan(300);
    expect(entries).toEqual([]);
  });

  test('an account set to what it is, and a key revoked again', async () => {
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

describe('a change and its entry are both there, or neither is', () => {
  const usersNamed = async (reference: string) =>
    (await app.admin.query('SELECT FROM users WHERE reference_id = $1', [reference])).rowCount;
  /** Lets every row of a table that is inserted fail, at once or at the commit, while `work` runs. */
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

  test('when the commit of the change fails', async () => {
    await whileFailing('users', 'at the commit', async () => {
      const create = () => send('POST', '/v1/users', { reference_id: 'rolled-back' });
      const { answer, entries } = await entriesDuring(app, create);
      expect(answer).toMatchObject({ status: 500 });
      expect(entries).toEqual([]);
    });
    expect(await usersNamed('rolled-back')).toBe(0);
    expect(await allAuditText(app)).not.toContain('rolled-back');
  });

  test.each(['audit_intake', 'audit_texts'])('when %s takes nothing', async (table) => {
    await whileFailing(table, 'at once', async () => {
      expect(await send('POST', '/v1/users', { reference_id: 'unrecorded' })).toMatchObject({ status: 500 });
    });
    expect(await usersNamed('unrecorded')).toBe(0);
  });

  test('when the work after the entry fails', async () => {
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

test('an erased user leaves entries without text, and one that says why', async () => {
  const { id, uuid } = await createPhoneUser(app, { external_ref: 'marked-reference' });
  await send('PATCH', `/v1/users/${id}`, { external_ref: 'marked-reference-2' });
  const textsOf = async () =>
    (await app.admin.query('SELECT FROM audit_texts WHERE person = $1', [uuid])).rowCount;
  expect(await textsOf()).toBe(3);
  await send('DELETE', `/v1/users/${id}`);
  const { answer, entries } = await entriesDuring(app, () => eraseUser(app.ctx, uuid));
  expect(answer).toMatchObject({ audit_texts: 3 });
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
