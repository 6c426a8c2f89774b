import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProvider, providers } from '@tributary/providers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findApp } from '../../services/providers/find-app.ts';
import { cliOf } from '../../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let folder: string;
let cli: ReturnType<typeof cliOf>;

beforeAll(async () => {
  app = await startTestApp();
  cli = cliOf(app);
  folder = mkdtempSync(join(tmpdir(), 'tributary-provider-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app[Symbol.asyncDispose]();
});

/** Each command starts a process, which is slow on a busy machine. */
const slow = { timeout: 180_000 };

function fileWith(content: string): string {
  const file = join(folder, 'given');
  writeFileSync(file, content);
  return file;
}

const set = (...more: string[]) => ['provider', 'set', 'oura', '--client-id', 'our-app', ...more];

test('sets, lists and removes a provider app', slow, async () => {
  const env = { PUBLIC_URL: 'https://health.example.com' };
  const result = await cli.tributary(
    [...set('--client-secret-file', fileWith('hush-hush\n')), '--json'],
    env,
  );
  expect(result.code, result.stderr).toBe(0);
  const shown = JSON.parse(result.stdout);
  expect(shown).toEqual({
    provider: 'oura',
    name: 'Oura',
    status: 'configured',
    client_id: 'our-app',
    updated_at: expect.any(String),
    connected: 0,
    callback_url: 'https://health.example.com/connect/callback',
    push_url: expect.stringMatching(/^https:\/\/health\.example\.com\/push\/live\/oura\/[\w-]{43}$/),
    sandbox_push_url: null,
    settings: [],
  });
  expect(result.stdout + result.stderr).not.toContain('hush-hush');
  const known = () => findApp(app.ctx, app.ctx.db, 'live', findProvider('oura')!);
  expect(await known()).toMatchObject({ clientId: 'our-app', clientSecret: 'hush-hush' });

  const all = await cli.tributary(['provider', 'list', '--json'], env);
  expect(JSON.parse(all.stdout)).toHaveLength(providers.length);
  expect(JSON.parse(all.stdout)).toContainEqual(shown);
  const { stdout } = await cli.tributary(['provider', 'list'], { ...env, LAB_URL: 'http://127.0.0.1:1' });
  expect(stdout).toMatch(
    /^PROVIDER +STATUS +CONNECTED +UPDATED +CLIENT ID\noura +configured +0 +2\S+ +our-app\n/,
  );
  for (const { id } of providers) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
  for (const line of [
    'OAuth callback URL  https://health.example.com/connect/callback',
    `oura push URL  ${shown.push_url}`,
    'oura sandbox push URL  https://health.example.com/push/sandbox/oura/1.',
  ])
    expect(stdout).toContain(line);

  expect(await cli.json('provider', 'remove', 'oura')).toEqual({ provider: 'oura', connected: 0 });
  expect(await known()).toBeNull();
});

test('reads the secret from standard input', slow, async () => {
  const main = new URL('../../main.ts', import.meta.url).pathname;
  const running = promisify(execFile)(process.execPath, [main, ...set('--client-secret-file', '-')], {
    env: {
      PATH: process.env['PATH'],
      TRIBUTARY_ENV: 'development',
      DATABASE_URL: app.ctx.config.secrets.database.service.url.read(),
      NATS_URL: inject('engines').natsUrl,
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  });
  running.child.stdin!.end('from-a-pipe\r\n');
  const { stdout } = await running;
  expect(stdout).toMatch(
    /^Oura is configured with client id our-app\. Register these URLs with the provider:\n {2}callback {2}http\S+\n {2}pushes {4}http/,
  );
  expect(await findApp(app.ctx, app.ctx.db, 'live', findProvider('oura')!)).toMatchObject({
    clientSecret: 'from-a-pipe',
  });
});

test.each<[name: string, content: string, more: string[], expected: RegExp]>([
  [
    'an unknown setting',
    'x',
    ['--setting', 'region=eu'],
    /Oura has no setting region\. It has no settings\./,
  ],
  ['a setting without a value', 'x', ['--setting', 'region'], /must have the form name=value/],
  ['a repeated setting', 'x', ['--setting', 'a=1', '--setting-file', 'a=b'], /Setting a is specified twice/],
  ['a missing file', 'x', ['--setting-file', 'a=/no/such'], /cannot read \/no\/such: file not found/],
  ['a secret as an argument', 'x', ['--client-secret', 'on-the-line'], /unknown option '--client-secret'/],
  ['an empty secret', '\n', [], /is empty/],
  ['a secret with two lines', 'one\ntwo\n', [], /must be a single line/],
])('rejects %s with a one-line message', slow, async (_, content, more, expected) => {
  const { code, stderr } = await cli.tributary(set('--client-secret-file', fileWith(content), ...more));
  expect(code).toBe(1);
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain('    at ');
});
