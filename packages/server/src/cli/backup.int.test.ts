import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { createTestWebhook } from '../test/webhooks.ts';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'tributary-counts-'));
  await createTestWebhook(app);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await app[Symbol.asyncDispose]();
});

const tributary = (args: string[], env: Record<string, string> = {}) => cliOf(app).tributary(args, env);

test('verify: compares a database with the numbers that counts printed', async () => {
  const file = join(folder, 'counts.json');
  await writeFile(file, (await tributary(['backup', 'counts', '--json'])).stdout);
  const sound = await tributary(['backup', 'verify', '--expect', file]);
  expect(sound).toMatchObject({ code: 0 });
  expect(sound.stdout).toMatch(/^webhook secrets +1 +0$/m);
  expect(sound.stdout).toContain('The backup is sound.');
  await createTestWebhook(app, { url: 'https://example.com/other' });
  const { code, stdout } = await tributary(['backup', 'verify', '--expect', file]);
  expect(code).toBe(1);
  expect(stdout).toContain('webhooks has 2 rows, expected 1.');
  expect(stdout).toContain('The backup is not sound.');
});

test('verify: exits with status 1 if a sealed value cannot be opened', async () => {
  const ENCRYPTION_KEYS = `1:${Buffer.alloc(32, 9).toString('base64')}`;
  const { code, stdout } = await tributary(['backup', 'verify', '--json'], { ENCRYPTION_KEYS });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ sound: false, sealed: { webhook_secrets: { readable: 0 } } });
});

test.each([['{}'], ['not JSON'], ['{"counts":[]}']])(
  'verify: rejects %j as expected numbers',
  async (text) => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, text);
    const { code, stderr } = await tributary(['backup', 'verify', '--expect', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('--expect must name a file with the output of `tributary backup counts --json`');
    expect(stderr).not.toContain('    at ');
  },
);
