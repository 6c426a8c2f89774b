import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startLab } from '../lab.ts';
import type { Person } from '../world/people/person.ts';
import type { OAuthPolicy } from '../provider.ts';
import { startReceiver } from '../test/receiver.ts';
import { allow, fetchMe, ASKED, requestTokens, connect, postForm, renew } from '../test/tiny-client.ts';
import { TINY_POLICY, tinyProvider } from '../test/tiny-provider.ts';

const startAt = Date.parse('2026-05-01T12:00:00Z');
const start = (changes: Partial<OAuthPolicy> = {}) =>
  startLab({ startAt, providers: [tinyProvider({ ...TINY_POLICY, ...changes })] });
const exchange = { grant_type: 'authorization_code' };

test('accepts a code once, for one minute, and only with its app, redirect URI and verifier', async () => {
  await using lab = await start();
  const newCode = async (fields = {}) => (await allow(lab, fields)).searchParams.get('code')!;
  const tokenError = async (fields: Record<string, string>) =>
    (await requestTokens(lab, { ...exchange, ...fields })).error;

  const code = await newCode();
  expect([await tokenError({ code }), await tokenError({ code })]).toEqual([undefined, 'invalid_grant']);
  const old = await newCode();
  await lab.clock.advance(60_000);
  expect(await tokenError({ code: old })).toBe('invalid_grant');
  expect(await tokenError({ code: await newCode(), redirect_uri: 'https://other.example/' })).toBe(
    'invalid_grant',
  );
  expect(await tokenError({ code: await newCode(), client_secret: 'wrong' })).toBe('invalid_client');
  expect(await tokenError({ code: await newCode(), grant_type: 'password' })).toBe('unsupported_grant_type');

  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const challenged = () => newCode({ code_challenge: challenge, code_challenge_method: 'S256' });
  expect(await tokenError({ code: await challenged() })).toBe('invalid_grant');
  expect(await tokenError({ code: await challenged(), code_verifier: 'w'.repeat(43) })).toBe('invalid_grant');
  expect(await tokenError({ code: await challenged(), code_verifier: verifier })).toBeUndefined();
  expect(lab.counts('tiny')).toMatchObject({ codes: 2, refusedTokens: 7 });
});

test('accepts credentials only in the way that the provider wants', async () => {
  const basic = { authorization: `Basic ${Buffer.from('lab-app:lab-app-secret').toString('base64')}` };
  const none = { client_id: [], client_secret: [] };
  for (const [credentials, body, header] of [
    ['body', undefined, 'invalid_client'],
    ['basic', 'invalid_client', undefined],
    ['either', undefined, undefined],
  ] as const) {
    await using lab = await start({ credentials });
    const tokenError = async (fields: object, headers = {}) => {
      const code = (await allow(lab)).searchParams.get('code')!;
      return (await requestTokens(lab, { ...exchange, code, ...fields }, headers)).error;
    };
    expect([await tokenError({}), await tokenError(none, basic)], credentials).toEqual([body, header]);
  }
});

test('ends access tokens when they expire and when the grant is revoked', async () => {
  await using lab = await start();
  const tokens = await connect(lab);
  await lab.clock.advance(3_599_999);
  expect((await fetchMe(lab, tokens)).status).toBe(200);
  await lab.clock.advance(1);
  expect((await fetchMe(lab, tokens)).status).toBe(401);
  const next = await renew(lab, tokens);
  expect((await fetchMe(lab, next)).status).toBe(200);
  expect(lab.revoke(lab.grants()[0]!.id)).toBe(true);
  expect((await fetchMe(lab, next)).status).toBe(401);
  expect((await renew(lab, next)).error).toBe('invalid_grant');
  expect(lab.counts('tiny')).toMatchObject({ refreshes: 1, reuses: 0, revokedGrants: 1 });
});

