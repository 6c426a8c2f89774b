import { findProvider, providers } from '@tributary/providers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createKeyring } from '../../credentials/keyring.ts';
import { testActor } from '../../test/acting.ts';
import { entriesDuring } from '../../test/audit.ts';
import { resealValues } from '../encryption-keys/reseal-values.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { configureApp } from './configure-app.ts';
import { findApp } from './find-app.ts';
import { describeApp } from './list-apps.ts';
import { isPushSecret } from './push-address.ts';
import { removeApp } from './remove-app.ts';

const secret = 'hush-hush-client-secret';
const oura = findProvider('oura')!;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://health.example.com', LAB_URL: 'http://127.0.0.1:8090' });
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() =>
  app.admin.query('DELETE FROM connections; DELETE FROM provider_apps; DELETE FROM push_set_ups'),
);

const baseInput = { provider: 'oura', clientId: 'our-app', clientSecret: secret, settings: {}, force: false };
const configure = (changes: Partial<typeof baseInput> = {}) =>
  configureApp(app.ctx, testActor, { ...baseInput, ...changes });
const remove = (force = false) => removeApp(app.ctx, testActor, { provider: 'oura', force });
const ownApp = () => findApp(app.ctx, app.ctx.db, 'live', oura);

async function connectUser(environment = 'live'): Promise<void> {
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, tokens)
     VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, 'oura', 'x')`,
    [app.account.uuid, environment],
  );
}

test('stores an app that is available immediately and cannot be read in the database', async () => {
  expect(await ownApp()).toBeNull();
  await configure();
  expect(await ownApp()).toEqual({
    clientId: 'our-app',
    clientSecret: secret,
    hosts: oura.hosts,
    settings: {},
    pushSecret: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { rows } = await app.admin.query<{ row: string; bytes: Buffer }>(
    `SELECT p::text AS row, sealed AS bytes FROM provider_apps p`,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.row).toContain('our-app');
  for (const spelling of ['utf8', 'hex', 'base64'] as const) {
    const spelled = Buffer.from(secret).toString(spelling);
    expect(rows[0]!.row).not.toContain(spelled);
    expect(rows[0]!.bytes.includes(spelled)).toBe(false);
  }
});

test('binds the encrypted secrets to their provider', async () => {
  await configure();
  await app.admin.query(`UPDATE provider_apps SET provider = 'other'`);
  await expect(findApp(app.ctx, app.ctx.db, 'live', { ...oura, id: 'other' })).rejects.toThrow();
});

test('returns the URLs to register, also for the lab', async () => {
  await connectUser();
  await connectUser('sandbox');
  const bare = {
    id: 'oura',
    name: 'Oura',
    status: 'not_configured',
    clientId: null,
    updatedAt: null,
    connected: 1,
    callbackUrl: 'https://health.example.com/connect/callback',
    pushUrl: null,
    sandboxPushUrl: expect.stringMatching(/^https:\/\/health\.example\.com\/push\/sandbox\/oura\/1\./),
    settings: [],
  };
  expect(await describeApp(app.ctx, oura)).toEqual(bare);
  await configure();
  const configured = await describeApp(app.ctx, oura);
  expect(configured).toEqual({
    ...bare,
    status: 'configured',
    clientId: 'our-app',
    updatedAt: expect.any(String),
    pushUrl: expect.stringMatching(/^https:\/\/health\.example\.com\/push\/live\/oura\/[\w-]{43}$/),
  });
  const pathEnd = configured.pushUrl!.split('/').at(-1)!;
  expect(isPushSecret(app.ctx, 'live', 'oura', (await ownApp())!, pathEnd)).toBe(true);
});

test('keeps the push URL when everything else changes, and uses a different one per provider', async () => {
  const pushUrl = async (keyring = app.ctx.keyring) =>
    (await describeApp({ ...app.ctx, keyring }, oura)).pushUrl;
  await configure();
  const first = await pushUrl();
  await configure({ clientId: 'another-app', clientSecret: 'newer' });
  expect(await pushUrl()).toBe(first);
  const newer = { version: 2, key: Buffer.alloc(32, 9) };
  const keyring = createKeyring([newer, ...app.ctx.config.secrets.encryptionKeys]);
  await resealValues({ ...app.ctx, keyring });
  expect(await pushUrl(createKeyring([newer]))).toBe(first);
  await configure({ provider: 'strava' });
  const strava = findProvider('strava')!;
  expect((await describeApp(app.ctx, strava)).pushUrl).not.toContain(first!.split('/').at(-1));
});

test('reports an app whose key is missing as unreadable, and lets it be configured again', async () => {
  await configure();
  const keyring = createKeyring([{ version: 2, key: Buffer.alloc(32, 9) }]);
  const ctx = { ...app.ctx, keyring };
  expect(await describeApp(ctx, oura)).toMatchObject({
    status: 'unreadable',
    clientId: 'our-app',
    pushUrl: null,
  });
  await configureApp(ctx, testActor, baseInput);
  expect(await describeApp(ctx, oura)).toMatchObject({ status: 'configured' });
});

test('rejects another client ID while users are connected with the previous one', async () => {
  await configure();
  await connectUser();
  await app.admin.query(
    `INSERT INTO push_set_ups VALUES ('live', 'oura', NULL, now()), ('sandbox', 'oura', NULL, now())`,
  );
  const setUps = async () =>
    (await app.admin.query('SELECT environment FROM push_set_ups ORDER BY 1')).rows.map(
      (row) => row.environment,
    );
  await configure({ clientSecret: 'newer' });
  expect(await ownApp()).toMatchObject({ clientSecret: 'newer' });
  expect(await setUps()).toEqual(['live', 'sandbox']);
  const { entries } = await entriesDuring(app, () =>
    expect(configure({ clientId: 'another' })).rejects.toThrow(
      /1 user is connected to Oura with client id our-app.*--force/,
    ),
  );
  expect(entries).toEqual([]);
  expect(await ownApp()).toMatchObject({ clientId: 'our-app' });
  await configure({ clientId: 'another', force: true });
  expect(await ownApp()).toMatchObject({ clientId: 'another' });
  // The push setup of the previous app does not apply to the new one.
  expect(await setUps()).toEqual(['sandbox']);
});

test('removes an app, but not while users are connected in the live environment', async () => {
  await expect(remove()).rejects.toThrow(
    'oura is not configured. List providers with `tributary provider list`.',
  );
  await configure();
  await connectUser('sandbox');
  await connectUser();
  await connectUser();
  const { entries } = await entriesDuring(app, () =>
    expect(remove()).rejects.toThrow(/2 users are connected to Oura.*--force/),
  );
  expect(entries).toEqual([]);
  expect(await ownApp()).not.toBeNull();
  expect(await remove(true)).toEqual({ connected: 2 });
  expect(await ownApp()).toBeNull();
});

test('rejects unknown names and lists the known ones', async () => {
  const known = providers.map(({ id }) => id).join(', ');
  await expect(configure({ provider: 'fitbot' })).rejects.toThrow(
    `Unknown provider fitbot. Supported providers: ${known}.`,
  );
  await expect(configure({ settings: { region: 'eu' } })).rejects.toThrow(
    'Oura has no setting region. It has no settings.',
  );
});

const withSettings = providers.find(({ settings = [] }) => settings.length > 0);
test.runIf(withSettings)('replaces settings as a whole and lists them without their values', async () => {
  const { id, settings: known = [] } = withSettings!;
  const { name } = known[0]!;
  await configure({ provider: id, settings: { [name]: 'a\nb' } });
  expect((await findApp(app.ctx, app.ctx.db, 'live', withSettings!))!.settings).toEqual({ [name]: 'a\nb' });
  const description = await describeApp(app.ctx, withSettings!);
  expect(description.settings.map((setting) => setting.isSet)).toEqual(
    known.map((setting) => setting.name === name),
  );
  expect(JSON.stringify(description)).not.toContain('a\\nb');
  await configure({ provider: id });
  expect((await findApp(app.ctx, app.ctx.db, 'live', withSettings!))!.settings).toEqual({});
  await expect(configure({ provider: id, settings: { color: 'red' } })).rejects.toThrow(
    `has no setting color. Its settings: ${name} (`,
  );
});
