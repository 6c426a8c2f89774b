import { expect, test } from 'vitest';
import { startLab } from '../lab.ts';
import type { OAuthPolicy } from '../provider.ts';
import { allow, fetchMe, ASKED, requestTokens, postForm } from '../test/tiny-client.ts';
import { TINY_POLICY, tinyProvider } from '../test/tiny-provider.ts';

const startAt = Date.parse('2026-05-01T12:00:00Z');
const start = (changes: Partial<OAuthPolicy> = {}) =>
  startLab({ startAt, providers: [tinyProvider({ ...TINY_POLICY, ...changes })] });
const exchange = { grant_type: 'authorization_code' };

test('completes the flow from the consent page to tokens to data', async () => {
  await using lab = await start();
  const query = new URLSearchParams({ ...ASKED, person: 'chen' } as Record<string, string>);
  const page = await fetch(`${lab.url}/tiny/authorize?${query.toString()}`);
  const text = await page.text();
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toMatch(/<option value="chen" selected/);
  expect(text).toContain('name="granted" value="offline" checked');
  expect(text).not.toContain('<script');

  const returned = await allow(lab, { person: 'chen', granted: 'sleep' });
  expect(returned.href).toContain(`${lab.url}/lab/callback?`);
  expect([returned.searchParams.get('state'), returned.searchParams.get('scope')]).toEqual([
    'a-state',
    'sleep',
  ]);
  const tokens = await requestTokens(lab, { ...exchange, code: returned.searchParams.get('code')! });
  expect(tokens).toMatchObject({ expires_in: 3600, scope: 'sleep' });
  const me = await (await fetchMe(lab, tokens)).json();
  expect(me).toMatchObject({ person: 'chen', base_url: `${lab.url}/tiny` });
  expect(lab.grants()).toMatchObject([
    { provider: 'tiny', personId: 'chen', scopes: ['sleep'], revoked: false },
  ]);
});

test("escapes the app's fields on the page", async () => {
  await using lab = await startLab({
    providers: [tinyProvider()],
    apps: [{ clientId: 'lab-app', name: '<script>x</script>' }],
  });
  const query = new URLSearchParams({ ...ASKED, state: '"><script>' } as Record<string, string>);
  const text = await (await fetch(`${lab.url}/tiny/authorize?${query.toString()}`)).text();
  expect(text).toContain('&lt;script&gt;x');
  expect(text).not.toContain('<script');
});

test('does not redirect to an unknown app or an unregistered URI', async () => {
  await using lab = await start();
  for (const wrong of [
    { client_id: 'other' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: `${lab.url}/lab/callback/` },
  ]) {
    const query = new URLSearchParams({ ...ASKED, ...wrong } as Record<string, string>);
    const page = await fetch(`${lab.url}/tiny/authorize?${query.toString()}`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')], JSON.stringify(wrong)).toEqual([400, null]);
    const posted = await postForm(`${lab.url}/tiny/authorize`, {
      ...ASKED,
      ...wrong,
      person: 'ada',
      decision: 'allow',
    });
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null]);
  }
  expect((await allow(lab, { person: 'unknown' })).pathname).toBe('/400');
  expect(lab.grants()).toEqual([]);
});

test('redirects other errors back to the app', async () => {
  await using lab = await start({ stateMinLength: 8 });
  const errorOf = async (fields: Record<string, string>) =>
    (await allow(lab, { state: 'long-enough', ...fields })).searchParams.get('error');
  expect(await errorOf({ state: '' })).toBe('invalid_request');
  expect(await errorOf({ state: '1234567' })).toBe('invalid_request');
  expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type');
  expect(await errorOf({ scope: 'sleep everything' })).toBe('invalid_scope');
  expect(await errorOf({ code_challenge: 'x', code_challenge_method: 'plain' })).toBe('invalid_request');
  expect(await errorOf({ decision: 'deny' })).toBe('access_denied');
  expect(await errorOf({})).toBeNull();
});

test('rejects a request without PKCE if the provider requires it', async () => {
  await using lab = await start({ pkce: 'required' });
  expect((await allow(lab)).searchParams.get('error')).toBe('invalid_request');
});

test('rejects repeated and missing fields without failing', async () => {
  await using lab = await start();
  expect((await requestTokens(lab, { ...exchange, code: ['a', 'b'] })).error).toBe('invalid_request');
  expect((await requestTokens(lab, exchange)).error).toBe('invalid_request');
  expect((await requestTokens(lab, { grant_type: 'refresh_token' })).error).toBe('invalid_request');
  expect(
    (await allow(lab, { person: ['ada', 'ben'], state: ['a-state', 'b'] })).searchParams.get('state'),
  ).toBe('a-state');
});

test('keeps the grant with new scopes when a user consents again, and creates a new grant after a revocation', async () => {
  await using lab = await start();
  await allow(lab);
  await allow(lab, { granted: 'sleep' });
  expect(lab.grants()).toMatchObject([{ id: 'tiny-1', scopes: ['sleep'] }]);
  lab.revoke('tiny-1');
  await allow(lab);
  expect(lab.grants().map(({ id, revoked }) => [id, revoked])).toEqual([
    ['tiny-1', true],
    ['tiny-2', false],
  ]);
});
