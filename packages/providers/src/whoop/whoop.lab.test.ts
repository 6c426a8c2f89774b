import type { Lab, PushRecord, Sleep } from '@tributary/lab';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, PushRequest, UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { whoop } from './index.ts';

const dayMs = 86_400_000;
const redirectUris = ['https://tributary.test/connect/callback'];

function mapDocuments(stream: string, documents: Documents): BatchBuilder['lists'] {
  const batch = new BatchBuilder();
  streamOf(stream).map(documents, batch);
  return batch.lists;
}

function streamOf(name: string) {
  return whoop.streams.find((one) => one.name === name)!;
}

function spanBefore(lab: Lab, days: number) {
  return { fromMs: lab.clock.now() - days * dayMs, toMs: lab.clock.now() };
}

function datesBefore(lab: Lab, days: number): string[] {
  return Array.from({ length: days }, (_, back) =>
    new Date(lab.clock.now() - (back + 1) * dayMs).toISOString().slice(0, 10),
  );
}

async function readAndMap(
  lab: Lab,
  api: UserApi,
  stream: string,
  days: number,
): Promise<BatchBuilder['lists']> {
  return mapDocuments(stream, await readAll(whoop, stream, api, spanBefore(lab, days)));
}

/** Minutes in stages of the ground truth, as a sleep reports them. */
function minutesOf({ stages, start, end }: Sleep): Record<string, number> {
  const sums: Record<string, number> = { awake: 0, light: 0, deep: 0, rem: 0 };
  for (const { stage, start: from, end: to } of stages) sums[stage]! += (to - from) / 60_000;
  return { in_bed: (end - start) / 60_000, ...sums };
}

const iso = (ms: number) => new Date(ms).toISOString();

