import type { Day, Lab } from '@tributary/lab';
import { describe, expect, test, vi } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { App, Span, UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { dexcom } from './index.ts';

// Reading weeks of simulated data over HTTP takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const dayMs = 86_400_000;
const lastWeek = { fromMs: Date.parse('2026-11-05T00:00:00Z'), toMs: Date.parse('2026-11-10T00:00:00Z') };

describe.each([
  // Clocks change on November 1.
  ['ben', '2026-10-30', 'mg/dL', ['-04:00', '-05:00']],
  ['finn', '2026-11-05', 'mmol/L', ['+05:30']],
])('%s', (person, first, unit, offsets) => {
  test('matches the ground truth', async () => {
    await using lab = await startTestLab();
    const days = Array.from({ length: 5 }, (_, at) => lab.truth(person, plusDays(first, at)));
    const span = { fromMs: days[0]!.start, toMs: days.at(-1)!.end };
    const api = await connectInLab(lab, dexcom, person);
    const { series } = (await readAndMap(api, 'egvs', span)).lists;
    expect(new Set(series.map((one) => one.unit))).toEqual(new Set([unit]));
    expect([...new Set(series.map((one) => one.utc_offset))].sort()).toEqual(offsets);
    const points = pointsOf(series);
    const truths = days.flatMap(({ glucose }) => glucose);
    expect(points.size).toBe(truths.length);
    for (const { at, value } of truths) {
      const clampedValue = Math.min(400, Math.max(40, value));
      expect(points.get(at)).toBe(
        unit === 'mg/dL' ? clampedValue : Math.round((10 * clampedValue) / 18.018) / 10,
      );
    }
    const { records } = (await readAndMap(api, 'events', span)).lists;
    const exercise = records.filter(({ metric }) => metric === 'exercise');
    expect(exercise.map(({ start, value }) => [Date.parse(start), value]).sort()).toEqual(
      workoutsOf(days)
        .map(({ start, end }) => [start, (end - start) / 60_000])
        .sort(),
    );
    const breakfasts = records.filter(({ metric }) => metric === 'carbohydrates');
    expect(breakfasts).toHaveLength(days.length);
  });
});

test('fills gaps within the two days that are read again', async () => {
  // The signal was lost, so hours of the previous day are missing at this time.
  await using lab = await startTestLab({ startAt: Date.parse('2026-11-08T12:00:00Z') });
  const listed = dexcom.streams.filter((stream) => stream.kind === 'listed');
  const { trailingDays } = listed.find(({ name }) => name === 'egvs')!;
  const now = lab.clock.now();
  const span = { fromMs: now - trailingDays * dayMs, toMs: now - 4 * 3_600_000 };
  const before = pointsOf(
    (await readAndMap(await connectInLab(lab, dexcom, 'finn'), 'egvs', span)).lists.series,
  );
  await lab.clock.advance(dayMs);
  const after = pointsOf(
    (await readAndMap(await connectInLab(lab, dexcom, 'finn'), 'egvs', span)).lists.series,
  );
  expect([...before].every(([at, value]) => after.get(at) === value)).toBe(true);
  expect(before.size).toBe((44 * 60) / 5 - 36);
  expect(after.size).toBe((44 * 60) / 5);
});

test('reads a long span in allowed pieces, without gaps', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, dexcom, 'ben');
  const toMs = Date.parse('2026-11-10T00:00:00.777Z');
  const span = { fromMs: toMs - 31 * dayMs, toMs };
  const points = pointsOf((await readAndMap(api, 'egvs', span)).lists.series);
  expect(points.size).toBe((31 * dayMs) / 300_000);
});

test('deletes entries that were deleted at the provider', async () => {
  await using lab = await startTestLab({ faults: [{ kind: 'revised', rate: 1 }] });
  const api = await connectInLab(lab, dexcom, 'ben');
  const span = { fromMs: lab.clock.now() - 60 * dayMs, toMs: lab.clock.now() - 20 * dayMs };
  const { records, deletions } = (await readAndMap(api, 'events', span)).lists;
  const recordIds = new Set(records.map(({ id }) => id));
  expect(deletions.length).toBeGreaterThan(0);
  expect(deletions.filter(({ kind, id }) => kind !== 'record' || recordIds.has(id))).toEqual([]);
});

test('connects a user without a sensor, who has no data', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, dexcom, 'ada');
  expect(api.userId).not.toBe('');
  expect(await readAll(dexcom, 'egvs', api, lastWeek)).toEqual([]);
});

