import { defaultScopes } from '@tributary/contract';
import { isOptIn, metricOf, metrics } from '@tributary/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rebuildLayers } from '../../../services/users/rebuild-layers.ts';
import { testActor } from '../../../test/acting.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { batchOf, createSdkUser, phone, watch, type SdkUser } from '../../../test/data/sdk-user.ts';
import { workThrough } from '../../../test/data/uploads.ts';

let app: TestApp;
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const named = { scopes: [...defaultScopes, 'reproductive_health'] };

beforeAll(async () => {
  app = await startTestApp();
  await app.moveClock(nowMs - app.ctx.clock.now());
});
afterAll(() => app[Symbol.asyncDispose]());

const read = (user: SdkUser, types: string, query = '') =>
  app.request(
    'GET',
    `/v1/users/${user.id}/daily?types=${types}&from_date=2026-03-01&to_date=2026-03-03${query}`,
  );

const flow = (date: string, value: number) => ({
  metric: 'menstrual_flow',
  start: `${date}T0${value}:00:00Z`,
  value,
  id: `flow-${date}-${value}`,
});

/** One upload of every metric of the category, and of steps. */
const everything = {
  device: phone,
  records: [
    flow('2026-03-01', 2),
    flow('2026-03-01', 4),
    flow('2026-03-02', 1),
    { metric: 'ovulation_test', start: '2026-03-02T07:00:00Z', value: 0 },
    { metric: 'ovulation_test', start: '2026-03-02T09:00:00Z', value: 3, unit: 'code' },
    { metric: 'basal_body_temperature_shift', start: '2026-03-02T05:00:00Z', value: 0.54, unit: '°F' },
  ],
  daily: [
    { metric: 'cycle_day', date: '2026-03-01', value: 1 },
    { metric: 'cycle_day', date: '2026-03-02', value: 2 },
    { metric: 'pregnancy', date: '2026-03-02', value: 0 },
    { metric: 'contraception', date: '2026-03-02', value: 4 },
    { metric: 'steps', date: '2026-03-02', value: 8000 },
  ],
};
const allIds = metrics.filter(isOptIn).map(({ id }) => id);

async function uploadAs(user: SdkUser, parts: object) {
  const batch = batchOf(parts);
  expect((await user.upload(batch)).status).toBe(202);
  await workThrough(app);
  return (await user.receipt(batch.batch_id)).body;
}

/** The metrics and days of a user's events. */
async function eventsOf(user: SdkUser) {
  const { rows } = await app.admin.query(
    "SELECT metrics, data FROM events WHERE user_id = $1 AND type IN ('data.updated', 'subject.synced') ORDER BY created_at, id",
    [user.uuid],
  );
  return rows.map((row) => [row.metrics.map((no: number) => metricOf(no).id), row.data]);
}

