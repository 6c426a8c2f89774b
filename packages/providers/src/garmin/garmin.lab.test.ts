import type { Day, Lab, StartLabOptions } from '@tributary/lab';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, startTestLab } from '../test/lab-api.ts';
import { garmin } from './index.ts';
import { streams } from './streams.ts';
import { gather, openIntake, waitForPushes, type Intake } from './test-intake.ts';

// Generating days for several people takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const dayMs = 86_400_000;
const permissions = garmin.oauth.scopes;

/** A lab that pushes to the test intake. */
async function startGarmin(
  options: StartLabOptions = {},
): Promise<{ lab: Lab; intake: Intake } & AsyncDisposable> {
  const intake = await openIntake();
  const lab = await startTestLab({ apps: [{ pushUrls: { garmin: intake.url } }], ...options });
  intake.api = openAppApi(lab, garmin);
  const dispose = async () => {
    await lab[Symbol.asyncDispose]();
    await intake[Symbol.asyncDispose]();
  };
  return { lab, intake, [Symbol.asyncDispose]: dispose };
}

/** Requests the history of every stream, as the service does after a connection. */
async function requestAllHistory(api: UserApi, days: number): Promise<void> {
  const span = { fromMs: api.now() - days * dayMs, toMs: api.now() };
  for (const { requestHistory } of streams) await requestHistory?.(api, span);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const failing = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error);