test('rejects a used refresh token and counts its reuse', async () => {
  await using lab = await start();
  const first = await connect(lab);
  const second = await renew(lab, first);
  expect((await renew(lab, first)).error).toBe('invalid_grant');
  expect((await renew(lab, second)).error).toBeUndefined();
  expect(lab.counts('tiny')).toMatchObject({ refreshes: 2, reuses: 1, revokedGrants: 0 });
});

test('revokes the grant on reuse where the provider does so', async () => {
  await using lab = await start({ refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'revoke' } });
  const first = await connect(lab);
  const second = await renew(lab, first);
  await renew(lab, first);
  expect((await renew(lab, second)).error).toBe('invalid_grant');
  expect((await fetchMe(lab, second)).status).toBe(401);
  expect(lab.counts('tiny')).toMatchObject({ reuses: 1, revokedGrants: 1 });
});

test('accepts an old refresh token during its grace period, until the new access token is used', async () => {
  const refresh = { kind: 'rotating', graceSeconds: 100, onReuse: 'refuse' } as const;
  await using lab = await start({ refresh, graceEndsOnUse: true });
  const first = await connect(lab);
  await renew(lab, first);
  await lab.clock.advance(99_999);
  const third = await renew(lab, first);
  expect(third.error).toBeUndefined();
  await lab.clock.advance(1);
  expect((await renew(lab, first)).error).toBe('invalid_grant');
  const fourth = await renew(lab, third);
  await fetchMe(lab, fourth);
  expect((await renew(lab, third)).error).toBe('invalid_grant');
  expect(lab.counts('tiny').reuses).toBe(2);
});

test('keeps refresh tokens, issues none, or issues them for a scope and a limited time', async () => {
  await using nonRotatingLab = await start({ refresh: { kind: 'kept' }, refreshSeconds: 7200 });
  const first = await connect(nonRotatingLab);
  expect((await renew(nonRotatingLab, first)).refresh_token).toBe(first.refresh_token);
  await nonRotatingLab.clock.advance(7_200_000);
  expect((await renew(nonRotatingLab, first)).error).toBe('invalid_grant');
  expect(nonRotatingLab.counts('tiny').reuses).toBe(0);

  await using none = await start({ refresh: { kind: 'none' } });
  expect((await connect(none)).refresh_token).toBeNull();

  await using scoped = await start({ offlineScope: 'offline' });
  expect((await connect(scoped)).refresh_token).not.toBeNull();
  const code = (await allow(scoped, { granted: 'sleep' })).searchParams.get('code')!;
  expect((await requestTokens(scoped, { ...exchange, code })).refresh_token).toBeNull();
});

test('accepts a token and a user id only at their own provider', async () => {
  const other = {
    ...tinyProvider(),
    id: 'other',
    userId: (person: Person, digits: string) => `${person.id}-${digits}`,
  };
  await using lab = await startLab({ startAt, providers: [tinyProvider(), other] });
  const tokens = await connect(lab);
  const authorization = `Bearer ${tokens.access_token}`;
  expect((await fetch(`${lab.url}/other/me`, { headers: { authorization } })).status).toBe(401);
  await postForm(`${lab.url}/other/authorize`, { ...ASKED, person: 'ada', decision: 'allow' });
  const [here, there] = lab.grants().map(({ userId }) => userId);
  expect(here).toMatch(/^[1-9]\d{10}$/);
  expect(there).toMatch(/^ada-[1-9]\d{10}$/);
  expect(there).not.toContain(here);
});

test('notifies the app once when a grant is revoked', async () => {
  await using receiver = await startReceiver(204);
  const apps = [{ clientId: 'lab-app', pushUrls: { tiny: receiver.url } }];
  await using lab = await startLab({ startAt, providers: [tinyProvider()], apps });
  await allow(lab);
  lab.revoke('tiny-1');
  lab.revoke('tiny-1');
  await lab.pushes.idle();
  expect(receiver.received.map(({ body }) => body)).toEqual(['revoked']);
});