describe('reading', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startTestLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());
  // Starts a new minute with another hundred calls.
  beforeEach(() => lab.clock.advance(60_000));

  test.each(['ada', 'gita'])('matches the ground truth for sleeps and recoveries of %s', async (person) => {
    const api = await connectInLab(lab, whoop, person);
    const { sleep, records, deletions } = await readAndMap(lab, api, 'sleep', 6);
    const days = datesBefore(lab, 5).map((date) => lab.truth(person, date));
    for (const truth of days.flatMap(({ sleeps }) => sleeps)) {
      const session = sleep.find(({ start }) => start === iso(truth.start));
      expect(session).toMatchObject({ end: iso(truth.end), minutes: minutesOf(truth) });
      expect(session?.vitals).toMatchObject({ sleep_respiratory_rate: truth.respiratoryRate });
    }
    for (const { sleeps, restingHeartRate, hrvRmssd } of days) {
      const wokeAt = iso(sleeps.find(({ isMain }) => isMain)!.end);
      const values = Object.fromEntries(
        records.filter(({ start }) => start === wokeAt).map(({ metric, value }) => [metric, value]),
      );
      expect(values).toMatchObject({
        resting_heart_rate: restingHeartRate,
        heart_rate_variability_rmssd: hrvRmssd,
      });
      expect(values['device_readiness_score']).toBeGreaterThan(0);
    }
    expect(deletions).toEqual([]);
  });

  test('maps measurements of newer hardware to the sleep', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const { sleep } = await readAndMap(lab, api, 'sleep', 4);
    const night = lab.truth('ada', '2026-11-14').sleeps.find(({ isMain }) => isMain)!;
    expect(sleep.find(({ start }) => start === iso(night.start))?.vitals).toMatchObject({
      sleep_blood_oxygen: night.bloodOxygenPercent,
      sleep_skin_temperature: night.skinTemperatureC,
    });
  });

  test('reads long spans to the last page', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const { sleep, records } = await readAndMap(lab, api, 'sleep', 60);
    const truth = datesBefore(lab, 60).flatMap((date) => lab.truth('ada', date).sleeps);
    const starts = new Set(sleep.map(({ start }) => start));
    expect(truth.filter(({ start }) => !starts.has(iso(start)))).toEqual([]);
    expect(records.filter(({ metric }) => metric === 'resting_heart_rate').length).toBeGreaterThanOrEqual(60);
  });

  test('includes a sleep that began the evening before in a span of this morning', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const span = { fromMs: lab.clock.now() - 3_600_000, toMs: lab.clock.now() };
    const cycles = mapDocuments('cycle', await readAll(whoop, 'cycle', api, span));
    expect(cycles.daily.map(({ date }) => date)).toContain('2026-11-15');
    const { sleep } = mapDocuments('sleep', await readAll(whoop, 'sleep', api, span));
    const night = lab.truth('ada', '2026-11-15').sleeps.find(({ isMain }) => isMain)!;
    expect(sleep.map(({ end }) => end)).toContain(iso(night.end));
  });

  test('costs five calls per poll', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const before = lab.counts('whoop').requests;
    for (const stream of whoop.streams)
      if (stream.kind === 'listed')
        await readAll(whoop, stream.name, api, spanBefore(lab, stream.trailingDays));
    expect(lab.counts('whoop').requests - before).toBe(5);
  });

  test.each(['ada', 'ben', 'chen', 'dara', 'eve', 'finn', 'gita', 'hana'])(
    'dates cycles of %s by the day of waking up',
    async (person) => {
      const api = await connectInLab(lab, whoop, person);
      const { daily } = await readAndMap(lab, api, 'cycle', 40);
      for (const date of datesBefore(lab, 30).slice(1)) {
        const { activeKcal, basalKcal } = lab.truth(person, date);
        const energies = daily.filter((one) => one.date === date && one.metric === 'total_energy');
        expect(energies, date).toHaveLength(1);
        expect(energies[0]?.value, date).toBeCloseTo(activeKcal + basalKcal, 6);
      }
    },
  );

  test('matches the ground truth for workouts', async () => {
    const api = await connectInLab(lab, whoop, 'gita');
    const { workouts } = await readAndMap(lab, api, 'workout', 15);
    const truth = datesBefore(lab, 14).flatMap((date) => lab.truth('gita', date).workouts);
    expect(truth.length).toBeGreaterThan(3);
    for (const one of truth) {
      const mappedWorkout = workouts.find(({ start }) => start === iso(one.start));
      expect(mappedWorkout).toMatchObject({ end: iso(one.end), utc_offset: '+05:45' });
      // A few are never scored.
      if (Object.keys(mappedWorkout?.values ?? {}).length === 0) continue;
      expect(mappedWorkout?.values).toMatchObject({
        heart_rate_avg: one.averageHeartRate,
        heart_rate_max: one.maxHeartRate,
        ...(one.distanceM !== null && { distance: one.distanceM / 1000 }),
        ...(one.elevationGainM !== null && { elevation_gain: one.elevationGainM }),
      });
      expect(mappedWorkout?.values?.['active_calories']).toBeCloseTo(one.activeKcal, 6);
    }
  });

  test('maps the body to today and to no past day', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const { records } = await readAndMap(lab, api, 'body', 1);
    expect(records.map(({ metric, start }) => [metric, start])).toEqual([
      ['height', '2026-11-15T00:00:00.000Z'],
      ['weight', '2026-11-15T00:00:00.000Z'],
    ]);
    expect(records[0]?.value).toBeGreaterThan(100);
    const past = { fromMs: lab.clock.now() - 90 * dayMs, toMs: lab.clock.now() - 30 * dayMs };
    expect(await readAll(whoop, 'body', api, past)).toEqual([]);
  });

  test('matches the ground truth for the heart rate of a sleep', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const night = lab.truth('ada', '2026-11-14').sleeps.find(({ isMain }) => isMain)!;
    const { sleep } = await readAndMap(lab, api, 'sleep', 4);
    const { id } = sleep.find(({ start }) => start === iso(night.start))!;
    const { series } = mapDocuments('sleep_heart_rate', await streamOf('sleep_heart_rate').readOne!(api, id));
    expect(series).toHaveLength(1);
    expect(series[0]?.values).toEqual(night.heartRate.map(({ value }) => value));
    expect(series[0]?.start).toBe(iso(night.heartRate[0]!.at));
  });

  test('requests no recovery for a nap', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    const naps = datesBefore(lab, 30).flatMap((date) =>
      lab.truth('ada', date).sleeps.filter(({ isMain }) => !isMain),
    );
    const { sleep } = await readAndMap(lab, api, 'sleep', 31);
    const { id } = sleep.find(({ start }) => start === iso(naps[0]!.start))!;
    const before = lab.counts('whoop').requests;
    expect(await streamOf('sleep').readOne!(api, id)).toMatchObject([{ sleep: { id }, recovery: null }]);
    expect(lab.counts('whoop').requests - before).toBe(1);
  });

  test('maps sleeps without recoveries if those are not granted', async () => {
    const scopes = whoop.oauth.scopes.filter((scope) => scope !== 'read:recovery');
    const api = await connectInLab(lab, whoop, 'ada', { scopes });
    for (const [known, calls] of [
      [api, 1],
      [{ ...api, scopes: null }, 2],
    ] as const) {
      const before = lab.counts('whoop').requests;
      const { sleep, records, deletions } = await readAndMap(lab, known, 'sleep', 3);
      expect(sleep.length).toBeGreaterThan(2);
      expect({ records, deletions }).toEqual({ records: [], deletions: [] });
      expect(lab.counts('whoop').requests - before).toBe(calls);
    }
  });

  test('forbids streams without a scope, and reads the rest', async () => {
    const scopes = whoop.oauth.scopes.filter((scope) => scope !== 'read:workout');
    const api = await connectInLab(lab, whoop, 'ada', { scopes });
    await expect(readAndMap(lab, api, 'workout', 3)).rejects.toMatchObject({ kind: 'forbidden' });
    expect((await readAndMap(lab, api, 'cycle', 3)).daily.length).toBeGreaterThan(0);
  });

  test('reports a missing document as gone', async () => {
    const api = await connectInLab(lab, whoop, 'ada');
    for (const name of ['sleep', 'workout', 'sleep_heart_rate'])
      expect(await streamOf(name).readOne!(api, 'no/such/id')).toEqual([]);
  });
});