describe.each([
  // Clocks go back on the 25th.
  { person: 'ada', now: '2026-10-27T12:00:00Z', dates: ['2026-10-24', '2026-10-25', '2026-10-26'] },
  { person: 'gita', now: '2026-11-15T12:00:00Z', dates: ['2026-11-12', '2026-11-13', '2026-11-14'] },
  // The 6th begins at 01:00.
  { person: 'hana', now: '2026-09-09T12:00:00Z', dates: ['2026-09-06', '2026-09-07', '2026-09-08'] },
  // From London to New York on the 6th.
  { person: 'dara', now: '2026-11-09T12:00:00Z', dates: ['2026-11-06', '2026-11-07', '2026-11-08'] },
])('history of $person', ({ person, now, dates }) => {
  let userData: ReturnType<typeof gather>;
  let setting: Awaited<ReturnType<typeof startGarmin>>;
  let truths: Day[];
  let userId: string;
  beforeAll(async () => {
    setting = await startGarmin({ startAt: Date.parse(now) });
    const api = await connectInLab(setting.lab, garmin, person);
    await requestAllHistory(api, 4);
    await waitForPushes(setting.lab);
    userId = api.userId;
    userData = gather(setting.intake.notices, userId);
    truths = dates.map((date) => setting.lab.truth(person, date));
  });
  afterAll(() => setting[Symbol.asyncDispose]());

  test('has the daily totals', () => {
    for (const truth of truths) {
      const { low, medium, high } = truth.activeSeconds;
      const rates = truth.heartRate.map(({ value }) => Math.round(value));
      const expected = {
        steps: truth.steps,
        distance: truth.distanceM / 1000,
        floors_climbed: truth.floors,
        active_calories: truth.activeKcal,
        resting_energy: truth.basalKcal,
        active_time: (low + medium + high) / 60,
        moderate_intensity_activity: medium / 60,
        vigorous_intensity_activity: high / 60,
        resting_heart_rate: Math.round(truth.restingHeartRate),
        heart_rate_min: Math.min(...rates),
        heart_rate_max: Math.max(...rates),
        device_stress_high_time: truth.stressHighSeconds / 60,
        vo2_max: truth.vo2Max,
        sleep_heart_rate_variability: Math.round(truth.sleeps.find(({ isMain }) => isMain)!.averageHrv),
      };
      for (const [metric, value] of Object.entries(expected))
        expect(userData.dayOf(truth.date, metric), `${truth.date} ${metric}`).toBeCloseTo(value, 6);
    }
  });

  test('has the samples at their times', () => {
    for (const truth of truths) {
      const { start, end } = truth;
      const cuff = truth.bloodPressure?.at;
      expect(userData.between('heart_rate', start, end).filter(([atMs]) => atMs !== cuff)).toEqual(
        truth.heartRate.filter(({ at }) => at !== cuff).map(({ at, value }) => [at, Math.round(value)]),
      );
      expect(sum(userData.between('steps', start, end).map(([, steps]) => steps))).toBe(truth.steps);
      const hourly = truth.hourlySteps.map((_, hour) =>
        sum(
          userData
            .between('steps', start + hour * 3_600_000, start + (hour + 1) * 3_600_000)
            .map(([, steps]) => steps),
        ),
      );
      expect(hourly).toEqual(truth.hourlySteps);
      expect(sum(userData.between('active_calories', start, end).map(([, kcal]) => kcal))).toBe(
        truth.activeKcal,
      );
      expect(sum(userData.between('distance', start, end).map(([, km]) => km))).toBeCloseTo(
        truth.distanceM / 1000,
        6,
      );
      expect(new Set(userData.between('respiratory_rate', start, end).map(([, rate]) => rate))).toEqual(
        new Set([truth.respiratoryRate]),
      );
      const stress = userData.between('device_stress_level', start, end);
      expect(stress.length).toBeGreaterThan(300);
      for (const [atMs, level] of stress) {
        expect(level).toBeGreaterThan(0);
        expect(truth.workouts.some((one) => atMs >= one.start && atMs < one.end)).toBe(false);
      }
      expect(userData.between('device_energy_level', start, end).length).toBe((end - start) / 180_000);
    }
  });

  test('has nights with their stages and vitals', () => {
    for (const truth of truths) {
      const night = truth.sleeps.find(({ isMain }) => isMain)!;
      const lasted = (...stages: string[]) =>
        sum(
          night.stages
            .filter(({ stage }) => stages.includes(stage))
            .map(({ start, end }) => (end - start) / 60_000),
        );
      const sleep = userData.sleep.get(`night-${truth.date}`)!;
      expect([Date.parse(sleep.start), Date.parse(sleep.end)]).toEqual([night.start, night.end]);
      expect(sleep.minutes).toEqual({
        asleep: lasted('deep', 'light', 'rem'),
        deep: lasted('deep'),
        light: lasted('light'),
        rem: lasted('rem'),
        awake: lasted('awake'),
      });
      expect(
        sleep.stages?.map(({ stage, start, end }) => [stage, Date.parse(start), Date.parse(end)]),
      ).toEqual(night.stages.map(({ stage, start, end }) => [stage, start, end]));
      expect(sleep.vitals?.['sleep_blood_oxygen']).toBeCloseTo(night.bloodOxygenPercent, 6);
      expect(sleep.vitals?.['sleep_respiratory_rate']).toBeCloseTo(night.respiratoryRate, 6);
      expect(userData.between('heart_rate_variability_rmssd', night.start, night.end)).toEqual(
        night.hrv.map(({ at, value }) => [at, Math.round(value)]),
      );
      expect(
        userData.between('blood_oxygen', night.start, night.end).map(([, percent]) => percent),
      ).toContain(night.bloodOxygenPercent);
    }
  });

  test.each(['in order', 'in reverse order'])('has every workout once, with pushes %s', (order) => {
    const { notices } = setting.intake;
    const { workouts } = gather(order === 'in order' ? notices : notices.toReversed(), userId);
    for (const truth of truths)
      for (const workout of truth.workouts) {
        const parts = workouts.filter(
          ({ start, end }) => Date.parse(start) >= workout.start && Date.parse(end) <= workout.end,
        );
        const total = (name: string) => sum(parts.map(({ values }) => values?.[name] ?? 0));
        expect(total('active_calories')).toBe(workout.activeKcal);
        expect(total('duration')).toBeCloseTo((workout.end - workout.start) / 60_000, 6);
        expect(total('distance')).toBeCloseTo((workout.distanceM ?? 0) / 1000, 6);
        expect(total('elevation_gain')).toBe(workout.elevationGainM ?? 0);
        if (parts.length === 1)
          expect(parts[0]!.heart_rate?.values).toEqual(
            workout.heartRate.map(({ value }) => Math.round(value)),
          );
      }
  });

  test('has the measurements of scales and cuffs', () => {
    for (const { body, bloodPressure } of truths) {
      if (body) {
        const at = (metric: string) => userData.between(metric, body.at, body.at + 1)[0]?.[1];
        expect(at('weight')).toBeCloseTo(body.weightKg, 3);
        expect(at('muscle_mass')).toBeCloseTo(body.muscleKg, 3);
        expect(at('bone_mass')).toBeCloseTo(body.boneKg, 3);
        expect(at('body_fat_percentage')).toBe(body.fatPercent);
        expect(at('body_water_percentage')).toBeCloseTo((100 * body.waterKg) / body.weightKg, 1);
      }
      if (bloodPressure) {
        const { at: atMs, ...measurement } = bloodPressure;
        const at = (metric: string) => userData.between(metric, atMs, atMs + 1)[0]?.[1];
        expect(at('blood_pressure_systolic')).toBe(measurement.systolic);
        expect(at('blood_pressure_diastolic')).toBe(measurement.diastolic);
        expect(at('heart_rate')).toBe(measurement.pulse);
      }
    }
  });
});

