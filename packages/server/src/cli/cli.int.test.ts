import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliOf } from '../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const tributary = (args: string[], env: Record<string, string> = {}) => cliOf(app).tributary(args, env);
const json = (...args: string[]) => cliOf(app).json(...args);

describe('help', () => {
  test.each([
    [[], /Usage: tributary/],
    [['account'], /create \[options\]/],
    [['key'], /revoke \[options\] <key-id>/],
    [['account', 'set'], /--default-form/],
    [['dead-letter'], /replay \[options\]/],
    [['rebuild'], /--check/],
    [['backup'], /verify \[options\]/],
    [['init'], /--public-url <url>/],
  ])('prints tributary %j --help', async (args, expected) => {
    const { code, stdout } = await tributary([...args, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  test('prints a hint for an unknown command or option', async () => {
    for (const args of [['acount'], ['account', 'create', '--nme', 'x'], ['key', 'create']]) {
      const { code, stderr } = await tributary(args);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/error: .*\n/);
      expect(stderr).toContain('--help');
    }
  });

  test('prints its version', async () => {
    const { code, stdout } = await tributary(['--version']);
    expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  });

  test('explains an invalid environment without a stack trace', async () => {
    const { code, stderr } = await tributary(['migrate'], { DATABASE_URL: '', ENCRYPTION_KEYS: 'x' });
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL is missing');
    expect(stderr).not.toContain('    at ');
  });

  test('explains an unreachable database without a stack trace', async () => {
    const { code, stderr } = await tributary(['account', 'list'], {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('Cannot connect to PostgreSQL at DATABASE_URL');
    expect(stderr).not.toContain('    at ');
  });
});

describe('accounts and keys', () => {
  test('creates an account with two keys that work immediately', async () => {
    const account = await json('account', 'create', '--name', 'Clinic');
    expect(Object.keys(account)).toEqual(['account_id', 'name', 'live_key', 'sandbox_key', 'owner_url']);
    expect((await app.request('GET', '/v1/users', { key: account.live_key })).status).toBe(200);
    expect((await app.request('GET', '/v1/users', { key: account.sandbox_key })).status).toBe(200);
    const listed = await json('account', 'list');
    expect(listed.find((row: { account_id: string }) => row.account_id === account.account_id)).toMatchObject(
      {
        name: 'Clinic',
        status: 'active',
        default_form: 1,
        user_limit: null,
        sync_interval_seconds: 900,
      },
    );
    const text = await tributary(['account', 'list']);
    expect(text.stdout).toMatch(/^ACCOUNT +STATUS +FORM +USER LIMIT +NAME\n/);
  });

  test('revokes the old key within a second on a node that cached it', async () => {
    const { account_id: id, live_key: old } = await json('account', 'create', '--name', 'Rotating');
    expect((await app.request('GET', '/v1/users', { key: old })).status).toBe(200);
    const { key, status } = await json('key', 'create', '--account', id, '--environment', 'live');
    expect(status).toBe('active');
    await expect
      .poll(async () => (await app.request('GET', '/v1/users', { key: old })).status, { timeout: 1000 })
      .toBe(401);
    expect((await app.request('GET', '/v1/users', { key })).status).toBe(200);
    const keys = await json('key', 'list', '--account', id);
    expect(
      keys.map((row: { environment: string; status: string }) => `${row.environment} ${row.status}`),
    ).toEqual(['live active', 'sandbox active', 'live revoked']);
    expect(JSON.stringify(keys)).not.toContain(key.slice(12, 40));
    const revoked = await json('key', 'revoke', keys[0].key_id);
    expect(revoked.status).toBe('revoked');
    await expect
      .poll(async () => (await app.request('GET', '/v1/users', { key })).status, { timeout: 1000 })
      .toBe(401);
    expect((await json('key', 'revoke', keys[0].key_id)).revoked_at).toBe(revoked.revoked_at);
  });

  test('propagates suspending, resuming and settings to the nodes', async () => {
    const { account_id: id, live_key: key } = await json('account', 'create', '--name', 'Paying');
    const status = async () => (await app.request('GET', '/v1/users', { key })).status;
    expect(await status()).toBe(200);
    expect((await json('account', 'suspend', id)).status).toBe('suspended');
    await expect.poll(status, { timeout: 1000 }).toBe(402);
    expect((await json('account', 'resume', id)).status).toBe('active');
    await expect.poll(status, { timeout: 1000 }).toBe(200);
    const set = await json(
      'account',
      'set',
      id,
      '--default-form',
      '2',
      '--user-limit',
      '7',
      '--name',
      'Paid',
      '--sync-interval',
      '3600',
    );
    expect(set).toMatchObject({
      name: 'Paid',
      default_form: 2,
      user_limit: 7,
      sync_interval_seconds: 3600,
    });
    await expect
      .poll(async () => (await app.request('GET', '/v1/users', { key })).headers.get('api-form'), {
        timeout: 1000,
      })
      .toBe('2');
    expect((await json('account', 'set', id, '--user-limit', 'none')).user_limit).toBeNull();
  });

  test('sets and clears the organization name and contact address', async () => {
    const { account_id: id } = await json('account', 'create', '--name', 'Asking');
    const asking = ['--organization', ' Praxis Dr. Öz ', '--contact', 'hello@example.org'];
    const text = (await tributary(['account', 'set', id, ...asking])).stdout;
    expect(text).toContain('organization Praxis Dr. Öz, contact hello@example.org');
    expect(
      await json('account', 'set', id, '--organization', 'x'.repeat(100), '--contact', 'none'),
    ).toMatchObject({
      organization_name: 'x'.repeat(100),
      contact_email: null,
    });
  });

  test('stores redirect URLs without duplicates', { timeout: 180_000 }, async () => {
    const createArgs = [
      '--name',
      'Redirecting',
      '--add-redirect-url',
      'https://app.example.com/x/../connected',
    ];
    const { account_id: id } = await json('account', 'create', ...createArgs);
    const first = [
      '--add-redirect-url',
      'HTTPS://App.Example.com:443/connected',
      '--add-redirect-url',
      'myapp://connected',
    ];
    expect((await json('account', 'set', id, ...first, ...first)).redirect_urls).toEqual([
      'https://app.example.com/connected',
      'myapp://connected',
    ]);
    const fifty = Array.from({ length: 49 }, (_, at) => [
      '--add-redirect-url',
      `myapp://connected/${at}`,
    ]).flat();
    const refused = await tributary(['account', 'set', id, ...fifty]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^An account can have at most 50 redirect URLs/),
    });
    const { stdout } = await tributary([
      'account',
      'set',
      id,
      '--remove-redirect-url',
      'https://app.example.com/connected',
    ]);
    expect(stdout).toContain('redirect URLs myapp://connected\n');
    const listed = (await json('account', 'list')) as { account_id: string; redirect_urls: string[] }[];
    expect(listed.find((row) => row.account_id === id)?.redirect_urls).toEqual(['myapp://connected']);
  });

  test.each([
    ...['https://a.example/?a=b', 'javascript:alert(1)'].map((url): [string[], RegExp] => [
      ['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--add-redirect-url', url],
      /must be a URL such as https:\/\/app\.example\.com\/connected/,
    ]),
    [['account', 'suspend', 'acc_1'], /Invalid id acc_1: expected an id such as acc_/],
    [['account', 'suspend', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'], /Account acc_\w+ not found/],
    [['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'], /Nothing to set/],
    [['account', 'create', '--name', ' '], /1 to 200 characters/],
    [['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--sync-interval', '59'], /from 60 to 86400/],
    [['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--organization', 'a\nb'], /1 to 100 characters/],
    [
      ['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--organization', 'x'.repeat(101)],
      /1 to 100 characters/,
    ],
    [
      ['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--contact', 'unknown'],
      /must be an email address/,
    ],
    [
      ['account', 'set', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--contact', 'a@b\r\nBcc: c@d'],
      /must be an email address/,
    ],
    [
      ['key', 'create', '--account', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--environment', 'live'],
      /Account acc_\w+ not found/,
    ],
    [
      ['key', 'create', '--account', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx', '--environment', 'prod'],
      /live, sandbox/,
    ],
    [['key', 'revoke', 'key_01jcqz4w5ve9prdk6r9f4vg1yx'], /API key key_\w+ not found/],
  ])('rejects %j with a one-line message', async (args, expected) => {
    const { code, stderr } = await tributary(args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('    at ');
  });

  test('rotates the signing key', async () => {
    const { kid } = await json('signing-key', 'rotate');
    await expect
      .poll(async () => (await app.request('GET', '/.well-known/jwks.json')).body.keys[0].kid, {
        timeout: 1000,
      })
      .toBe(kid);
  });
});
