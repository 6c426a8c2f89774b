import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, joinAs, TestBrowser, testPassword, tokenOf } from '../../test/data/operators.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createJoinLink } from '../../services/operators/invite-colleague.ts';
import { testActor } from '../../test/acting.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ADDRESS_LIMIT_PER_SECOND: '1000', ADDRESS_LIMIT_BURST: '10000' });
});
afterAll(() => app[Symbol.asyncDispose]());

const sessionCookie = '__Host-tributary_session';

test('the first dashboard user joins with a single-use link and is signed in', async () => {
  const url = await createJoinLink(app.ctx, testActor, {
    accountId: app.account.uuid,
    email: null,
    role: 'owner',
  });
  expect(url).toMatch(/\/dashboard\/join#ol_[0-9A-Za-z]{49}$/);
  const browser = new TestBrowser(app);
  const seen = await browser.call('POST', '/links', { token: tokenOf(url) });
  expect(seen.body).toMatchObject({ kind: 'owner', account: { name: 'Test' }, role: 'owner', email: null });
  const form = { token: tokenOf(url), name: ' Ada ', email: 'Ada@Example.com', password: testPassword };
  const response = await browser.call('POST', '/join', form);
  expect(response.status).toBe(204);
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^${sessionCookie}=`));
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(part);
  expect(cookie).not.toContain('Domain');
  expect((await browser.call('GET', '/session')).body).toMatchObject({
    operator: { email: 'ada@example.com', name: 'Ada', two_factor: false },
    account: { id: app.account.id, name: 'Test' },
    role: 'owner',
  });
  expect((await new TestBrowser(app).call('POST', '/join', form)).body.error).toBe('link_ended');
  expect((await browser.call('POST', '/links', { token: tokenOf(url) })).status).toBe(404);
});

test('links without an email address do not revoke each other', async () => {
  const make = (role: 'owner' | 'viewer') =>
    createJoinLink(app.ctx, testActor, { accountId: app.account.uuid, email: null, role });
  const [first, second] = [await make('owner'), await make('viewer')];
  for (const [url, role] of [
    [first, 'owner'],
    [second, 'viewer'],
  ] as const)
    expect((await new TestBrowser(app).call('POST', '/links', { token: tokenOf(url) })).body.role).toBe(role);
});

test('signs in and out', async () => {
  const { email } = await joinAs(app, 'developer');
  const browser = new TestBrowser(app);
  expect((await browser.call('GET', '/session')).body.error).toBe('signed_out');
  const response = await browser.call('POST', '/sign-in', {
    email: email.toUpperCase(),
    password: testPassword,
  });
  expect(response.body).toEqual({ two_factor: false });
  expect(JSON.stringify(response.body)).not.toContain(browser.cookies.get(sessionCookie)!.split('.')[0]);
  expect((await browser.call('GET', '/session')).status).toBe(200);
  const oldCookie = browser.cookie;
  expect((await browser.call('POST', '/sign-out', {})).status).toBe(204);
  expect(browser.cookies.has(sessionCookie)).toBe(false);
  // The server ended the session, in addition to clearing the cookie.
  const again = new TestBrowser(app);
  expect((await again.call('GET', '/session', undefined, { cookie: oldCookie })).status).toBe(401);
});

describe('rejected sign-in', () => {
  test('returns the same error for a wrong password and an unknown address', async () => {
    const { email } = await joinAs(app, 'viewer');
    const browser = new TestBrowser(app);
    const wrong = await browser.call('POST', '/sign-in', { email, password: 'not this one at all' });
    const unknown = await browser.call('POST', '/sign-in', {
      email: 'unknown@example.com',
      password: testPassword,
    });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'wrong_sign_in' } });
    expect(unknown.body).toEqual({ ...wrong.body, details: { request_id: expect.any(String) } });
  });

  test('rejects a forged session and replaces a planted one', async () => {
    const { browser, email } = await joinAs(app, 'viewer');
    const own = browser.cookies.get(sessionCookie)!;
    const forged = new TestBrowser(app);
    forged.cookies.set(sessionCookie, `${own.split('.')[0]}.${'A'.repeat(43)}%3D`);
    expect((await forged.call('GET', '/session')).status).toBe(401);
    // Signing in always creates a new session.
    const victim = new TestBrowser(app);
    victim.cookies.set(sessionCookie, own);
    await victim.call('POST', '/sign-in', { email, password: testPassword });
    expect(victim.cookies.get(sessionCookie)).not.toBe(own);
  });

  test.each(['%', '%E0%A4%A', '.', ''])('rejects the invalid cookie %j', async (value) => {
    const browser = new TestBrowser(app);
    browser.cookies.set(sessionCookie, value).set('__Host-tributary_2fa', value);
    expect((await browser.call('GET', '/session')).body.error).toBe('signed_out');
    expect((await browser.call('POST', '/sign-in/code', { code: '123456' })).body.error).toBe('signed_out');
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: '' }],
    ['a null origin', { origin: 'null' }],
    ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
  ])('rejects a request from %s', async (_name, headers) => {
    const { browser } = await joinAs(app, 'owner');
    const response = await browser.call('POST', '/keys', { environment: 'sandbox' }, headers);
    expect(response.body.error).toBe('foreign_origin');
  });
});

describe('sign-in with an authenticator', () => {
  async function withAuthenticator() {
    const { browser, email } = await joinAs(app, 'developer');
    const { body } = await browser.call('POST', '/authenticator', { password: testPassword });
    const before = browser.cookies.get(sessionCookie);
    const confirmed = await browser.call('POST', '/authenticator/confirm', { code: codeOf(body.uri) });
    expect(confirmed.status).toBe(204);
    expect(browser.cookies.get(sessionCookie)).not.toBe(before);
    return { browser, email, uri: body.uri as string, backupCodes: body.backup_codes as string[] };
  }

  test('requires a code after the password, and accepts each code and backup code once', async () => {
    const { email, uri, backupCodes } = await withAuthenticator();
    const browser = new TestBrowser(app);
    const first = await browser.call('POST', '/sign-in', { email, password: testPassword });
    expect(first.body).toEqual({ two_factor: true });
    expect((await browser.call('GET', '/session')).status).toBe(401);
    // The code that confirmed the authenticator was already used.
    expect((await browser.call('POST', '/sign-in/code', { code: codeOf(uri) })).body.error).toBe(
      'wrong_code',
    );
    const next = codeOf(uri, Date.now() + 30_000);
    const both = await Promise.all([
      browser.call('POST', '/sign-in/code', { code: next }),
      browser.call('POST', '/sign-in/code', { code: next }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect((await browser.call('GET', '/session')).status).toBe(200);

    const other = new TestBrowser(app);
    await other.call('POST', '/sign-in', { email, password: testPassword });
    const [code] = backupCodes;
    expect((await other.call('POST', '/sign-in/backup-code', { code })).status).toBe(204);
    const third = new TestBrowser(app);
    await third.call('POST', '/sign-in', { email, password: testPassword });
    expect((await third.call('POST', '/sign-in/backup-code', { code })).body.error).toBe('wrong_code');
  });

  test('ends the challenge after five wrong codes', async () => {
    const { email, uri } = await withAuthenticator();
    const browser = new TestBrowser(app);
    await browser.call('POST', '/sign-in', { email, password: testPassword });
    for (let tries = 0; tries < 6; tries += 1)
      await browser.call('POST', '/sign-in/code', { code: String(100_000 + tries) });
    const response = await browser.call('POST', '/sign-in/code', { code: codeOf(uri, Date.now() + 30_000) });
    expect(response.status).toBe(401);
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  test('removes the authenticator with the password', async () => {
    const { browser, email } = await withAuthenticator();
    expect((await browser.call('POST', '/authenticator/remove', { password: 'wrong' })).status).toBe(401);
    expect((await browser.call('POST', '/authenticator/remove', { password: testPassword })).status).toBe(
      204,
    );
    const other = new TestBrowser(app);
    const response = await other.call('POST', '/sign-in', { email, password: testPassword });
    expect(response.body).toEqual({ two_factor: false });
  });
});
