import { getMigrations } from 'better-auth/db/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../create-context.ts';
import { authOptions } from '../../services/operators/auth-options.ts';
import { preparePasswordReset } from '../../services/operators/passwords.ts';
import { hashEmail } from '../../services/operators/sign-in.ts';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { parseId } from '../../ids.ts';
import { entriesDuring } from '../../test/audit.ts';
import { joinAs, TestBrowser, testPassword } from '../../test/data/operators.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let stranger: TestAccount;
beforeAll(async () => {
  app = await startTestApp({
    ADDRESS_LIMIT_PER_SECOND: '1000',
    ADDRESS_LIMIT_BURST: '10000',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Tributary <tributary@example.com>',
  });
  stranger = await app.createAccount();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Derives the token of the link in the invitation's mail. */
async function linkOf(invitationId: string): Promise<string> {
  const id = parseId('oli', invitationId)!;
  const { rows } = await app.admin.query('SELECT link_key_version FROM operator_links WHERE id = $1', [id]);
  return deriveLinkToken(app.ctx.keyring, 'operator', { id, keyVersion: rows[0].link_key_version });
}

test('the tables match the schema that better-auth expects', async () => {
  const pool = openDatabase(app.ctx.config, 'sign_in', 1);
  try {
    const options = authOptions({ pool, baseUrl: 'http://127.0.0.1:8080', secret: 'x'.repeat(32) });
    const { toBeAdded, toBeCreated } = await getMigrations(options);
    expect({ toBeAdded, toBeCreated }).toEqual({ toBeAdded: [], toBeCreated: [] });
    await app.admin.query('ALTER TABLE auth.sessions RENAME COLUMN user_agent TO agent');
    expect((await getMigrations(options)).toBeAdded).toHaveLength(1);
    await app.admin.query('ALTER TABLE auth.sessions RENAME COLUMN agent TO user_agent');
  } finally {
    await pool.end();
  }
});

test('the sign-in database role can read no other tables', async () => {
  const pool = openDatabase(app.ctx.config, 'sign_in', 1);
  try {
    for (const table of ['accounts', 'users', 'api_keys', 'operator_roles', 'sign_in_secrets'])
      await expect(pool.query(`SELECT FROM public.${table}`)).rejects.toThrow('permission denied');
  } finally {
    await pool.end();
  }
  await expect(app.ctx.db.query('SELECT FROM auth.operators')).rejects.toThrow('permission denied');
});

describe('an owner', () => {
  test('invites a colleague, who joins with the chosen role', async () => {
    const { browser } = await joinAs(app, 'owner');
    const form = { email: 'Grace@Example.com', role: 'viewer' };
    const invited = await browser.call('POST', '/team/invitations', form);
    expect(invited).toMatchObject({ status: 201, body: { email: 'grace@example.com', role: 'viewer' } });
    const jobs = await app.admin.query(
      `SELECT data FROM pgboss.job WHERE name = 'send-operator-mail' AND data ->> 'linkId' = $1`,
      [parseId('oli', invited.body.id)],
    );
    expect(jobs.rows).toHaveLength(1);

    // A second invitation revokes the first link.
    const first = await linkOf(invited.body.id);
    const again = await browser.call('POST', '/team/invitations', form);
    const guest = new TestBrowser(app);
    expect((await guest.call('POST', '/links', { token: first })).status).toBe(404);
    const token = await linkOf(again.body.id);
    expect((await guest.call('POST', '/links', { token })).body).toMatchObject({
      kind: 'invitation',
      role: 'viewer',
      email: 'grace@example.com',
      invited_by: 'The owner',
    });
    // The invitation's address applies, regardless of the form.
    const joined = await guest.call('POST', '/join', {
      token,
      name: 'Grace',
      email: 'mallory@example.com',
      password: testPassword,
    });
    expect(joined.status).toBe(204);
    const team = await browser.call('GET', '/team');
    expect(team.body.invitations).toEqual([]);
    expect(team.body.members).toContainEqual(
      expect.objectContaining({ email: 'grace@example.com', role: 'viewer', two_factor: false }),
    );
    const duplicate = await browser.call('POST', '/team/invitations', form);
    expect(duplicate.body.error).toBe('operator_exists');
  });

  test('revokes an invitation', async () => {
    const { browser } = await joinAs(app, 'owner');
    const { body } = await browser.call('POST', '/team/invitations', {
      email: 'late@example.com',
      role: 'developer',
    });
    expect((await browser.call('DELETE', `/team/invitations/${body.id}`)).status).toBe(204);
    expect((await browser.call('DELETE', `/team/invitations/${body.id}`)).status).toBe(404);
    const guest = new TestBrowser(app);
    const form = { token: await linkOf(body.id), name: 'Late', password: testPassword };
    expect((await guest.call('POST', '/join', form)).body.error).toBe('link_ended');
  });

  test('changes roles and removes colleagues, which ends their sessions', async () => {
    const account = await app.createAccount();
    const { browser } = await joinAs(app, 'owner', { accountId: account.uuid });
    const other = await joinAs(app, 'viewer', { accountId: account.uuid });
    const { body } = await browser.call('GET', '/team');
    const [self, viewer] = body.members;
    const { entries } = await entriesDuring(app, async () => {
      const changed = await browser.call('PATCH', `/team/members/${viewer.id}`, { role: 'developer' });
      expect(changed.body).toMatchObject({ id: viewer.id, role: 'developer' });
      expect((await other.browser.call('GET', '/session')).body.role).toBe('developer');
      expect((await browser.call('DELETE', `/team/members/${viewer.id}`)).status).toBe(204);
    });
    expect(entries).toMatchObject([
      { action: 'operator.role_changed', data: { before: 'viewer', after: 'developer' } },
      { action: 'operator.removed', target: `operator ${viewer.id}` },
    ]);
    expect((await other.browser.call('GET', '/session')).status).toBe(401);
    // The last owner cannot be removed or demoted.
    expect((await browser.call('DELETE', `/team/members/${self.id}`)).body.error).toBe('last_owner');
    const demoted = await browser.call('PATCH', `/team/members/${self.id}`, { role: 'viewer' });
    expect(demoted.body.error).toBe('last_owner');
  });

  test('cannot demote the other owner when that owner does the same at once', async () => {
    const account = await app.createAccount();
    const owners = [
      await joinAs(app, 'owner', { accountId: account.uuid }),
      await joinAs(app, 'owner', { accountId: account.uuid }),
    ];
    const { body } = await owners[0]!.browser.call('GET', '/team');
    const responses = await Promise.all([
      owners[0]!.browser.call('PATCH', `/team/members/${body.members[1].id}`, { role: 'viewer' }),
      owners[1]!.browser.call('PATCH', `/team/members/${body.members[0].id}`, { role: 'viewer' }),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('resources of another account', () => {
  test('return the same response as missing ones and are not listed', async () => {
    const { browser } = await joinAs(app, 'owner');
    const theirs = await joinAs(app, 'owner', { accountId: stranger.uuid, email: 'theirs@example.com' });
    const team = await theirs.browser.call('GET', '/team');
    const invited = await theirs.browser.call('POST', '/team/invitations', {
      email: 'their-guest@example.com',
      role: 'viewer',
    });
    const keys = await theirs.browser.call('GET', '/keys');
    const sessions = await theirs.browser.call('GET', '/sessions');
    const calls: [string, string, string, unknown?][] = [
      ['PATCH', '/team/members/', team.body.members[0].id, { role: 'viewer' }],
      ['DELETE', '/team/members/', team.body.members[0].id],
      ['DELETE', '/team/invitations/', invited.body.id],
      ['DELETE', '/keys/', keys.body.data[0].id],
      ['DELETE', '/sessions/', sessions.body.data[0].id],
    ];
    const unknownSuffix = '7zzzzzzzzz7zzvzzzzzzzzzzzz';
    for (const [method, path, id, body] of calls) {
      const missing = id.includes('_')
        ? id.replace(/_.*/, `_${unknownSuffix}`)
        : '0195570b-8a3c-7c1e-b1f0-5d2f6a7c9e10';
      const foreign = await browser.call(method, path + id, body);
      const unknown = await browser.call(method, path + missing, body);
      expect(foreign.status, path).toBe(404);
      expect(foreign.body, path).toEqual({ ...unknown.body, details: { request_id: expect.any(String) } });
      expect((await browser.call(method, `${path}'; DROP TABLE users`, body)).status).toBe(404);
    }
    const own = JSON.stringify([
      (await browser.call('GET', '/team')).body,
      (await browser.call('GET', '/keys')).body,
    ]);
    expect(own).not.toContain('theirs@example.com');
    expect(own).not.toContain('their-guest');
    expect(own).not.toContain(keys.body.data[0].id);
    expect((await theirs.browser.call('GET', '/session')).status).toBe(200);
  });
});

describe('role', () => {
  const order = ['viewer', 'developer', 'owner'] as const;
  const browsers = new Map<string, TestBrowser>();
  beforeAll(async () => {
    for (const role of order) browsers.set(role, (await joinAs(app, role)).browser);
  });
  const body: Record<string, unknown> = {
    'POST /team/invitations': { email: 'x@example.com', role: 'viewer' },
    'PATCH /team/members/op_x': { role: 'viewer' },
    'POST /keys': { environment: 'sandbox' },
  };
  test.each([
    ['GET /session', 'viewer'],
    ['GET /team', 'viewer'],
    ['GET /keys', 'viewer'],
    ['GET /sessions', 'viewer'],
    ['GET /overview?environment=live', 'viewer'],
    ['GET /users?environment=live', 'viewer'],
    ['GET /events?environment=live', 'viewer'],
    ['GET /events/evt_x?environment=live', 'viewer'],
    ['POST /roster/invitations/inv_x/resend?environment=live', 'developer'],
    ['POST /keys', 'developer'],
    ['DELETE /keys/key_x', 'developer'],
    ['POST /team/invitations', 'owner'],
    ['DELETE /team/invitations/oli_x', 'owner'],
    ['PATCH /team/members/op_x', 'owner'],
    ['DELETE /team/members/op_x', 'owner'],
  ])('%s requires %s', async (call, least) => {
    const [method = '', path = ''] = call.split(' ');
    for (const role of order) {
      const { status } = await browsers.get(role)!.call(method, path, body[call]);
      if (order.indexOf(role) < order.indexOf(least as 'owner')) expect(status, role).toBe(403);
      else expect([200, 201, 404, 409], role).toContain(status);
    }
    expect((await new TestBrowser(app).call(method, path, body[call])).status).toBe(401);
  });
});

test('creates, rotates and revokes a key, shows it once, and reports its use', async () => {
  const account = await app.createAccount();
  const { browser } = await joinAs(app, 'developer', { accountId: account.uuid });
  const response = await browser.call('POST', '/keys', { environment: 'sandbox' });
  expect(response.status).toBe(201);
  const { key, data } = response.body;
  expect(data).toMatchObject({ status: 'active', created_by: 'The developer', last_used_at: null });
  expect(key.endsWith(data.last_four)).toBe(true);
  // Revocation reaches every node within a second.
  const statusOf = async (used: string) => (await app.request('GET', '/v1/users', { key: used })).status;
  await expect.poll(() => statusOf(account.sandboxKey), { timeout: 5_000 }).toBe(401);
  expect((await app.request('GET', '/v1/users', { key })).status).toBe(200);
  const { body } = await browser.call('GET', '/keys');
  expect(JSON.stringify(body)).not.toContain(key);
  expect(body.data.find(({ id }: { id: string }) => id === data.id)).toMatchObject({
    last_used_at: expect.stringMatching(/Z$/),
    last_used_address: '127.0.0.1',
  });
  expect((await browser.call('DELETE', `/keys/${data.id}`)).status).toBe(204);
  await expect.poll(() => statusOf(key), { timeout: 5_000 }).toBe(401);
});

describe('password reset', () => {
  async function reset(email: string): Promise<string> {
    await new TestBrowser(app).call('POST', '/password/forgot', { email });
    await preparePasswordReset(app.ctx, hashEmail(email).toString('hex'));
    const { rows } = await app.admin.query(
      `SELECT id, link_key_version AS "keyVersion" FROM operator_links WHERE kind = 'password' AND status = 'pending' AND email = $1`,
      [email],
    );
    return deriveLinkToken(app.ctx.keyring, 'operator', rows[0]);
  }

  test('replaces the password once with the mailed link and ends every session', async () => {
    const { browser, email } = await joinAs(app, 'developer');
    const token = await reset(email);
    const guest = new TestBrowser(app);
    const password = 'another long password';
    expect((await guest.call('POST', '/password/reset', { token, password: 'short' })).status).toBe(400);
    expect((await guest.call('POST', '/password/reset', { token, password })).status).toBe(204);
    expect((await guest.call('POST', '/password/reset', { token, password })).body.error).toBe('link_ended');
    expect((await browser.call('GET', '/session')).status).toBe(401);
    expect((await guest.call('POST', '/sign-in', { email, password: testPassword })).status).toBe(401);
    expect((await guest.call('POST', '/sign-in', { email, password })).status).toBe(200);
  });

  test('returns the same response for an unknown address and sends no mail', async () => {
    const response = await new TestBrowser(app).call('POST', '/password/forgot', {
      email: 'who@example.com',
    });
    expect(response.status).toBe(204);
    await preparePasswordReset(app.ctx, hashEmail('who@example.com').toString('hex'));
    const { rows } = await app.admin.query(`SELECT FROM operator_links WHERE email = 'who@example.com'`);
    expect(rows).toEqual([]);
  });

  test('sends at most five mails per hour, even with concurrent requests', async () => {
    const { email } = await joinAs(app, 'viewer');
    const hash = hashEmail(email).toString('hex');
    await Promise.all(Array.from({ length: 12 }, () => preparePasswordReset(app.ctx, hash)));
    const { rows } = await app.admin.query(
      `SELECT status FROM operator_links WHERE kind = 'password' AND email = $1`,
      [email],
    );
    expect(rows.map(({ status }) => status).toSorted()).toEqual([
      'pending',
      ...Array<string>(4).fill('revoked'),
    ]);
  });

  test('rejects a reset link as an invitation, and an invitation as a reset link', async () => {
    const { browser, email } = await joinAs(app, 'owner');
    const token = await reset(email);
    const guest = new TestBrowser(app);
    const joining = await guest.call('POST', '/join', { token, name: 'x', password: testPassword });
    expect(joining.body.error).toBe('link_ended');
    const { body } = await browser.call('POST', '/team/invitations', {
      email: 'n@example.com',
      role: 'viewer',
    });
    const invitation = await linkOf(body.id);
    const response = await guest.call('POST', '/password/reset', {
      token: invitation,
      password: testPassword,
    });
    expect(response.body.error).toBe('link_ended');
  });
});
