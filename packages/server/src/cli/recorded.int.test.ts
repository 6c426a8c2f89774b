import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, parseId } from '../ids.ts';
import { wholeService } from '../store/audit/actor.ts';
import { testActor } from '../test/acting.ts';
import { allAuditText, entriesDuring, type StoredEntry } from '../test/audit.ts';
import { joinAs } from '../test/data/operators.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createPhoneUser, workThrough } from '../test/data/uploads.ts';
import { createTestWebhook, insertTestUser, setDeliveryState, emitEvents } from '../test/webhooks.ts';
import { createAccount } from '../services/accounts/create-account.ts';
import { mostAttempts, noteFailure } from '../services/batches/note-failure.ts';
import { createProgram } from './program.ts';

let app: TestApp;
let cli: ReturnType<typeof cliOf>;

beforeAll(async () => {
  app = await startTestApp({ SANDBOX_WAIT_MS: '0' });
  cli = cliOf(app);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Each command starts a process, which is slow on a busy machine. */
const slow = { timeout: 180_000 };

/** The command's output and the audit entries it left, without the fields that are always the same. */
async function run(...args: string[]) {
  const { response, entries } = await entriesDuring(app, () =>
    cli.tributary([...args, '--json'], { SANDBOX_WAIT_MS: '0' }),
  );
  const operator = `command_line ${userInfo().username}@${hostname()}`;
  for (const entry of entries)
    expect(entry).toMatchObject({
      actor: operator,
      address: null,
      requestId: null,
      person: null,
      text: null,
    });
  expect(response, response.stderr).toMatchObject({ code: 0 });
  return { shown: JSON.parse(response.stdout), entries: entries.map(pickComparedFields) };
}

function pickComparedFields({ account, environment, action, target, data }: StoredEntry) {
  return { account, environment, action, target, data };
}

/** Commands that write an audit entry, each run below. */
const recorded = [
  'account create',
  'account limits',
  'account resume',
  'account set',
  'account suspend',
  'dead-letter replay',
  'key create',
  'key revoke',
  'operator forget-authenticator',
  'operator invite',
  'operator remove',
  'provider remove',
  'provider set',
  'rebuild',
  'sandbox advance',
  'signing-key rotate',
  'webhooks recover',
  'webhooks resend',
  'webhooks rotate-secret',
  'webhooks test',
];
/** Commands that only read, run the service, or change how data is stored but not its content. */
const unrecorded = [
  'account list',
  'account usage',
  'all',
  'api',
  'audit list',
  'audit verify',
  'backup counts',
  'backup verify',
  'dead-letter list',
  'dead-letter show',
  'health',
  'ingest',
  'init',
  'jobs',
  'keeper',
  'key list',
  'keys reseal',
  'migrate',
  'operator list',
  'provider list',
  'raw encrypt',
  'sandbox show',
  'scores backtest',
  'webhooks attempts',
  'webhooks deliveries',
  'webhooks list',
  'webhooks listen',
];

function leavesOf(command: Command, above: string[] = []): string[] {
  if (command.commands.length === 0) return [above.join(' ')];
  return command.commands.flatMap((one) => leavesOf(one, [...above, one.name()]));
}

test('knows of every command whether it writes an audit entry', () => {
  expect(leavesOf(createProgram()).toSorted()).toEqual([...recorded, ...unrecorded].toSorted());
});

test('records accounts and keys', slow, async () => {
  const { shown, entries } = await run('account', 'create', '--name', 'Recorded');
  const account = parseId('acc', shown.account_id)!;
  const ofAccount = { account, environment: null };
  const [created, live, sandbox] = entries;
  expect(created).toEqual({
    ...ofAccount,
    action: 'account.created',
    target: `account ${shown.account_id}`,
    data: { name: 'Recorded', organization_name: null },
  });
  const key = { ...ofAccount, action: 'api_key.created', target: expect.stringMatching(/^api_key key_/) };
  expect(live).toEqual({ ...key, data: { environment: 'live', hint: expect.any(String), replaced: null } });
  expect(sandbox).toMatchObject({ ...key, data: { environment: 'sandbox' } });
  const [, , , invited] = entries;
  expect(invited).toMatchObject({ ...ofAccount, action: 'operator.invited', data: { role: 'owner' } });
  expect(entries).toHaveLength(4);

  const second = await run('key', 'create', '--account', shown.account_id, '--environment', 'live');
  const { key_id: keyId, hint } = second.shown;
  const replaced = live!.target.replace('api_key ', '');
  expect(second.entries).toEqual([
    { ...key, target: `api_key ${keyId}`, data: { environment: 'live', hint, replaced } },
  ]);
  const revoked = {
    ...ofAccount,
    action: 'api_key.revoked',
    target: `api_key ${keyId}`,
    data: { environment: 'live', hint },
  };
  expect((await run('key', 'revoke', keyId)).entries).toEqual([revoked]);
  expect((await run('key', 'revoke', keyId)).entries).toEqual([]);

  const text = await allAuditText(app);
  expect(text).toContain(keyId);
  for (const secret of [shown.live_key, shown.sandbox_key, shown.owner_url, second.shown.key])
    expect(text).not.toContain(secret.slice(-30));
});

async function newAccount(name: string) {
  const { account } = await createAccount(app.ctx, testActor, { name });
  return { account: account.id, id: formatId('acc', account.id) };
}

function updated(account: string, id: string) {
  return { account, environment: null, action: 'account.updated', target: `account ${id}` };
}

test('records a suspension once', slow, async () => {
  const { account, id } = await newAccount('Suspended');
  const data = { fields: ['status'], before: { status: 'active' }, after: { status: 'suspended' } };
  expect((await run('account', 'suspend', id)).entries).toEqual([{ ...updated(account, id), data }]);
  expect((await run('account', 'suspend', id)).entries).toEqual([]);
  expect((await run('account', 'resume', id)).entries).toMatchObject([{ data: { fields: ['status'] } }]);
});

test('records account settings, except a person’s address', slow, async () => {
  const { account, id } = await newAccount('Settings');
  const options = ['--name', 'Set', '--default-form', '2', '--user-limit', '7', '--sync-interval', '60'];
  const contact = ['--organization', 'Clinic North', '--contact', 'jo.marked@example.org'];
  const set = await run('account', 'set', id, ...options, ...contact);
  expect(set.shown).toMatchObject({
    organization_name: 'Clinic North',
    contact_email: 'jo.marked@example.org',
  });
  const before = {
    name: 'Settings',
    default_form: 1,
    user_limit: null,
    sync_interval: 900,
    organization_name: null,
  };
  const after = {
    name: 'Set',
    default_form: 2,
    user_limit: 7,
    sync_interval: 60,
    organization_name: 'Clinic North',
  };
  const fields = ['contact_email', ...Object.keys(after)].toSorted();
  expect(set.entries).toEqual([{ ...updated(account, id), data: { fields, before, after } }]);
  expect(await allAuditText(app)).not.toContain('jo.marked');

  const cleared = await run('account', 'set', id, '--organization', 'none', '--contact', 'none');
  expect(cleared.shown).toMatchObject({ organization_name: null, contact_email: null });
  expect(cleared.entries).toHaveLength(1);
});

test('records a new signing key for the whole service', slow, async () => {
  const { shown, entries } = await run('signing-key', 'rotate', '--revoke-old');
  expect(entries).toEqual([
    {
      account: wholeService,
      environment: null,
      action: 'signing_key.rotated',
      target: `signing_key ${shown.kid}`,
      data: { revoke_old: true },
    },
  ]);
});

test('records a provider app without its secrets', slow, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-recorded-'));
  const file = join(folder, 'secret');
  writeFileSync(file, 'hush-client-secret');
  const appOptions = ['--client-id', 'our-app', '--client-secret-file', file];
  const ofService = { account: wholeService, environment: null, target: 'provider oura' };
  expect((await run('provider', 'set', 'oura', ...appOptions)).entries).toEqual([
    { ...ofService, action: 'provider.configured', data: { client_id: 'our-app', settings: [] } },
  ]);
  rmSync(folder, { recursive: true });
  expect((await run('provider', 'remove', 'oura')).entries).toEqual([
    { ...ofService, action: 'provider.removed', data: { client_id: 'our-app', connected: 0 } },
  ]);
  expect(await allAuditText(app)).not.toContain('hush-client');
});

test('records redirect URLs', slow, async () => {
  const { account, id } = await newAccount('Redirecting');
  const url = 'https://app.example.com/connected';
  const added = await run('account', 'set', id, '--add-redirect-url', url);
  expect(added.shown.redirect_urls).toEqual([url]);
  const data = { fields: ['redirect_urls'], before: { redirect_urls: '' }, after: { redirect_urls: url } };
  expect(added.entries).toEqual([{ ...updated(account, id), data }]);
});

test('records a replayed batch and an applied rebuild', slow, async () => {
  const user = await createPhoneUser(app);
  const steps = { daily: [{ metric: 'steps', date: '2026-03-01', value: 5000 }] };
  const batchId = await user.upload({ id: 'watch-1' }, steps);
  const { rows } = await app.admin.query(
    'SELECT partition, position FROM pending_batches WHERE batch_id = $1',
    [batchId],
  );
  const batch = { ...rows[0], position: Number(rows[0].position), userId: user.uuid, batchId };
  await noteFailure(app.ctx, { ...batch, attempts: mostAttempts - 1 }, new Error('never'));
  const live = { account: app.account.uuid, environment: 'live' };
  const replay = ['dead-letter', 'replay', '--user', user.id, '--batch', batchId];
  expect((await run(...replay)).entries).toEqual([
    { ...live, action: 'batch.replayed', target: `batch ${batchId}`, data: { user: user.id } },
  ]);
  const again = await entriesDuring(app, () => cli.tributary(replay));
  expect(again).toMatchObject({ response: { code: 1 }, entries: [] });
  await workThrough(app);

  const rebuild = ['rebuild', '--user', user.id, '--from', 'normalized'];
  const rebuilt = { ...live, action: 'user.rebuilt', target: `user ${user.id}` };
  expect((await run(...rebuild)).entries).toEqual([
    { ...rebuilt, data: { from: 'normalized', changed: false } },
  ]);
  // A check that finds a difference is rolled back together with its entry.
  await app.admin.query(`UPDATE canonical_months SET printed = '1' WHERE user_id = $1`, [user.uuid]);
  const differs = await entriesDuring(app, () => cli.tributary([...rebuild, '--check']));
  expect(differs).toMatchObject({ response: { code: 1 }, entries: [] });
});

test('records days that pass in the sandbox', slow, async () => {
  const key = app.account.sandboxKey;
  const { id } = (await app.request('POST', '/v1/users', { key, body: { external_ref: 'ada' } })).body;
  const advanced = { account: app.account.uuid, environment: 'sandbox', action: 'user.advanced' };
  expect((await run('sandbox', 'advance', '--user', 'ada', '--days', '2')).entries).toEqual([
    { ...advanced, target: `user ${id}`, data: { days: 2 } },
  ]);
});

test('records what an operator does for a webhook', slow, async () => {
  const webhook = await createTestWebhook(app, { url: 'https://example.com/hush-hush' });
  const userId = await insertTestUser(app, app.account);
  const [event] = await emitEvents(app, app.account, userId, ['data.updated']);
  await setDeliveryState(app, webhook, [event!], 'failed');
  const live = { account: app.account.uuid, environment: 'live' };
  const ofWebhook = { ...live, target: `webhook ${webhook.id}` };

  const tested = await run('webhooks', 'test', webhook.id);
  const { event_id: testEvent, event_type: type } = tested.shown;
  expect(tested.entries).toEqual([
    { ...ofWebhook, action: 'webhook.tested', data: { event: testEvent, event_type: type } },
  ]);
  const recovered = await run('webhooks', 'recover', webhook.id, '--since', '2020-01-01T00:00:00Z');
  expect(recovered.shown.queued).toBeGreaterThan(0);
  expect(recovered.entries).toEqual([
    { ...ofWebhook, action: 'webhook.recovered', data: { queued: recovered.shown.queued } },
  ]);
  expect((await run('webhooks', 'resend', webhook.id, event!)).entries).toEqual([
    { ...live, action: 'delivery.resent', target: `delivery ${event}`, data: { webhook: webhook.id } },
  ]);
  const rotated = await run('webhooks', 'rotate-secret', webhook.id);
  expect(rotated.entries).toEqual([{ ...ofWebhook, action: 'webhook.secret_rotated', data: {} }]);
  const text = await allAuditText(app);
  for (const secret of [webhook.secret, rotated.shown.secret, 'hush-hush'])
    expect(text).not.toContain(secret);
  // Reading changes nothing.
  expect((await run('webhooks', 'deliveries', webhook.id)).entries).toEqual([]);
});

test('records dashboard users', slow, async () => {
  const account = app.account.id;
  const invited = await run('operator', 'invite', '--account', account, '--role', 'viewer');
  expect(invited.shown).toMatchObject({ role: 'viewer', url: expect.stringMatching(/#ol_/) });
  expect(invited.entries).toMatchObject([{ action: 'operator.invited', data: { role: 'viewer' } }]);
  expect(await allAuditText(app)).not.toContain('ol_');

  await joinAs(app, 'owner');
  const { email } = await joinAs(app, 'developer');
  const { shown } = await run('operator', 'list', '--account', account);
  const { operator_id: id } = shown.find((one: { email: string }) => one.email === email);
  const forgotten = await run('operator', 'forget-authenticator', email);
  expect(forgotten.entries).toMatchObject([
    { action: 'operator.authenticator_changed', target: `operator ${id}`, data: { enabled: false } },
  ]);
  const removed = await run('operator', 'remove', email);
  expect(removed.entries).toMatchObject([{ action: 'operator.removed', target: `operator ${id}` }]);
  const onlyAccount = await app.createAccount();
  const last = await joinAs(app, 'owner', { accountId: onlyAccount.uuid });
  const lastOwnerRemoval = await cli.tributary(['operator', 'remove', last.email]);
  expect(lastOwnerRemoval).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^An account needs an owner/),
  });
  const repeatedRemoval = await cli.tributary(['operator', 'remove', email]);
  expect(repeatedRemoval).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Dashboard user ${email} not found`),
  });
});