test('keeps the real length of a night with a clock change', async () => {
  await using lab = await startTestLab({ startAt: Date.parse('2026-09-08T12:00:00Z') });
  const api = await connectInLab(lab, whoop, 'hana');
  const night = lab.truth('hana', '2026-09-06').sleeps.find(({ isMain }) => isMain)!;
  const { sleep } = await readAndMap(lab, api, 'sleep', 4);
  const session = sleep.find(({ start }) => start === iso(night.start));
  expect(session).toMatchObject({ end: iso(night.end), utc_offset: '-03:00', minutes: minutesOf(night) });
  const { daily } = await readAndMap(lab, api, 'cycle', 4);
  expect(daily.filter(({ metric }) => metric === 'device_strain').map(({ date }) => date)).toEqual(
    expect.arrayContaining(['2026-09-05', '2026-09-06', '2026-09-07']),
  );
});

describe('tokens and errors', () => {
  test('returns a new pair on refresh and keeps the granted scopes', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    const app = openAppApi(lab, whoop);
    expect(api.tokens.expiresAtMs).toBe(lab.clock.now() + 3_600_000);
    const next = await whoop.oauth.refresh!(app, api.tokens);
    expect(next.refreshToken).not.toBe(api.tokens.refreshToken);
    expect(next.scopes).toEqual(expect.arrayContaining(['read:sleep', 'offline']));
    const again = await whoop.oauth.refresh!(app, next);
    expect(again.accessToken).not.toBe(next.accessToken);
    await expect(whoop.oauth.refresh!(app, next)).rejects.toMatchObject({ kind: 'consent_ended' });
  });

  test('reports a revoked consent on refresh, and an invalid token on data', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    lab.revoke(lab.grants('whoop')[0]!.id);
    await expect(readAndMap(lab, api, 'cycle', 1)).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(whoop.oauth.refresh!(openAppApi(lab, whoop), api.tokens)).rejects.toMatchObject({
      kind: 'consent_ended',
    });
  });

  test('rejects an unknown app regardless of the token', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    const stranger = openAppApi(lab, whoop, { ...appInLab(lab, whoop), clientSecret: 'wrong' });
    await expect(whoop.oauth.refresh!(stranger, api.tokens)).rejects.toMatchObject({ kind: 'refused' });
  });

  test.each([
    [503, '<html></html>', 'unavailable'],
    [200, '{"access_to', 'unavailable'],
    [200, '{}', 'unavailable'],
    [429, '', 'limited'],
    [400, '{"error":"invalid_request"}', 'refused'],
    [400, '{"error":"invalid_grant"}', 'consent_ended'],
  ])('a token endpoint that returns %i %s: %s', async (status, body, kind) => {
    const app = { clientId: 'a', clientSecret: 'b', hosts: whoop.hosts, settings: {} };
    const response = { status, headers: {}, body };
    const send = () => {
      const failure = whoop.failureOf(response, 0);
      return failure ? Promise.reject(failure) : Promise.resolve(response);
    };
    const tokens = { accessToken: 'c', refreshToken: 'd', expiresAtMs: null, scopes: null };
    const refreshed = whoop.oauth.refresh!({ app, now: () => 0, send }, tokens);
    await expect(refreshed).rejects.toMatchObject({ kind });
  });

  test('revokes the consent, and can be repeated', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    await whoop.oauth.revoke!(api);
    await whoop.oauth.revoke!(api);
    expect(lab.grants('whoop')[0]?.revoked).toBe(true);
  });

  test('reports a broken server and truncated responses as unavailable', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    for (const kind of ['error', 'truncated'] as const) {
      const { id } = lab.faults.on({ kind, rate: 1 });
      await expect(readAndMap(lab, api, 'sleep', 3)).rejects.toMatchObject({ kind: 'unavailable' });
      lab.faults.off(id);
    }
  });

  test("reports WHOOP's retry time after too many calls", async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, whoop);
    await lab.clock.advance(20_000);
    lab.faults.on({ kind: 'limited', rate: 1 });
    const failure = await readAndMap(lab, api, 'sleep', 3).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'limited', retryAtMs: lab.clock.now() + 40_000 });
    expect(whoop.failureOf({ status: 429, headers: {}, body: '' }, 1000)?.retryAtMs).toBe(61_000);
  });
});