describe('history', () => {
  test('does not fail if it was requested before', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin);
    const { requestHistory } = streams.find(({ name }) => name === 'sleeps')!;
    const span = { fromMs: api.now() - 3 * dayMs + 17, toMs: api.now() };
    await requestHistory!(api, span);
    await requestHistory!(api, span);
    await waitForPushes(setting.lab);
    expect(setting.intake.pushes).toHaveLength(1);
  });

  test('is forbidden without the permission, while everything else works', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin, 'ben', {
      scopes: ['ACTIVITY_EXPORT', 'HEALTH_EXPORT'],
    });
    expect(api.scopes).toEqual(['ACTIVITY_EXPORT', 'HEALTH_EXPORT']);
    expect(await failing(requestAllHistory(api, 3))).toMatchObject({ kind: 'forbidden' });
    await setting.lab.clock.advance(dayMs);
    expect(gather(setting.intake.notices, api.userId).sleep.size).toBeGreaterThan(0);
  });

  test('excludes data that the user does not permit', async () => {
    await using setting = await startGarmin();
    const scopes = ['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'];
    const api = await connectInLab(setting.lab, garmin, 'ada', { scopes });
    await requestAllHistory(api, 4);
    await waitForPushes(setting.lab);
    const userData = gather(setting.intake.notices, api.userId);
    expect(userData.workouts).toEqual([]);
    expect(userData.sleep.size).toBeGreaterThan(2);
  });

  test('of a night that ends awake continues until the user gets up', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin, 'hana');
    const sleeps = streams.find(({ name }) => name === 'sleeps')!;
    await sleeps.requestHistory!(api, { fromMs: api.now() - 4 * dayMs, toMs: api.now() });
    await waitForPushes(setting.lab);
    const night = setting.lab.truth('hana', '2026-11-13').sleeps.find(({ isMain }) => isMain)!;
    expect(night.stages.at(-1)!.stage).toBe('awake');
    const session = gather(setting.intake.notices, api.userId).sleep.get('night-2026-11-13')!;
    expect(Date.parse(session.end)).toBe(night.end);
  });

  test('of a multisport activity contains its parts', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin);
    await requestAllHistory(api, 6);
    await waitForPushes(setting.lab);
    const rows = setting.intake.notices.flatMap((notice) =>
      notice.kind === 'data' && notice.stream === 'activities' ? notice.documents : [],
    );
    expect(rows).toContainEqual(expect.objectContaining({ activityType: 'MULTI_SPORT', isParent: true }));
    const run = setting.lab.truth('ada', '2026-11-10').workouts.find(({ sport }) => sport === 'running');
    const workouts = gather(setting.intake.notices, api.userId).workouts.filter(
      ({ start, end }) => Date.parse(end) > run!.start && Date.parse(start) < run!.end,
    );
    expect(workouts.map(({ sport_type: sport }) => sport)).toEqual(['RUNNING', 'RUNNING']);
    expect(sum(workouts.map(({ values }) => values!['distance']!))).toBeCloseTo(run!.distanceM! / 1000, 6);
    expect(sum(workouts.map(({ values }) => values!['active_calories']!))).toBe(run!.activeKcal);
  });
});

