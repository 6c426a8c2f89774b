import { describe, expect, test, vi } from 'vitest';
import type { App } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { withings } from './index.ts';

// Reading weeks of simulated data over HTTP takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const hour = 3_600_000;
const lastWeek = {
  fromMs: Date.parse('2026-11-08T00:00:00Z'),
  toMs: Date.parse('2026-11-11T00:00:00Z'),
};

describe('refreshing', () => {
  test('returns new tokens for the same user, repeatedly', async () => {
    await using lab = await startTestLab();
    const app = appInLab(lab, withings);
    const api = await connectInLab(lab, withings);
    expect(api.userId).toBe(lab.grants('withings')[0]!.userId);
    expect(api.tokens.expiresAtMs).toBe(lab.clock.now() + 3 * hour);
    expect(api.tokens.scopes).toEqual(withings.oauth.scopes);
    await lab.clock.advance(4 * hour);
    await expect(readAll(withings, 'activity', api, lastWeek)).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    const first = await withings.oauth.refresh!(openAppApi(lab, withings), api.tokens);
    const second = await withings.oauth.refresh!(openAppApi(lab, withings), first);
    expect(new Set([api.tokens, first, second].map(({ refreshToken }) => refreshToken)).size).toBe(3);
    const again = openUserApi(lab, withings, app, second);
    expect(await withings.oauth.enroll(again, { memberId: 'm', pushUrl: 'http://127.0.0.1:1/' })).toBe(
      api.userId,
    );
    expect(await readAll(withings, 'activity', again, lastWeek)).not.toEqual([]);
  });

  test('detects that the consent has ended', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    lab.revoke(lab.grants('withings')[0]!.id);
    await expect(readAll(withings, 'measures', api, lastWeek)).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    await expect(withings.oauth.refresh!(openAppApi(lab, withings), api.tokens)).rejects.toMatchObject({
      kind: 'consent_ended',
    });
  });

  test.each([{ clientSecret: 'not-the-secret' }, { clientId: 'not-an-app' }])(
    'does not treat a wrong app as an ended consent: %o',
    async (wrong) => {
      await using lab = await startTestLab();
      const api = await connectInLab(lab, withings);
      const app: App = { ...appInLab(lab, withings), ...wrong };
      const refusal = withings.oauth.refresh!(openAppApi(lab, withings, app), api.tokens);
      await expect(refusal).rejects.toMatchObject({ kind: 'refused' });
    },
  );

  test.each([
    [601, 'limited'],
    [522, 'unavailable'],
    [277, 'forbidden'],
  ])('does not treat status %i as an ended consent', async (status, kind) => {
    await using lab = await startTestLab();
    const { tokens } = await connectInLab(lab, withings);
    const api = openAppApi(lab, withings);
    const send: typeof api.send = async (call) => {
      if (call.form?.['action'] !== 'requesttoken') return api.send(call);
      throw withings.failureOf({ status: 200, headers: {}, body: JSON.stringify({ status }) }, api.now());
    };
    await expect(withings.oauth.refresh!({ ...api, send }, tokens)).rejects.toMatchObject({ kind });
  });

  test('does not treat a broken server as an ended consent', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    const app = { ...appInLab(lab, withings), hosts: { api: 'http://127.0.0.1:1', account: '' } };
    const failure = withings.oauth.refresh!(openAppApi(lab, withings, app), api.tokens);
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test('rejects an expired code', async () => {
  await using lab = await startTestLab();
  const authorization = { code: 'x', redirectUri: '', verifier: '', returned: new URLSearchParams() };
  await expect(withings.oauth.redeem(openAppApi(lab, withings), authorization)).rejects.toMatchObject({
    kind: 'refused',
  });
});

describe('revoking', () => {
  test('ends the consent, and can be repeated', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    await withings.oauth.revoke!(api);
    expect(lab.grants('withings')[0]!.revoked).toBe(true);
    await withings.oauth.revoke!(api);
  });

  test('reports an app without permission', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    const wrong = { ...api, app: { ...api.app, clientSecret: 'not-the-secret' } };
    await expect(withings.oauth.revoke!(wrong)).rejects.toMatchObject({ kind: 'refused' });
    expect(lab.grants('withings')[0]!.revoked).toBe(false);
  });
});

describe('reading', () => {
  test('waits a minute when the limit is exhausted', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    lab.faults.on({ kind: 'limited', rate: 1, provider: 'withings' });
    await expect(readAll(withings, 'activity', api, lastWeek)).rejects.toMatchObject({
      kind: 'limited',
      retryAtMs: lab.clock.now() + 60_000,
    });
  });

  test.each(['error', 'truncated'] as const)('fails temporarily for a broken server: %s', async (kind) => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings);
    lab.faults.on({ kind, rate: 1, provider: 'withings' });
    await expect(readAll(withings, 'sleep', api, lastWeek)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('forbids streams without a scope, and reads the rest', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, withings, 'ada', { scopes: ['user.activity'] });
    expect(api.scopes).toEqual(['user.activity']);
    await expect(readAll(withings, 'measures', api, lastWeek)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await readAll(withings, 'activity', api, lastWeek)).not.toEqual([]);
  });
});
