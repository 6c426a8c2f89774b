import { afterAll, beforeAll, expect, test } from 'vitest';
import { asService } from '../../test/apps/as-service.ts';
import { makeAccessRecord } from '../../test/access-records.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { maintainAccessRecords } from './insert.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const dayMs = 86_400_000;
const months = async () =>
  (
    await app.admin.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'access_records'::regclass ORDER BY 1`,
    )
  ).rows.map(({ name }) => name as string);

function moveTo(time: string): Promise<void> {
  return app.moveClock(Date.parse(time) - Date.now());
}

async function read(): Promise<void> {
  app.ctx.accessRecords.note(makeAccessRecord(app));
  await app.ctx.accessRecords.flush();
}
const stored = async () =>
  (await app.admin.query('SELECT at FROM access_records ORDER BY at')).rows.map(({ at }) => at.getTime());

// @contract access-records: Records are kept for ACCESS_RECORD_RETENTION_DAYS and deleted by month
test('keeps records until their month ended longer ago than the retention, in tables made in time', async () => {
  await moveTo('2029-01-15T12:00:00Z');
  // No table for this month: the write creates it.
  await read();
  expect(await months()).toEqual([
    'access_records_2029_01',
    'access_records_2029_02',
    'access_records_2029_03',
  ]);
  expect(await stored()).toHaveLength(1);
  await moveTo('2029-03-02T12:00:00Z');
  await read();
  await maintainAccessRecords(app.ctx.operator, 60);
  expect(await stored()).toHaveLength(2);
  await maintainAccessRecords(app.ctx.operator, 20);
  const left = await stored();
  expect(left).toHaveLength(1);
  expect(left[0]).toBeGreaterThan(app.ctx.clock.now() - dayMs);
  expect(await months()).toEqual([
    'access_records_2029_02',
    'access_records_2029_03',
    'access_records_2029_04',
    'access_records_2029_05',
  ]);
});

test('does not wait for a lock, which would make writes wait behind it', async () => {
  const reader = await app.admin.connect();
  await moveTo('2029-09-02T12:00:00Z');
  await reader.query('BEGIN; SELECT FROM access_records');
  const startedAt = performance.now();
  await expect(maintainAccessRecords(app.ctx.operator, 20)).rejects.toMatchObject({ code: '55P03' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  await reader.query('ROLLBACK');
  reader.release();
  await maintainAccessRecords(app.ctx.operator, 20);
});

test('lets no role of the service change or delete a record, and each tenant see only its own', async () => {
  await read();
  const { uuid } = app.account;
  const own = { account: uuid, environment: 'live' };
  const seen = async (settings: Record<string, string>) =>
    (await asService(app, settings, 'SELECT FROM access_records')).rowCount;
  expect(await seen(own)).toBeGreaterThan(0);
  expect(await seen({})).toBe(0);
  expect(await seen({ ...own, environment: 'sandbox' })).toBe(0);
  expect(await seen({ ...own, account: app.ctx.newId() })).toBe(0);
  const refused = { code: '42501' };
  await expect(asService(app, own, 'INSERT INTO access_records DEFAULT VALUES')).rejects.toMatchObject(
    refused,
  );
  for (const statement of ['DELETE FROM access_records', `UPDATE access_records SET operation = 'x'`])
    for (const query of [() => asService(app, own, statement), () => app.ctx.operator.query(statement)])
      await expect(query()).rejects.toMatchObject(refused);
});