describe('pushes', () => {
  const requestOf = ({ push }: PushRecord, atMs: number): PushRequest => ({
    method: push.method,
    query: new URLSearchParams(),
    headers: Object.fromEntries(
      Object.entries({ ...push.headers, ...push.sign?.(atMs) }).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    ),
    body: Buffer.from(push.body ?? ''),
  });
  const startPushedLab = () =>
    startTestLab({ apps: [{ redirectUris, pushUrls: { whoop: 'http://127.0.0.1:9/' } }] });

  test('are accepted only if authentic', async () => {
    await using lab = await startPushedLab();
    await connectInLab(lab, whoop);
    await lab.clock.advance(dayMs);
    const [record] = lab.pushes.list();
    const api = openAppApi(lab, whoop);
    const genuine = requestOf(record!, lab.clock.now());
    const respond = (request: PushRequest) => whoop.push!.respond(request, { api, state: {} });
    expect(await respond(genuine)).toEqual({ status: 204, keep: true });
    const late = requestOf(record!, lab.clock.now() - 301_000);
    const others: PushRequest[] = [
      { ...genuine, body: Buffer.from(`${genuine.body.toString()} `) },
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...genuine.headers, 'x-whoop-signature': 'AAAA' } },
      {
        ...genuine,
        headers: { ...genuine.headers, 'x-whoop-signature-timestamp': String(lab.clock.now() + 1) },
      },
      late,
    ];
    for (const other of others) expect(await respond(other)).toEqual({ status: 401, keep: false });
    const stranger = openAppApi(lab, whoop, { ...appInLab(lab, whoop), clientSecret: 'another' });
    expect(await whoop.push!.respond(genuine, { api: stranger, state: {} })).toMatchObject({ keep: false });
  });

  test('lead to documents', async () => {
    await using lab = await startPushedLab();
    const api = await connectInLab(lab, whoop);
    await lab.clock.advance(3 * dayMs);
    const fresh = openUserApi(
      lab,
      whoop,
      api.app,
      await whoop.oauth.refresh!(openAppApi(lab, whoop), api.tokens),
    );
    const notices = lab.pushes.list().flatMap(({ push }) => whoop.push!.notices(push.body ?? '', {}));
    const streams = new Set<string>();
    for (const notice of notices) {
      expect(notice.userId).toBe(api.userId);
      if (notice.kind !== 'document') throw new Error(`unexpected ${notice.kind}`);
      streams.add(notice.stream);
      const documents = await streamOf(notice.stream).readOne!(fresh, notice.id);
      expect(documents).toHaveLength(1);
      if (notice.stream === 'sleep')
        expect(mapDocuments('sleep', documents).sleep).toMatchObject([{ id: notice.id }]);
    }
    expect([...streams].sort()).toEqual(['sleep', 'sleep_heart_rate', 'workout']);
    const truth = lab.truth('ada', '2026-11-16').sleeps.find(({ isMain }) => isMain)!;
    const read = await readAll(whoop, 'sleep', fresh, spanBefore(lab, 3));
    const night = mapDocuments('sleep', read).sleep.find(({ start }) => start === iso(truth.start))!;
    const one = await streamOf('sleep').readOne!(fresh, night.id);
    expect(read).toContainEqual(one[0]);
  });

  test('delete what users delete', async () => {
    await using lab = await startPushedLab();
    lab.faults.on({ kind: 'revised', rate: 1 });
    for (const person of ['ada', 'ben']) await connectInLab(lab, whoop, person);
    await lab.clock.advance(9 * dayMs);
    const notices = lab.pushes.list().flatMap(({ push }) => whoop.push!.notices(push.body ?? '', {}));
    const deleted = notices.filter(({ kind }) => kind === 'deleted');
    expect(deleted.length).toBeGreaterThan(0);
    for (const notice of deleted) {
      if (notice.kind !== 'deleted') continue;
      expect(streamOf(notice.stream).deletes).toContain(notice.stream);
    }
  });

  test.each(['', '[]', 'null', '{"user_id":1}', '{"user_id":1,"id":"x","type":"constructor"}', '{"type":'])(
    'ignore unknown content: %s',
    (body) => {
      expect(whoop.push!.notices(body, {})).toEqual([]);
    },
  );

  test.each([
    ['sleep.updated', ['document sleep', 'document sleep_heart_rate']],
    ['sleep.deleted', ['deleted sleep']],
    ['recovery.updated', ['document sleep']],
    // The sleep is read again, and shows that its recovery is gone.
    ['recovery.deleted', ['document sleep']],
    ['workout.updated', ['document workout']],
    ['workout.deleted', ['deleted workout']],
    ['sleep.dreamt', []],
  ])('%s leads to %s', (type, wanted) => {
    const body = JSON.stringify({ user_id: 5, id: 'x', type, trace_id: 't' });
    const notices = whoop.push!.notices(body, {});
    expect(notices).toMatchObject(wanted.map(() => ({ userId: '5', id: 'x' })));
    expect(notices.map((one) => `${one.kind} ${'stream' in one ? one.stream : ''}`)).toEqual(wanted);
  });
});
