import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainAudit, recordTestChange } from '../test/chain-audit.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { startTestApp, type TestAccount, type TestApp } from '../test/apps/test-app.ts';

let app: TestApp;
let account: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  account = await app.createAccount();
  for (const id of ['user_a', 'user_b', 'user_c']) {
    const actor = { type: 'api_key', id: 'key_1', address: '203.0.113.7', requestId: null } as const;
    const person = app.ctx.newId();
    const change = { target: { type: 'user', id }, person, text: { email: 'ada@example.com' } };
    await recordTestChange(app, change, { accountId: account.uuid, environment: 'live', actor });
  }
  await chainAudit(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const tributary = (...args: string[]) => cliOf(app).tributary(args);
const json = (...args: string[]) => cliOf(app).json(...args);

test('list: prints time, actor, action, target and origin, and no personal data', async () => {
  const { code, stdout } = await tributary('audit', 'list', '--account', account.id, '--target', 'user_b');
  expect(code).toBe(0);
  const [header, line, ...more] = stdout.trimEnd().split('\n');
  expect(header).toMatch(/^TIME +ACCOUNT +ENVIRONMENT +ACTOR +ACTION +TARGET +ADDRESS$/);
  expect(line).toMatch(/^20\S+Z +acc_\w+ +live +api_key key_1 +user\.updated +user_b +203\.0\.113\.7$/);
  expect(more).toEqual([]);
  expect(JSON.stringify(await json('audit', 'list'))).not.toContain('ada@example.com');
});

test('list: filters, newest first, up to the limit', async () => {
  const targets = async (...args: string[]) =>
    (await json('audit', 'list', '--account', account.id, '--action', 'user.updated', ...args)).map(
      (entry: { target: { id: string } }) => entry.target.id,
    );
  expect(await targets()).toEqual(['user_c', 'user_b', 'user_a']);
  expect(await targets('--limit', '2')).toEqual(['user_c', 'user_b']);
  expect(await targets('--since', '2999-01-01')).toEqual([]);
  expect((await tributary('audit', 'list', '--since', '2999-01-01')).stdout).toBe('No entries.\n');
});

test('verify: prints the chain ends, which can be passed back later', async () => {
  const { code, stdout } = await tributary('audit', 'verify', '--account', account.id);
  expect(code).toBe(0);
  expect(stdout).toContain('No problems found.');
  const [, end] = /(\d+:[0-9a-f]{64})/.exec(stdout)!;
  const again = await tributary('audit', 'verify', '--account', account.id, '--expect', end!);
  expect(again.code).toBe(0);
  const [position, hash] = end!.split(':');
  const other = `${position}:${hash!.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0'))}`;
  const wrong = await tributary('audit', 'verify', '--account', account.id, '--expect', other);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain(
    `at ${position}: the entry has a different hash than the one passed with --expect`,
  );
});

test('verify: reports what is wrong and where, and exits with 1', async () => {
  await blame('key_2');
  const { code, stdout } = await tributary('audit', 'verify');
  const asJson = await tributary('audit', 'verify', '--json');
  await blame('key_1');
  expect(code).toBe(1);
  expect(stdout).toMatch(/acc_\w+ at \d+: the entry does not match its hash/);
  expect(stdout).toContain('1 problem.');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    sound: false,
    problem_count: 1,
    problems: [{ account_id: account.id, kind: 'edited' }],
  });
  expect((await tributary('audit', 'verify')).code).toBe(0);
});

/** Replaces the key in an entry, as a superuser can. */
async function blame(actor: string): Promise<void> {
  await app.admin.query('ALTER TABLE audit_log DISABLE TRIGGER append_only');
  await app.admin.query(`UPDATE audit_log SET actor_id = $2 WHERE account_id = $1 AND target_id = 'user_b'`, [
    account.uuid,
    actor,
  ]);
  await app.admin.query('ALTER TABLE audit_log ENABLE TRIGGER append_only');
}

test('verify: reports missing NATS and how to continue', async () => {
  const env = { NATS_URL: 'nats://127.0.0.1:1' };
  const { code, stderr } = await cliOf(app).tributary(['audit', 'verify'], env);
  expect(code).toBe(1);
  expect(stderr).toContain('--without-anchors');
  expect(stderr).not.toContain('    at ');
  expect((await cliOf(app).tributary(['audit', 'verify', '--without-anchors'], env)).code).toBe(0);
});

test.each([
  [['audit', 'verify', '--expect', `1:${'a'.repeat(64)}`], /requires --account/],
  [['audit', 'verify', '--expect', 'x'], /a position and a hash/],
  [['audit', 'verify', '--account', 'acc_1'], /Invalid id acc_1/],
  [['audit', 'list', '--limit', '0'], /from 1 to 1000/],
  [['audit', 'list', '--since', 'yesterday'], /a date or a time/],
  [['audit', 'list', '--action', 'user.vanished'], /user\.created/],
])('rejects %j with a one-line message', async (args, expected) => {
  const { code, stderr } = await tributary(...args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain('    at ');
});

test('lets no one but a superuser change the log, not even the operator', async () => {
  await chainAudit(app);
  for (const sql of ['UPDATE audit_log SET at = now()', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
    for (const pool of [app.ctx.operator, app.ctx.db])
      await expect(pool.query(sql), sql).rejects.toThrow(/never changed|permission denied/);
  await expect(app.admin.query('DELETE FROM audit_log')).rejects.toThrow('never changed');
  await expect(app.ctx.db.query('SELECT FROM audit_heads')).rejects.toThrow('permission denied');
});
