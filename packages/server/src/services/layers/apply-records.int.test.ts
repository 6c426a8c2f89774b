import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Uploads steps at minutes of the day. `second` orders the uploads by creation. */
async function upload(user: PhoneUser, second: number, records: [id: string, minute: number][]) {
  await user.upload(
    { id: 'watch' },
    {
      created_at: new Date(Date.UTC(2026, 2, 11) + second * 1000).toISOString(),
      records: records.map(([id, minute]) => ({
        metric: 'steps',
        start: new Date(Date.UTC(2026, 2, 10, 0, minute)).toISOString(),
        value: 100,
        id,
      })),
    },
  );
  await workThrough(app);
}

async function stepsOf({ id }: PhoneUser): Promise<number> {
  const query = 'types=steps&from_date=2026-03-10&to_date=2026-03-10';
  return (await app.request('GET', `/v1/users/${id}/daily?${query}`)).body.series.steps[0];
}

/** The stored places of each record, as minutes of the day, and whether they have a stamp. */
async function slotsOf({ uuid }: PhoneUser): Promise<[minute: number, isStamped: boolean][][]> {
  const { rows } = await app.admin.query(
    'SELECT source_id, slots FROM device_records WHERE user_id = $1 ORDER BY source_id',
    [uuid],
  );
  return rows.map(({ slots }) =>
    slots.map(([, startMs, createdMs]: number[]) => [
      (startMs! - Date.UTC(2026, 2, 10)) / 60_000,
      createdMs !== undefined,
    ]),
  );
}

test('keeps one place for a record that moves often', async () => {
  const user = await createPhoneUser(app, {});
  for (let move = 0; move < 30; move += 1) await upload(user, move, [['a', move * 20]]);
  expect(await stepsOf(user)).toBe(100);
  expect(await slotsOf(user)).toEqual([[[580, true]]]);
});

test('moves records whose places were stored without stamps by an earlier release', async () => {
  const user = await createPhoneUser(app, {});
  await upload(user, 1, [
    ['a', 0],
    ['b', 10],
  ]);
  await app.admin.query(
    `UPDATE device_records SET slots = jsonb_build_array(jsonb_build_array(slots->0->0, slots->0->1)) WHERE user_id = $1`,
    [user.uuid],
  );
  expect(await slotsOf(user)).toEqual([[[0, false]], [[10, false]]]);
  // The first record takes the place of the second one in the same upload.
  await upload(user, 2, [
    ['a', 10],
    ['b', 20],
  ]);
  expect(await stepsOf(user)).toBe(200);
  expect(await slotsOf(user)).toEqual([[[10, true]], [[20, true]]]);
});
