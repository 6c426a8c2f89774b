import { expect, test } from 'vitest';
import type { FaultSwitch } from './faults.ts';
import { startLab } from '../lab.ts';
import { fetchMe, connect, renew } from '../test/tiny-client.ts';
import { tinyProvider } from '../test/tiny-provider.ts';

const startAt = Date.parse('2026-05-01T12:00:00Z');
const start = (...faults: FaultSwitch[]) => startLab({ startAt, providers: [tinyProvider()], faults });

test('works without faults, up to the limits of the provider', async () => {
  await using lab = await start();
  const tokens = await connect(lab);
  for (let n = 0; n < 5; n += 1) expect((await fetchMe(lab, tokens)).status).toBe(200);
  const refused = await fetchMe(lab, tokens);
  expect([refused.status, refused.headers.get('x-reset')]).toEqual([429, String(startAt + 60_000)]);
  expect(lab.counts('tiny')).toMatchObject({ exceeded: { '5/60s/user': 1 }, faults: {} });
});

test('error: a gateway responds instead, and tokens are still issued', async () => {
  await using lab = await start({ kind: 'error', rate: 1 });
  const tokens = await connect(lab);
  const response = await fetchMe(lab, tokens);
  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html']);
  expect((await renew(lab, tokens)).error).toBeUndefined();
  expect(lab.counts('tiny').faults).toEqual({ error: 1 });
});

test("error: uses the provider's own error response", async () => {
  const broken = {
    ...tinyProvider(),
    broken: (reply: Parameters<NonNullable<ReturnType<typeof tinyProvider>['broken']>>[0]) =>
      reply.code(500).send({ oh: 'no' }),
  };
  await using lab = await startLab({ startAt, providers: [broken], faults: [{ kind: 'error', rate: 1 }] });
  const response = await fetchMe(lab, await connect(lab));
  expect([response.status, await response.json()]).toEqual([500, { oh: 'no' }]);
});

test('limited: uses the provider’s own error, and no limit is exceeded', async () => {
  await using lab = await start({ kind: 'limited', rate: 1, person: 'ada' });
  const [ada, chen] = [await connect(lab, 'ada'), await connect(lab, 'chen')];
  const response = await fetchMe(lab, ada);
  expect([response.status, response.headers.get('x-reset')]).toEqual([429, String(startAt + 60_000)]);
  expect((await fetchMe(lab, chen)).status).toBe(200);
  expect(lab.counts('tiny')).toMatchObject({ exceeded: {}, faults: { limited: 1 } });
});

test('slow: delays the response', async () => {
  await using lab = await start({ kind: 'slow', rate: 1, delayMs: 150 });
  const tokens = await connect(lab);
  const begin = performance.now();
  expect((await fetchMe(lab, tokens)).status).toBe(200);
  expect(performance.now() - begin).toBeGreaterThan(145);
});

test('truncated: ends the response in the middle, and the client notices', async () => {
  await using lab = await start({ kind: 'truncated', rate: 1 });
  const response = await fetchMe(lab, await connect(lab));
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
});

test('consent revoked: fails the next request, and connecting again helps', async () => {
  await using lab = await start();
  const tokens = await connect(lab);
  lab.faults.on({ kind: 'consent_revoked', rate: 1, provider: 'tiny' });
  expect((await fetchMe(lab, tokens)).status).toBe(401);
  expect((await renew(lab, tokens)).error).toBe('invalid_grant');
  lab.faults.off();
  expect((await fetchMe(lab, await connect(lab))).status).toBe(200);
  expect(lab.counts('tiny').revokedGrants).toBe(1);
});

test('applies at the given rate, to the same requests in the same lab, and not outside its scope', async () => {
  const statuses = async (seed: number, fault: Partial<FaultSwitch> = {}) => {
    await using lab = await startLab({
      startAt,
      seed,
      providers: [tinyProvider()],
      faults: [{ kind: 'error', rate: 0.4, ...fault }],
    });
    const tokens = await connect(lab);
    const seen: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      await lab.clock.advance(3_600_000 / 61);
      seen.push((await fetchMe(lab, tokens)).status);
    }
    return seen;
  };
  const first = await statuses(1);
  expect(first).toEqual(await statuses(1));
  expect(first).not.toEqual(await statuses(2));
  const struck = first.filter((status) => status === 503).length;
  expect(struck > 12 && struck < 36, `${struck}`).toBe(true);
  expect(await statuses(1, { provider: 'other' })).not.toContain(503);
  expect(await statuses(1, { person: 'ben' })).not.toContain(503);
});