describe('upload', () => {
  let ada: SdkUser;
  beforeAll(async () => {
    ada = await createSdkUser(app, { timezone: 'UTC' }, named);
    const receipt = await uploadAs(ada, everything);
    expect(receipt).toMatchObject({ status: 'processed', counts: { rejected: 0 } });
  });

  // @contract daily-2/fields: Reproductive health is returned for its metric IDs: levels as codes, the heaviest flow and most definite test of the day _(addition)_
  test('is read by ID', async () => {
    expect((await read(ada, allIds.join())).body.series).toEqual({
      cycle_day: [1, 2, null],
      menstrual_flow: [4, 1, null],
      ovulation_test: [null, 3, null],
      basal_body_temperature_shift: [null, 0.3, null],
      pregnancy: [null, 0, null],
      contraception: [null, 4, null],
    });
    const imperial = await read(ada, 'basal_body_temperature_shift', '&unit_system=imperial');
    expect(imperial.body.series).toEqual({ basal_body_temperature_shift: [null, 0.54, null] });
    const rows = await app.request(
      'GET',
      `/v1/users/${ada.id}/daily?metrics=menstrual_flow&start_date=2026-03-01&end_date=2026-03-03`,
    );
    expect(rows.body.data).toEqual([
      { date: '2026-03-01', metric: 'menstrual_flow', value: 4, unit: 'code' },
      { date: '2026-03-02', metric: 'menstrual_flow', value: 1, unit: 'code' },
    ]);
  });

  // @contract daily-1/fields: Without `metrics`, reproductive health is not returned _(addition)_
  // @contract daily-2/fields: Without `types`, reproductive health is not returned _(addition)_
  test('is not part of responses that name no metrics', async () => {
    const columns = await app.request(
      'GET',
      `/v1/users/${ada.id}/daily?from_date=2026-03-01&to_date=2026-03-03`,
    );
    expect(columns.body.series).toMatchObject({ steps: [null, 8000, null] });
    for (const id of allIds) expect(columns.body.series).not.toHaveProperty(id);
    const rows = await app.request(
      'GET',
      `/v1/users/${ada.id}/daily?start_date=2026-03-01&end_date=2026-03-03&include_missing=true`,
    );
    const ids = new Set(rows.body.data.map(({ metric }: { metric: string }) => metric));
    expect(ids).toContain('steps');
    for (const id of allIds) expect(ids).not.toContain(id);
  });

  // @contract events: Events name no metric of reproductive health, and a change of nothing else has no event _(addition)_
  test('is not named by events, nor are its days', async () => {
    const before = await eventsOf(ada);
    expect(before).toEqual([
      [
        ['steps', 'workout_count'],
        expect.objectContaining({ first_date: '2026-03-02', last_date: '2026-03-02' }),
      ],
    ]);
    await uploadAs(ada, { device: phone, records: [flow('2026-03-03', 3)] });
    expect((await read(ada, 'menstrual_flow')).body.series).toEqual({ menstrual_flow: [4, 1, 3] });
    expect(await eventsOf(ada)).toEqual(before);
    await uploadAs(ada, { device: phone, deletions: [{ kind: 'record', id: 'flow-2026-03-03-3' }] });
  });

  test('is new for conditional reads, although no event names it', async () => {
    const { headers } = await read(ada, 'menstrual_flow');
    await uploadAs(ada, { device: phone, records: [flow('2026-03-03', 2)] });
    const changed = await app.request(
      'GET',
      `/v1/users/${ada.id}/daily?types=menstrual_flow&from_date=2026-03-01&to_date=2026-03-03`,
      { headers: { 'if-none-match': headers.get('etag')! } },
    );
    expect(changed.status).toBe(200);
    expect(changed.body.series).toEqual({ menstrual_flow: [4, 1, 2] });
    await uploadAs(ada, { device: phone, deletions: [{ kind: 'record', id: 'flow-2026-03-03-2' }] });
    expect((await read(ada, 'menstrual_flow')).body.series).toEqual({ menstrual_flow: [4, 1, null] });
  });

  test('is explained in words', async () => {
    const { body } = await app.request(
      'GET',
      `/v1/users/${ada.id}/daily/explain?metric=menstrual_flow&date=2026-03-01`,
    );
    expect(body.value).toBe(4);
    expect(body.summary).toMatch(/^Menstrual flow on 2026-03-01: heavy, from /);
  });

  test('is previewed only if the change names it', async () => {
    await uploadAs(ada, { device: watch, daily: [{ metric: 'steps', date: '2026-03-02', value: 1 }] });
    const preview = async (body: object) => {
      const path = `/v1/users/${ada.id}/consolidation/preview?from_date=2026-03-01&to_date=2026-03-03`;
      const { status, body: response } = await app.request('POST', path, { body });
      expect(status).toBe(200);
      return response.metrics.map(({ metric }: { metric: string }) => metric);
    };
    expect(await preview({ providers: { apple_health: false } })).toEqual(['steps']);
    const ofFlow = { metrics: { menstrual_flow: { providers: { apple_health: false } } } };
    expect(await preview(ofFlow)).toEqual(['menstrual_flow']);
  });

  test('gives the same values after a rebuild from either layer, and no event', async () => {
    const before = [(await read(ada, allIds.join())).body, await eventsOf(ada)];
    for (const from of ['raw', 'normalized'] as const) {
      await rebuildLayers(app.ctx, testActor, { userId: ada.uuid, from, check: true });
      expect([(await read(ada, allIds.join())).body, await eventsOf(ada)]).toEqual(before);
    }
  });

  test('is deleted by a deletion', async () => {
    await uploadAs(ada, { device: phone, deletions: [{ kind: 'record', id: 'flow-2026-03-01-4' }] });
    expect((await read(ada, 'menstrual_flow')).body.series).toEqual({ menstrual_flow: [2, 1, null] });
  });
});

describe('without the scope', () => {
  // @contract all/credentials: The default scopes leave out `reproductive_health`, and its items are rejected with `out_of_scope` _(addition)_
  test('items of the category are rejected, and all others are kept', async () => {
    const ben = await createSdkUser(app, { timezone: 'UTC' });
    const receipt = await uploadAs(ben, everything);
    expect(receipt.counts).toMatchObject({ new: 1, rejected: 10 });
    expect(new Set(receipt.rejected.map(({ code }: { code: string }) => code))).toEqual(
      new Set(['out_of_scope']),
    );
    const { series } = (await read(ben, `steps,${allIds.join()}`)).body;
    expect(series).toEqual({
      steps: [null, 8000, null],
      ...Object.fromEntries(allIds.map((id) => [id, [null, null, null]])),
    });
    // Not even a rebuild of what the phone sent has them.
    await rebuildLayers(app.ctx, testActor, { userId: ben.uuid, from: 'raw', check: false });
    expect((await read(ben, 'menstrual_flow')).body.series).toEqual({ menstrual_flow: [null, null, null] });
  });

  test('a number that is no level is out of range', async () => {
    const eva = await createSdkUser(app, { timezone: 'UTC' }, named);
    const receipt = await uploadAs(eva, {
      records: [
        { metric: 'menstrual_flow', start: '2026-03-01T08:00:00Z', value: 1.5 },
        { metric: 'contraception', start: '2026-03-01T08:00:00Z', value: 8 },
      ],
    });
    expect(receipt.rejected.map(({ code }: { code: string }) => code)).toEqual([
      'out_of_range',
      'out_of_range',
    ]);
    expect(receipt.counts).toMatchObject({ new: 0, rejected: 2 });
  });
});

test('a user token reads it by ID only', async () => {
  const ada = await createSdkUser(app, { timezone: 'UTC' }, named);
  await uploadAs(ada, everything);
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: ada.id } })).body;
  const range = 'from_date=2026-03-01&to_date=2026-03-03';
  const path = `/v1/users/${ada.id}/daily?${range}`;
  const byId = await app.request('GET', `${path}&types=menstrual_flow`, { key: token });
  expect(byId.body.series).toEqual({ menstrual_flow: [4, 1, null] });
  const all = await app.request('GET', path, { key: token });
  expect(all.body.series).not.toHaveProperty('menstrual_flow');
});

test('is erased with the user', async () => {
  const ada = await createSdkUser(app, { timezone: 'UTC' }, named);
  await uploadAs(ada, everything);
  expect((await app.request('DELETE', `/v1/users/${ada.id}`)).status).toBe(202);
  expect((await read(ada, 'menstrual_flow')).status).toBe(404);
});
