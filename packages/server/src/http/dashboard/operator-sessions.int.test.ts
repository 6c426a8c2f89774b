import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepSignIn } from '../../store/accounts/sign-in-guard.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { entriesDuring } from '../../test/audit.ts';
import { codeOf, joinAs, TestBrowser, testPassword } from '../../test/data/operators.ts';

let app: TestApp;
let account: TestAccount;
beforeAll(async () => {
  app = await startTestApp({
    ADDRESS_LIMIT_PER_SECOND: '1000',
    ADDRESS_LIMIT_BURST: '10000',
    DASHBOARD_IDLE_MINUTES: '30',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Tributary <tributary@example.com>',
  });
});
beforeEach(async () => {
  account = await app.createAccount();
});
afterAll(() => app[Symbol.asyncDispose]());

const join = (role: 'owner' | 'developer' | 'viewer') => joinAs(app, role, { accountId: account.uuid });
const minutesAgo = (minutes: number) =>
  app.admin.query(`UPDATE auth.sessions SET last_used_at = now() - $1 * interval '1 minute'`, [minutes]);

/** Adds an authenticator and returns the URI that its app scans. */
async function addAuthenticator(browser: TestBrowser): Promise<string> {
  const { body } = await browser.call('POST', '/authenticator', { password: testPassword });
  const confirmed = await browser.call('POST', '/authenticator/confirm', { code: codeOf(body.uri) });
  expect(confirmed.status).toBe(204);
  return body.uri;
}

const confirm = (browser: TestBrowser) =>
  browser.call('POST', '/session/confirm', { password: testPassword });