describe('daily pushes', () => {
  let setting: Awaited<ReturnType<typeof startGarmin>>;
  const users = new Map<string, string>();
  beforeAll(async () => {
    setting = await startGarmin();
    for (const person of ['ada', 'gita', 'person-7'])
      users.set(person, (await connectInLab(setting.lab, garmin, person)).userId);
    await setting.lab.clock.advance(4 * dayMs);
  });
  afterAll(() => setting[Symbol.asyncDispose]());
  const dates = ['2026-11-16', '2026-11-17', '2026-11-18'];

  test('are all accepted, and carry several users in one call', () => {
    expect(new Set(setting.intake.pushes.map(({ status }) => status))).toEqual(new Set([200]));
    expect(setting.intake.notices.length).toBeGreaterThan(setting.intake.pushes.length);
  });

  test('grow, and finally match the ground truth', () => {
    for (const [person, userId] of users) {
      const userData = gather(setting.intake.notices, userId);
      for (const date of dates) {
        const truth = setting.lab.truth(person, date);
        expect(userData.dayOf(date, 'steps')).toBe(truth.steps);
        expect(sum(userData.between('steps', truth.start, truth.end).map(([, steps]) => steps))).toBe(
          truth.steps,
        );
      }
    }
  });

  test('contain one night per day although it was sent several times, and every nap', () => {
    let naps = 0;
    for (const [person, userId] of users) {
      const { sleep } = gather(setting.intake.notices, userId);
      for (const date of dates) {
        const truth = setting.lab.truth(person, date);
        const night = truth.sleeps.find(({ isMain }) => isMain)!;
        const rem = night.stages.filter(({ stage }) => stage === 'rem');
        expect(sleep.get(`night-${date}`)?.minutes?.rem).toBe(
          sum(rem.map(({ start, end }) => (end - start) / 60_000)),
        );
        const others = truth.sleeps.filter(({ isMain }) => !isMain);
        naps += others.length;
        others.forEach((nap, at) => {
          const session = sleep.get(`nap-${date}-${at + 1}`)!;
          expect([Date.parse(session.start), Date.parse(session.end)]).toEqual([nap.start, nap.end]);
        });
        expect(sleep.has(`nap-${date}-${others.length + 1}`)).toBe(false);
      }
    }
    expect(naps).toBeGreaterThan(0);
  });

  test('replace earlier data with manual edits', async () => {
    await using revised = await startGarmin({ faults: [{ kind: 'revised', rate: 1 }] });
    const { userId } = await connectInLab(revised.lab, garmin);
    await revised.lab.clock.advance(6 * dayMs);
    const userData = gather(revised.intake.notices, userId);
    const truth = revised.lab.truth('ada', '2026-11-17');
    const night = userData.sleep.get('night-2026-11-17')!;
    expect(Date.parse(night.start)).toBeGreaterThan(truth.sleeps.find(({ isMain }) => isMain)!.start);
    expect(userData.dayOf('2026-11-17', 'steps')).toBeGreaterThan(truth.steps);
    const workouts = ['2026-11-16', '2026-11-17', '2026-11-18'].flatMap(
      (date) => revised.lab.truth('ada', date).workouts,
    );
    expect(workouts.length).toBeGreaterThan(0);
    for (const workout of workouts) {
      const [one, ...more] = userData.workouts.filter(({ start }) => Date.parse(start) === workout.start);
      expect(more).toEqual([]);
      if (Date.parse(one!.end) === workout.end)
        expect(one!.values?.['active_calories']).toBeGreaterThan(workout.activeKcal);
    }
  });
});

