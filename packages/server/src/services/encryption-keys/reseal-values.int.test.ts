import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProvider } from '@tributary/providers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../create-context.ts';
import { createKeyring } from '../../credentials/keyring.ts';
import { signUserToken } from '../../credentials/user-token.ts';
import { findConnection } from '../../store/connections/connections.ts';
import { findProviderApp } from '../../store/connections/provider-apps.ts';
import { listSealedOtherwise, sealedPlaces } from '../../store/database/sealed-values.ts';
import { listValidSigningKeys } from '../../store/accounts/signing-keys.ts';
import { testActor } from '../../test/acting.ts';
import { cliOf } from '../../test/commands/run-cli.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { createTestWebhook } from '../../test/webhooks.ts';
import { exchangeSeal } from '../connections/continue-connecting.ts';
import { sealTokens, unsealTokens } from '../connections/seal-tokens.ts';
import { openTokenSource } from '../connections/token-source.ts';
import { configureApp } from '../providers/configure-app.ts';
import { findApp } from '../providers/find-app.ts';
import { createRawKey, openRawKey } from '../raw-payloads/user-keys.ts';
import { insertUserKeys, listRawKeys } from '../../store/raw-keys/raw-keys.ts';
import { ensurePush, readPushState } from '../sync/ensure-push.ts';
import { openSigningSecret } from '../webhooks/signing-secret.ts';
import { resealValues } from './reseal-values.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';

const first = { version: 1, key: Buffer.alloc(32, 7) };
const second = { version: 2, key: Buffer.alloc(32, 8) };
const oldKeyOnly = createKeyring([first]);
const newKeyOnly = createKeyring([second]);
const newInFront = createKeyring([second, first]);
const oldInFront = createKeyring([first, second]);
const oura = findProvider('oura')!;
const tokens = { accessToken: 'a', refreshToken: 'r', expiresAtMs: null, scopes: null };

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() =>
  app.admin.query('DELETE FROM connections; DELETE FROM provider_apps; DELETE FROM push_set_ups'),
);

/** As the command does, with connections of its own. */
async function reseal(keyring = newInFront) {
  const operator = openDatabase(app.ctx.config, 'operator', 1);
  try {
    return await resealValues({ ...app.ctx, operator, keyring });
  } finally {
    await operator.end();
  }
}

async function access() {
  const own = await findApp(app.ctx, app.ctx.operator, 'sandbox', oura);
  return { environment: 'sandbox' as const, provider: oura, app: own! };
}

/** Connects a simulated user, whose tokens can be replaced. */
async function connectPerson(person: string): Promise<string> {
  const { body } = await app.connect(await app.createUser(), 'oura');
  await app.authorize(body.data.auth_url, person);
  const { rows } = await app.admin.query(
    `SELECT device_id FROM connections WHERE tokens IS NOT NULL ORDER BY authorized_at DESC LIMIT 1`,
  );
  return rows[0].device_id;
}