describe('refreshing', () => {
  test('returns new tokens each time', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben');
    expect(api.tokens.expiresAtMs).toBe(lab.clock.now() + 7_200_000);
    await lab.clock.advance(7_200_000);
    await expect(readAll(dexcom, 'egvs', api, lastWeek)).rejects.toMatchObject({ kind: 'unauthorized' });
    const first = await dexcom.oauth.refresh!(openAppApi(lab, dexcom), api.tokens);
    const second = await dexcom.oauth.refresh!(openAppApi(lab, dexcom), first);
    const again = openUserApi(lab, dexcom, appInLab(lab, dexcom), second);
    expect(await readAll(dexcom, 'egvs', again, lastWeek)).not.toEqual([]);
    // The previous refresh token is no longer valid.
    await expect(dexcom.oauth.refresh!(openAppApi(lab, dexcom), first)).rejects.toMatchObject({
      kind: 'consent_ended',
    });
  });

  test('sends the redirect URI, as Dexcom requires', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben');
    const forms: unknown[] = [];
    const { send } = openAppApi(lab, dexcom);
    const watched = {
      ...api,
      send: (call: Parameters<typeof send>[0]) => {
        forms.push(call.form);
        return send(call);
      },
    };
    await dexcom.oauth.refresh!(watched, api.tokens);
    expect(forms).toMatchObject([
      { grant_type: 'refresh_token', redirect_uri: lab.apps[0]!.redirectUris[0] },
    ]);
  });

  test('detects that the consent has ended', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben');
    lab.revoke(lab.grants('dexcom')[0]!.id);
    await expect(readAll(dexcom, 'egvs', api, lastWeek)).rejects.toMatchObject({ kind: 'unauthorized' });
    const refusal = dexcom.oauth.refresh!(openAppApi(lab, dexcom), api.tokens);
    await expect(refusal).rejects.toMatchObject({ kind: 'consent_ended' });
  });

  test('treats neither a wrong secret nor an unavailable server as an ended consent', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben');
    const app: App = appInLab(lab, dexcom);
    const wrong = openAppApi(lab, dexcom, { ...app, clientSecret: 'not-the-secret' });
    await expect(dexcom.oauth.refresh!(wrong, api.tokens)).rejects.toMatchObject({ kind: 'refused' });
    const away = openAppApi(lab, dexcom, { ...app, hosts: { api: 'http://127.0.0.1:1' } });
    await expect(dexcom.oauth.refresh!(away, api.tokens)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is not possible without its scope, while reading is', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben', { scopes: [] });
    expect(api.tokens.refreshToken).toBeNull();
    expect(await readAll(dexcom, 'egvs', api, lastWeek)).not.toEqual([]);
    const refusal = dexcom.oauth.refresh!(openAppApi(lab, dexcom), api.tokens);
    await expect(refusal).rejects.toMatchObject({ kind: 'consent_ended' });
  });
});

describe('reading', () => {
  test.each([
    ['limited', 'limited'],
    ['error', 'unavailable'],
    ['truncated', 'unavailable'],
  ] as const)('fails temporarily for %s', async (fault, kind) => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, dexcom, 'ben');
    lab.faults.on({ kind: fault, rate: 1, provider: 'dexcom' });
    const retryAtMs = kind === 'limited' ? lab.clock.now() + 600_000 : null;
    await expect(readAll(dexcom, 'egvs', api, lastWeek)).rejects.toMatchObject({ kind, retryAtMs });
  });
});

test.each([
  [undefined, 'https://api.dexcom.com/'],
  ['us', 'https://api.dexcom.com/'],
  ['eu', 'https://api.dexcom.eu/'],
  ['jp', 'https://api.dexcom.jp/'],
  ['sandbox', 'https://sandbox-api.dexcom.com/'],
])('sends users of region %s to %s for consent', (region, origin) => {
  const settings: Record<string, string> = region === undefined ? {} : { region };
  const app = { clientId: 'a', clientSecret: 'b', hosts: dexcom.hosts, settings };
  const request = { redirectUri: 'https://x.test/', state: 's', challenge: '' };
  expect(dexcom.oauth.authorizeUrl(app, request)).toContain(`${origin}v2/oauth2/login?`);
});

async function readAndMap(api: UserApi, name: string, span: Span): Promise<BatchBuilder> {
  const batch = new BatchBuilder();
  dexcom.streams.find((one) => one.name === name)!.map(await readAll(dexcom, name, api, span), batch);
  return batch;
}

function pointsOf(series: BatchBuilder['lists']['series']): Map<number, number> {
  return new Map(
    series.flatMap(({ start, offsets_seconds: offsets = [], values }) =>
      offsets.map((seconds, at): [number, number] => [Date.parse(start) + seconds * 1000, values[at]!]),
    ),
  );
}

function workoutsOf(days: readonly Day[]): ReturnType<Lab['truth']>['workouts'] {
  return days.flatMap(({ workouts }) => workouts);
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}