describe('a session token', () => {
  test('is stored as a hash, which is not accepted as a token', async () => {
    const { browser } = await join('viewer');
    const cookie = decodeURIComponent(browser.cookies.get('__Host-tributary_session')!);
    const token = cookie.slice(0, cookie.lastIndexOf('.'));
    const stored = `sha256:${createHash('sha256').update(token).digest('base64url')}`;
    const { rows } = await app.admin.query('SELECT token FROM auth.sessions WHERE token IN ($1, $2)', [
      token,
      stored,
    ]);
    expect(rows).toEqual([{ token: stored }]);
    // Not even with a valid signature: the stored hash of another session is this session's own token in plain text.
    await app.admin.query('UPDATE auth.sessions SET token = $2 WHERE token = $1', [
      stored,
      `sha256:${token}`,
    ]);
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  test('of the previous release works until its session ends', async () => {
    const { browser } = await join('viewer');
    const cookie = decodeURIComponent(browser.cookies.get('__Host-tributary_session')!);
    const token = cookie.slice(0, cookie.lastIndexOf('.'));
    const { rows } = await app.admin.query(
      `UPDATE auth.sessions SET token = $2, created_at = now() - interval '3 days', last_used_at = NULL WHERE token = $1 RETURNING id`,
      [`sha256:${createHash('sha256').update(token).digest('base64url')}`, token],
    );
    expect(rows).toHaveLength(1);
    await sweepSignIn(app.ctx.operator, 1_800);
    expect((await browser.call('GET', '/session')).body.session.idle_remaining_seconds).toBe(1_800);
    await minutesAgo(31);
    expect((await browser.call('GET', '/session')).body.details.reason).toBe('idle');
  });

  test('of a challenge is stored as a hash too', async () => {
    const { browser, email } = await join('viewer');
    await addAuthenticator(browser);
    const other = new TestBrowser(app);
    await other.call('POST', '/sign-in', { email, password: testPassword });
    const cookie = decodeURIComponent(other.cookies.get('__Host-tributary_2fa')!);
    const { rows } = await app.admin.query('SELECT identifier FROM auth.verifications');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(0, cookie.lastIndexOf('.')));
  });
});

describe('a session that is not used', () => {
  test('ends after the configured time, with the reason', async () => {
    const { browser } = await join('developer');
    await browser.call('GET', '/session');
    await minutesAgo(29);
    expect((await browser.api('GET', '/v1/users')).status).toBe(200);
    await minutesAgo(30);
    const ended = await browser.api('GET', '/v1/users');
    expect(ended).toMatchObject({
      status: 401,
      body: {
        error: 'signed_out',
        message: 'You were signed out because you were inactive for 30 minutes. Sign in again.',
        details: { reason: 'idle' },
      },
    });
    const again = await browser.call('GET', '/session');
    expect(again).toMatchObject({ status: 401, body: { error: 'signed_out' } });
    expect(again.body.details.reason).toBeUndefined();
  });

  test('is not extended by the requests of an unattended page', async () => {
    const { browser } = await join('developer');
    const poll = (inactive: string) =>
      browser.call('GET', '/session', undefined, { 'tributary-inactive': inactive });
    await minutesAgo(20);
    expect((await poll('1200')).body.session.idle_remaining_seconds).toBeLessThanOrEqual(600);
    // Another tab may report a longer time. The latest use counts.
    expect((await poll('99999999')).body.session.idle_remaining_seconds).toBeGreaterThan(570);
    expect((await poll('300')).body.session).toMatchObject({
      idle_limit_seconds: 1_800,
      idle_remaining_seconds: 1_500,
    });
    const { body } = await poll('1200');
    expect(body.session.idle_remaining_seconds).toBeGreaterThan(1_470);
    expect(Date.parse(body.session.ends_at) - Date.now()).toBeLessThanOrEqual(7 * 86_400_000);
    for (const invalid of ['-5', 'x', '', '1e3'])
      expect((await poll(invalid)).body.session.idle_remaining_seconds).toBe(1_800);
  });

  test('leaves the list, and the hourly sweep deletes it', async () => {
    const { browser, email } = await join('developer');
    const other = new TestBrowser(app);
    await other.call('POST', '/sign-in', { email, password: testPassword });
    await minutesAgo(31);
    await app.admin.query(
      `UPDATE auth.sessions SET last_used_at = now() WHERE id = (SELECT id FROM auth.sessions ORDER BY created_at DESC LIMIT 1)`,
    );
    expect((await other.call('GET', '/sessions')).body.data).toHaveLength(1);
    await sweepSignIn(app.ctx.operator, 1_800);
    const { rows } = await app.admin.query('SELECT count(*)::int AS n FROM auth.sessions');
    expect(rows).toEqual([{ n: 1 }]);
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  test('ends after seven days even if it is used', async () => {
    const { browser } = await join('developer');
    await app.admin.query(`UPDATE auth.sessions SET created_at = now() - interval '7 days 1 second'`);
    expect((await browser.call('GET', '/session')).body.error).toBe('signed_out');
  });

  test('ends its event stream', async () => {
    const short = await startTestApp({ STREAM_HEARTBEAT_SECONDS: '1' });
    try {
      const { browser } = await joinAs(short, 'developer');
      const response = await fetch(`${short.url}/v1/events/stream`, {
        headers: { cookie: browser.cookie, origin: short.url, 'tributary-environment': 'live' },
      });
      expect(response.status).toBe(200);
      await short.admin.query(`UPDATE auth.sessions SET last_used_at = now() - interval '31 minutes'`);
      await response.text(); // ends
      expect((await browser.call('GET', '/session')).status).toBe(401);
    } finally {
      await short[Symbol.asyncDispose]();
    }
  });
});

describe('a confirmation', () => {
  test('by password is needed for a live key, and lasts five minutes in its session', async () => {
    const { browser, email } = await join('developer');
    const create = (environment: string) => browser.call('POST', '/keys', { environment });
    expect((await create('sandbox')).status).toBe(201);
    expect(await create('live')).toMatchObject({
      status: 403,
      body: { error: 'confirmation_required', details: { by: ['password'] } },
    });
    const { entries } = await entriesDuring(app, async () => {
      expect((await browser.call('POST', '/session/confirm', { password: 'wrong' })).body.error).toBe(
        'wrong_sign_in',
      );
      expect((await create('live')).status).toBe(403);
      expect((await confirm(browser)).status).toBe(204);
      expect((await create('live')).status).toBe(201);
    });
    expect(entries.map(({ action }) => action)).toEqual(['operator.confirmed', 'api_key.created']);
    expect(entries[0]).toMatchObject({ data: { by: 'password' } });
    const other = new TestBrowser(app);
    await other.call('POST', '/sign-in', { email, password: testPassword });
    expect((await other.call('POST', '/keys', { environment: 'live' })).status).toBe(403);
    await app.admin.query(`UPDATE auth.sessions SET confirmed_at = now() - interval '301 seconds'`);
    expect((await create('live')).body.error).toBe('confirmation_required');
  });

  test('by code counts once, and wrong codes slow down', async () => {
    const { browser } = await join('developer');
    const confirmWith = (code: string) => browser.call('POST', '/session/confirm', { code });
    expect((await confirmWith('123456')).body.error).toBe('wrong_code');
    const uri = await addAuthenticator(browser);
    const code = codeOf(uri, Date.now() + 30_000);
    const both = await Promise.all([confirmWith(code), confirmWith(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect((await browser.call('POST', '/keys', { environment: 'live' })).status).toBe(201);
    const guesses = Array.from({ length: 30 }, (_, at) => confirmWith(String(200_000 + at)));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20);
    // Another route for codes does not help: it is for challenges only.
    expect((await browser.call('POST', '/sign-in/code', { code: '300000' })).body.error).toBe('signed_out');
    expect((await confirm(browser)).status).toBe(204);
  });

  test('is needed to make someone an owner', async () => {
    const { browser } = await join('owner');
    const invite = () =>
      browser.call('POST', '/team/invitations', { email: 'second@example.com', role: 'owner' });
    const colleague = await join('viewer');
    const { body } = await browser.call('GET', '/team');
    const { id } = body.members.find(({ email }: { email: string }) => email === colleague.email);
    const promote = () => browser.call('PATCH', `/team/members/${id}`, { role: 'owner' });
    expect((await invite()).body.error).toBe('confirmation_required');
    expect((await promote()).body.error).toBe('confirmation_required');
    await confirm(browser);
    expect((await invite()).status).toBe(201);
    expect((await promote()).status).toBe(200);
  });
});

describe('an account that requires an authenticator', () => {
  test('leads colleagues to add one, and lets them do nothing else', async () => {
    const { browser: owner } = await join('owner');
    const { browser: colleague } = await join('developer');
    const require = (value: boolean) => owner.call('PATCH', '/settings', { require_authenticator: value });
    expect((await require(true)).body.error).toBe('confirmation_required');
    await confirm(owner);
    expect(await require(true)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    await addAuthenticator(owner);
    await confirm(owner);
    const { entries } = await entriesDuring(app, async () => {
      expect(await require(true)).toMatchObject({ status: 200, body: { require_authenticator: true } });
    });
    expect(entries).toMatchObject([
      { action: 'account.updated', data: { fields: ['require_authenticator'] } },
    ]);

    expect((await colleague.call('GET', '/session')).body).toMatchObject({
      operator: { two_factor: false },
      account: { requires_authenticator: true },
    });
    for (const path of ['/keys', '/team', '/settings', '/sessions', '/overview?environment=sandbox'])
      expect(await colleague.call('GET', path), path).toMatchObject({
        status: 403,
        body: { error: 'authenticator_required' },
      });
    expect((await colleague.call('POST', '/keys', { environment: 'sandbox' })).status).toBe(403);
    expect((await confirm(colleague)).status).toBe(403);
    for (const environment of ['live', 'sandbox'] as const)
      expect((await colleague.api('GET', '/v1/users', environment)).body.error).toBe(
        'authenticator_required',
      );
    await addAuthenticator(colleague);
    expect((await colleague.call('GET', '/keys')).status).toBe(200);
    expect((await colleague.api('GET', '/v1/users')).status).toBe(200);

    // Removing it leads back.
    await colleague.call('POST', '/authenticator/remove', { password: testPassword });
    expect((await colleague.call('GET', '/keys')).body.error).toBe('authenticator_required');
    await confirm(owner);
    expect((await require(false)).status).toBe(200);
    expect((await colleague.call('GET', '/keys')).status).toBe(200);
    // Other accounts are not affected.
    const other = await joinAs(app, 'viewer');
    expect((await other.browser.call('GET', '/keys')).status).toBe(200);
  });
});

describe('invitations', () => {
  const invite = (browser: TestBrowser, email: string) =>
    browser.call('POST', '/team/invitations', { email, role: 'viewer' });

  test('are limited to twenty mails per hour, even in concurrent requests', async () => {
    const { browser } = await join('owner');
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, at) => invite(browser, `guest-${at}@example.com`)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    const refused = responses.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ error: 'rate_limited', details: { limit: 20 } });
    expect(refused.body.message).toContain('sent 20 invitations within an hour');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    // A refused invitation leaves nothing behind. Resending counts as well.
    expect((await browser.call('GET', '/team')).body.invitations).toHaveLength(20);
    const [{ email }] = (await browser.call('GET', '/team')).body.invitations;
    expect((await invite(browser, email)).status).toBe(429);
    await app.admin.query(`UPDATE operator_links SET created_at = created_at - interval '1 hour'`);
    expect((await invite(browser, email)).status).toBe(201);
  });

  test('are limited to fifty open ones', async () => {
    const { browser } = await join('owner');
    const { body } = await invite(browser, 'first@example.com');
    await app.admin.query(
      `INSERT INTO operator_links (id, account_id, kind, email, role, link_hash, link_key_version, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'invitation', 'open-' || n || '@example.com', 'viewer', uuid_send(gen_random_uuid()), 1,
         now() - interval '2 hours', now() + interval '1 day' FROM generate_series(1, 49) AS n`,
      [account.uuid],
    );
    const refused = await invite(browser, 'last@example.com');
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'too_many_invitations', details: { limit: 50 } },
    });
    expect(refused.body.message).toContain('already has 50 open invitations');
    // Replacing an open one needs no further place.
    expect((await invite(browser, 'first@example.com')).status).toBe(201);
    const { body: team } = await browser.call('GET', '/team');
    expect(team.invitations.map(({ id }: { id: string }) => id)).not.toContain(body.id);
    await browser.call('DELETE', `/team/invitations/${team.invitations[0].id}`);
    expect((await invite(browser, 'last@example.com')).status).toBe(201);
  });
});