/** Connections that are never synced. */
async function plantConnections(count: number, keyring = oldKeyOnly): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, tokens)
     SELECT id, gen_random_uuid(), $1, 'live', 'oura', sealed FROM unnest($2::uuid[], $3::bytea[]) AS t (id, sealed)`,
    [app.account.uuid, ids, ids.map((id) => sealTokens(keyring, id, tokens))],
  );
  return ids;
}

async function countSealedOtherwise(version: number): Promise<number> {
  const lists = sealedPlaces.map((place) =>
    listSealedOtherwise(app.ctx.operator, place, { version, after: null, limit: 1_000_000 }),
  );
  return (await Promise.all(lists)).flat().length;
}

test('knows every place that encrypts values', () => {
  const folder = join(import.meta.dirname, '../..');
  const sealing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('test/'))
    .filter((file) => /keyring\.encrypt\(/.test(readFileSync(join(folder, file), 'utf8')));
  expect(sealing.toSorted()).toEqual([
    'credentials/user-token.ts',
    'services/connections/continue-connecting.ts',
    'services/connections/seal-tokens.ts',
    'services/encryption-keys/reseal-values.ts',
    'services/operators/sign-in.ts',
    'services/providers/configure-app.ts',
    'services/raw-payloads/user-keys.ts',
    'services/sync/ensure-push.ts',
    'services/webhooks/signing-secret.ts',
  ]);
});

test('makes the new key decrypt everything, and the old one nothing', { timeout: 120_000 }, async () => {
  const deviceId = await connectPerson('ada');
  await plantConnections(250);
  await configureApp(app.ctx, testActor, {
    provider: 'oura',
    clientId: 'x',
    clientSecret: 'hush',
    settings: {},
    force: false,
  });
  await ensurePush(app.ctx, await access());
  const webhook = await createTestWebhook(app, { url: 'https://example.com/1' });
  await app.request('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, { key: app.account.liveKey });
  const deletedWebhook = await createTestWebhook(app, { url: 'https://example.com/2' });
  await app.request('DELETE', `/v1/webhooks/${deletedWebhook.id}`, { key: app.account.liveKey });
  const { body } = await app.connect(await app.createUser(), 'oura');
  await fetch(body.data.auth_url, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'continue' }),
    redirect: 'manual',
  });

  const sealedKey = createRawKey(oldKeyOnly, randomUUID());
  await insertUserKeys(app.ctx.operator, [sealedKey]);

  // The first sign-in creates the secret for all later ones.
  const passwordHash = await app.ctx.signIn.hashPassword('any');
  expect(passwordHash).toContain(':');

  const before = await readPushState({ keyring: oldKeyOnly }, app.ctx.operator, 'sandbox', 'oura');
  const { resealed, left, missingVersions } = await reseal();
  expect(resealed).toEqual({
    connections: 251,
    connect_links: 1,
    provider_apps: 1,
    push_set_ups: 1,
    webhook_secrets: 1,
    previous_webhook_secrets: 1,
    sign_in_secrets: 1,
    raw_keys: 1,
    key_store: 0,
    signing_keys: 1,
  });
  expect(Object.values(left)).toEqual(sealedPlaces.map(() => 0));
  expect(missingVersions).toEqual([]);

  const all = await Promise.all(
    sealedPlaces.map((place) =>
      listSealedOtherwise(app.ctx.operator, place, { version: 1, after: null, limit: 1_000 }),
    ),
  );
  // The place of the separate key store has the same table.
  expect(all.flat()).toHaveLength(260);
  for (const { sealed } of all.flat())
    expect(() => oldKeyOnly.decrypt(sealed, 'anything')).toThrow(
      'ENCRYPTION_KEYS does not contain version 2',
    );

  const ctx = { ...app.ctx, keyring: newKeyOnly };
  const connection = (await findConnection(ctx.operator, deviceId))!;
  const source = openTokenSource(ctx, await access(), { ...connection, tokens: connection.tokens! });
  expect((await source.renew()).accessToken).not.toBe(
    unsealTokens(newKeyOnly, deviceId, connection.tokens!).accessToken,
  );
  expect(await findApp(ctx, ctx.operator, 'live', oura)).toMatchObject({ clientSecret: 'hush' });
  expect(await readPushState(ctx, ctx.operator, 'sandbox', 'oura')).toEqual(before);
  const links = await app.admin.query(`SELECT id, sealed FROM connect_links WHERE sealed IS NOT NULL`);
  expect(newKeyOnly.decrypt(links.rows[0].sealed, exchangeSeal(links.rows[0].id)).toString()).toMatch(
    /^[\w-]{43}$/,
  );
  const hooks = await app.admin.query(
    `SELECT id, secret, previous_secret FROM webhooks WHERE previous_secret IS NOT NULL`,
  );
  const { id, secret, previous_secret: previous } = hooks.rows[0];
  expect(`whsec_${openSigningSecret(newKeyOnly, id, previous).toString('base64')}`).toBe(webhook.secret);
  expect(openSigningSecret(newKeyOnly, id, secret)).toHaveLength(32);
  const [key] = await listValidSigningKeys(ctx.operator, 0);
  const tenant = { accountId: app.account.uuid, environment: 'live' as const };
  expect(
    (await signUserToken(newKeyOnly, key!, ctx.clock, { tenant, userId: randomUUID() })).token,
  ).toContain('.');

  const [rawKey] = await listRawKeys(ctx.operator, [sealedKey.id]);
  expect(openRawKey(newKeyOnly, sealedKey.id, rawKey!.sealed!).equals(sealedKey.key)).toBe(true);

  expect(Object.values((await reseal()).resealed)).toEqual(sealedPlaces.map(() => 0));
});

test('never loses tokens that are replaced at the same time', { timeout: 180_000 }, async () => {
  const people = Array.from({ length: 4 }, (_, at) => `person-${at + 1}`);
  const devices: string[] = [];
  for (const person of people) devices.push(await connectPerson(person));
  await plantConnections(150);
  const errors: unknown[] = [];
  let renewals = 0;
  const stopping = new AbortController();
  /** A node that keeps finding expired tokens. Using a refresh token twice ends the consent. */
  async function renewOnAndOn(deviceId: string, keyring: typeof newInFront): Promise<void> {
    const ctx = { ...app.ctx, keyring };
    while (!stopping.signal.aborted) {
      try {
        const connection = (await findConnection(ctx.operator, deviceId))!;
        await openTokenSource(ctx, await access(), { ...connection, tokens: connection.tokens! }).renew();
        renewals += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  const nodes = devices.flatMap((id) => [renewOnAndOn(id, newInFront), renewOnAndOn(id, oldInFront)]);
  for (let round = 0; round < 10; round += 1) await reseal(round % 2 === 0 ? newInFront : oldInFront);
  stopping.abort();
  await Promise.all(nodes);
  expect(errors).toEqual([]);
  expect(renewals).toBeGreaterThan(20);

  expect(Object.values((await reseal()).left)).toEqual(sealedPlaces.map(() => 0));
  expect(await countSealedOtherwise(2)).toBe(0);
  const { grants } = (await (await fetch(`${app.lab.url}/lab/grants`)).json()) as {
    grants: { person: string; revoked: boolean }[];
  };
  expect(grants.filter(({ person, revoked }) => people.includes(person) && revoked)).toEqual([]);
  for (const deviceId of devices) {
    const connection = (await findConnection(app.ctx.operator, deviceId))!;
    const ctx = { ...app.ctx, keyring: newKeyOnly };
    await openTokenSource(ctx, await access(), { ...connection, tokens: connection.tokens! }).renew();
  }
});

test('waits for a locked row without delaying the others', async () => {
  const [lockedDeviceId] = await plantConnections(5);
  await using holder = await holdTransaction(app.admin);
  await holder.query('SELECT FROM connections WHERE device_id = $1 FOR UPDATE', [lockedDeviceId]);
  const done = reseal();
  await expect.poll(() => countSealedOtherwise(2)).toBe(1);
  await holder.commit();
  expect((await done).left.connections).toBe(0);
  expect((await done).resealed.connections).toBe(5);
});

test('the command prints the counts per secret, and the missing keys', { timeout: 120_000 }, async () => {
  await plantConnections(3);
  const third = createKeyring([{ version: 3, key: Buffer.alloc(32, 9) }]);
  await plantConnections(2, third);
  const ENCRYPTION_KEYS = [second, first]
    .map(({ version, key }) => `${version}:${key.toString('base64')}`)
    .join();
  const partly = await cliOf(app).tributary(['keys', 'reseal', '--json'], { ENCRYPTION_KEYS });
  expect(partly.code, partly.stderr).toBe(1);
  expect(JSON.parse(partly.stdout)).toMatchObject({
    key_version: 2,
    resealed: { connections: 3 },
    left: { connections: 2, signing_keys: 0 },
    missing_versions: [3],
  });
  const text = await cliOf(app).tributary(['keys', 'reseal'], { ENCRYPTION_KEYS });
  expect(text.stdout).toMatch(/^SECRET +RE-ENCRYPTED +REMAINING\nconnections +0 +2\n/);
  expect(text.stdout).toContain('ENCRYPTION_KEYS does not contain version 3');
  await app.admin.query('DELETE FROM connections');
  const whole = await cliOf(app).tributary(['keys', 'reseal'], { ENCRYPTION_KEYS });
  expect(whole).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All secrets are encrypted with key version 2.'),
  });
  expect(await findProviderApp(app.ctx.operator, 'oura')).toBeNull();
});