/** Actions in Garmin's portal. */
async function inPortal(lab: Lab, what: 'endpoints' | 'permissions', body: object): Promise<number> {
  const { clientId: client_id, clientSecret: client_secret } = appInLab(lab, garmin);
  const response = await fetch(`${lab.url}/garmin/portal/${what}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret, ...body }),
  });
  return response.status;
}

describe('the portal', () => {
  test('sends each key to its URL, and pings carry no data', async () => {
    await using setting = await startGarmin();
    const { lab, intake } = setting;
    const endpoints = Object.fromEntries(
      garmin.streams.map(({ name }) => [
        name,
        { url: intake.url, mode: name === 'sleeps' ? 'ping' : 'push' },
      ]),
    );
    expect(await inPortal(lab, 'endpoints', { endpoints })).toBe(200);
    const { userId } = await connectInLab(lab, garmin);
    await lab.clock.advance(dayMs);
    const userData = gather(intake.notices, userId);
    expect(userData.dayOf('2026-11-15', 'steps')).toBe(lab.truth('ada', '2026-11-15').steps);
    expect(intake.pushes.some(({ keys }) => keys.includes('sleeps'))).toBe(true);
    expect(intake.notices.some((notice) => notice.kind === 'data' && notice.stream === 'sleeps')).toBe(false);
  });

  test('announces changed permissions, which carry no data', async () => {
    await using setting = await startGarmin();
    const { lab, intake } = setting;
    const { userId } = await connectInLab(lab, garmin);
    await inPortal(lab, 'permissions', { user_id: userId, permissions: ['HEALTH_EXPORT'] });
    await waitForPushes(lab);
    expect(intake.pushes).toMatchObject([{ status: 200, keys: ['userPermissionsChange'] }]);
    expect(intake.notices).toEqual([]);
  });
});

describe('the end of a consent', () => {
  test('by the user is pushed, and detected by the next call and refresh', async () => {
    await using setting = await startGarmin();
    const { lab, intake } = setting;
    const api = await connectInLab(lab, garmin);
    lab.revoke(lab.grants('garmin')[0]!.id);
    await waitForPushes(lab);
    expect(intake.notices).toEqual([{ kind: 'revoked', userId: api.userId }]);
    expect(await failing(requestAllHistory(api, 3))).toMatchObject({ kind: 'unauthorized' });
    expect(await failing(garmin.oauth.refresh!(api, api.tokens))).toMatchObject({ kind: 'consent_ended' });
    await garmin.oauth.revoke!(api);
  });

  test('by us revokes it at Garmin, and can be repeated', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin);
    await garmin.oauth.revoke!(api);
    expect(setting.lab.grants('garmin')[0]!.revoked).toBe(true);
    await garmin.oauth.revoke!(api);
  });

  test('is not assumed while Garmin is unavailable', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin);
    setting.lab.faults.on({ kind: 'error', rate: 1 });
    expect(await failing(garmin.oauth.revoke!(api))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('tokens', () => {
  test('are refreshed, and the new refresh token and permissions are stored', async () => {
    await using setting = await startGarmin();
    const { lab } = setting;
    const api = await connectInLab(lab, garmin);
    expect(api.scopes).toEqual(permissions);
    await lab.clock.advance(dayMs);
    expect(await failing(garmin.oauth.enroll(api, { memberId: 'm', pushUrl: '' }))).toMatchObject({
      kind: 'unauthorized',
    });
    const fresh = await garmin.oauth.refresh!(api, api.tokens);
    expect(fresh).toMatchObject({ scopes: permissions, expiresAtMs: lab.clock.now() + dayMs });
    expect(fresh.refreshToken).not.toBe(api.tokens.refreshToken);
    const again = openUserApi(lab, garmin, api.app, fresh);
    expect(await garmin.oauth.enroll(again, { memberId: 'm', pushUrl: '' })).toBe(api.userId);
    expect(await failing(garmin.oauth.refresh!(api, api.tokens))).toMatchObject({ kind: 'consent_ended' });
  });

  test('work without readable permissions', async () => {
    await using setting = await startGarmin();
    const { lab } = setting;
    const api = await connectInLab(lab, garmin);
    lab.faults.on({ kind: 'error', rate: 1 });
    expect(await garmin.oauth.readScopes!(api)).toBeNull();
    expect(lab.counts('garmin').faults).toEqual({ error: 1 });
    lab.faults.off();
    expect(await garmin.oauth.readScopes!(api)).toEqual(permissions);
    const send = async () => ({ status: 200, headers: {}, body: '{"permissions": "all"}' });
    expect(await garmin.oauth.readScopes!({ ...api, send })).toBeNull();
  });

  test('of a wrong app are rejected, without ending any consent', async () => {
    await using setting = await startGarmin();
    const { lab } = setting;
    const api = await connectInLab(lab, garmin);
    const app = { ...api.app, clientSecret: 'another' };
    expect(await failing(garmin.oauth.refresh!({ ...api, app }, api.tokens))).toMatchObject({
      kind: 'refused',
    });
    expect(await failing(garmin.oauth.refresh!(api, { ...api.tokens, refreshToken: null }))).toMatchObject({
      kind: 'consent_ended',
    });
  });

  test.each([
    [503, '<html>', 'unavailable'],
    [200, '{"access_token": "half', 'unavailable'],
    [200, '{}', 'unavailable'],
    [429, '', 'limited'],
    [500, '{"error":"invalid_grant"}', 'unavailable'],
  ])('a refresh with the response %i %s', async (status, body, kind) => {
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresAtMs: null, scopes: null };
    const send = async () => {
      const response = { status, headers: {}, body };
      const failure = garmin.failureOf(response, 0);
      if (failure) throw failure;
      return response;
    };
    const app = { clientId: 'c', clientSecret: 's', hosts: garmin.hosts, settings: {} };
    expect(await failing(garmin.oauth.refresh!({ app, now: () => 0, send }, tokens))).toMatchObject({ kind });
  });
});

describe('failures', () => {
  test('rejects a user without an id', async () => {
    await using setting = await startGarmin();
    const api = await connectInLab(setting.lab, garmin);
    const send = async () => ({ status: 200, headers: {}, body: '{"userId": ""}' });
    const enrolled = garmin.oauth.enroll({ ...api, send }, { memberId: 'm', pushUrl: '' });
    expect(await failing(enrolled)).toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    ['error', 'unavailable'],
    ['truncated', 'unavailable'],
    ['limited', 'limited'],
    ['consent_revoked', 'unauthorized'],
  ] as const)('%s is %s', async (fault, kind) => {
    await using setting = await startGarmin();
    const { lab } = setting;
    const api = await connectInLab(lab, garmin);
    lab.faults.on({ kind: fault, rate: 1, provider: 'garmin' });
    const failure = await failing(garmin.oauth.enroll(api, { memberId: 'm', pushUrl: '' }));
    expect(failure).toMatchObject({ kind, retryAtMs: kind === 'limited' ? lab.clock.now() + 60_000 : null });
  });

  test('rejects a push that names another app', async () => {
    await using setting = await startGarmin();
    const { lab, intake } = setting;
    await connectInLab(lab, garmin);
    intake.api = { ...intake.api!, app: { ...intake.api!.app, clientId: 'another-app' } };
    await lab.clock.advance(dayMs / 4);
    expect(intake.pushes.length).toBeGreaterThan(0);
    expect(new Set(intake.pushes.map(({ status }) => status))).toEqual(new Set([401]));
    expect(intake.notices).toEqual([]);
  });
});
