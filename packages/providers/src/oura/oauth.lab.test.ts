import type { Lab } from '@tributary/lab';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { oura } from './index.ts';

const { oauth } = oura;
let lab: Lab;

beforeEach(async () => {
  lab = await startTestLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

const lastDays = () => ({ fromMs: lab.clock.now() - 3 * 86_400_000, toMs: lab.clock.now() });
const readSleep = (api: UserApi) => readAll(oura, 'daily_sleep', api, lastDays());
const grantOf = (person: string) => lab.grants('oura').find(({ personId }) => personId === person)!;

describe('connecting', () => {
  test('returns the user id and the granted scopes', async () => {
    const ada = await connectInLab(lab, oura, 'ada', { scopes: ['daily', 'spo2'] });
    expect(ada.userId).toBe(grantOf('ada').userId);
    expect(ada.scopes).toEqual(['daily', 'spo2']);
    expect(ada.tokens).toMatchObject({ expiresAtMs: lab.clock.now() + 86_400_000 });
  });

  test('forbids only the streams of a scope that was not granted', async () => {
    const ada = await connectInLab(lab, oura, 'ada', { scopes: ['daily', 'spo2'] });
    for (const { name, scopes = [] } of oura.streams) {
      const read = readAll(oura, name, ada, lastDays());
      if (scopes.includes('daily') || scopes.includes('spo2')) expect(await read).not.toEqual([]);
      else await expect(read).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  test('accepts a code once, and rejects an unknown app without ending the consent', async () => {
    const api = openAppApi(lab, oura);
    const authorization = { code: 'no-code', redirectUri: '', verifier: '', returned: new URLSearchParams() };
    await expect(oauth.redeem(api, authorization)).rejects.toMatchObject({ kind: 'consent_ended' });
    const stranger = openAppApi(lab, oura, { ...appInLab(lab, oura), clientSecret: 'another' });
    await expect(oauth.redeem(stranger, authorization)).rejects.toMatchObject({ kind: 'refused' });
    const { tokens } = await connectInLab(lab, oura);
    await expect(oauth.refresh!(stranger, tokens)).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('refreshing', () => {
  test('returns a new pair and keeps the granted scopes', async () => {
    const ada = await connectInLab(lab, oura, 'ada', { scopes: ['daily'] });
    await lab.clock.advance(86_400_000);
    await expect(readSleep(ada)).rejects.toMatchObject({ kind: 'unauthorized' });
    const next = await oauth.refresh!(ada, ada.tokens);
    expect(next.refreshToken).not.toBe(ada.tokens.refreshToken);
    expect(next.scopes).toEqual(['daily']);
    expect(next.expiresAtMs).toBe(lab.clock.now() + 86_400_000);
    expect(await readSleep(openUserApi(lab, oura, ada.app, next))).not.toEqual([]);
    await expect(oauth.refresh!(ada, ada.tokens)).rejects.toMatchObject({ kind: 'consent_ended' });
  });

  test('reports an ended consent after the user revoked access', async () => {
    const ada = await connectInLab(lab, oura);
    lab.revoke(grantOf('ada').id);
    await expect(readSleep(ada)).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(oauth.refresh!(ada, ada.tokens)).rejects.toMatchObject({ kind: 'consent_ended' });
  });

  test.each([
    [503, '<html>', 'unavailable'],
    [500, '{"error":"invalid_grant"}', 'unavailable'],
    [200, '{"access_tok', 'unavailable'],
    [200, '{}', 'unavailable'],
    [429, '', 'limited'],
    [400, '', 'refused'],
    [400, '{"error":"invalid_request"}', 'refused'],
    [401, '{"error":"invalid_client"}', 'refused'],
    [400, '{"error":"invalid_grant"}', 'consent_ended'],
  ])('takes %s %s as %s: %s', async (status, body, kind) => {
    const { app, tokens, now } = await connectInLab(lab, oura);
    const response = { status, body, headers: {} };
    const send = async () => {
      const failure = oura.failureOf(response, now());
      if (failure) throw failure;
      return response;
    };
    const refreshed = oauth.refresh!({ app, now, send }, tokens);
    await expect(refreshed).rejects.toMatchObject({ name: 'ProviderFailure', kind });
    await expect(refreshed).rejects.not.toThrow(tokens.refreshToken!);
  });
});

describe('reading with failures', () => {
  test('reports when to retry after a limit', async () => {
    const ada = await connectInLab(lab, oura);
    lab.faults.on({ kind: 'limited', rate: 1, provider: 'oura' });
    const failure = await readSleep(ada).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'limited', retryAtMs: expect.any(Number) });
    const { retryAtMs } = failure as { retryAtMs: number };
    expect(retryAtMs).toBeGreaterThan(lab.clock.now());
    expect(retryAtMs).toBeLessThanOrEqual(lab.clock.now() + 300_000);
  });

  test('uses the reset header if Retry-After is missing', () => {
    const headers = { 'x-ratelimit-reset': '1800000000' };
    const failure = oura.failureOf({ status: 429, body: '', headers }, 0);
    expect(failure).toMatchObject({ kind: 'limited', retryAtMs: 1_800_000_000_000 });
  });

  test.each(['error', 'truncated'] as const)('%s is unavailable, and reading works later', async (kind) => {
    const ada = await connectInLab(lab, oura);
    const { id } = lab.faults.on({ kind, rate: 1, provider: 'oura' });
    await expect(readSleep(ada)).rejects.toMatchObject({ kind: 'unavailable' });
    lab.faults.off(id);
    expect(await readSleep(ada)).not.toEqual([]);
  });
});

test('revoking ends the consent at Oura, and can be repeated', async () => {
  const ada = await connectInLab(lab, oura);
  await oauth.revoke!(ada);
  expect(grantOf('ada').revoked).toBe(true);
  await expect(oauth.refresh!(ada, ada.tokens)).rejects.toMatchObject({ kind: 'consent_ended' });
  await expect(oauth.revoke!(ada)).resolves.toBeUndefined();
});

test('revoking refreshes an expired token first, which would otherwise seem to be revoked already', async () => {
  const ada = await connectInLab(lab, oura);
  let { tokens } = ada;
  const api: UserApi = {
    ...ada,
    get tokens() {
      return tokens;
    },
    send: async (call) => {
      if (!call.bare) tokens = await oauth.refresh!(ada, tokens);
      return openUserApi(lab, oura, ada.app, tokens).send(call);
    },
  };
  await lab.clock.advance(86_400_000);
  await oauth.revoke!(api);
  expect(grantOf('ada').revoked).toBe(true);
});
