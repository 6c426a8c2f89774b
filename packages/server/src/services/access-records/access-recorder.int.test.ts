import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../store/database/database.ts';
import { makeAccessRecord } from '../../test/access-records.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createFailingPool } from '../../test/failing-pool.ts';
import { AccessRecorder } from './access-recorder.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

function createRecorder(operator: Queryable) {
  const counts = { written: 0, lost: 0 };
  const recorder = new AccessRecorder({
    operator,
    log: app.ctx.log,
    retentionDays: 400,
    onWritten: (records) => (counts.written += records),
    onLost: (records) => (counts.lost += records),
  });
  return { recorder, counts };
}

const makeRecord = () => makeAccessRecord(app);

const countStored = async () =>
  Number((await app.admin.query('SELECT count(*) FROM access_records')).rows[0].count);

/** Notes as many records as given, and returns how many are stored once `work` is done. */
async function storedBy(work: () => Promise<void>): Promise<number> {
  const before = await countStored();
  await work();
  return (await countStored()) - before;
}

test('writes within a second, without being asked', async () => {
  const { recorder, counts } = createRecorder(app.ctx.operator);
  const stored = await storedBy(async () => {
    for (let at = 0; at < 2_500; at += 1) recorder.note(makeRecord());
    await expect.poll(() => recorder.waiting, { timeout: 5_000 }).toBe(0);
  });
  expect(stored).toBe(2_500);
  expect(counts).toEqual({ written: 2_500, lost: 0 });
  await recorder[Symbol.asyncDispose]();
});

test('writes what is left when it is disposed', async () => {
  const { recorder } = createRecorder(app.ctx.operator);
  const stored = await storedBy(async () => {
    for (let at = 0; at < 5; at += 1) recorder.note(makeRecord());
    await recorder[Symbol.asyncDispose]();
  });
  expect(stored).toBe(5);
});

test('stores a record once, even if a write is repeated because its response was lost', async () => {
  let isLost = true;
  const losesResponse: Queryable = {
    async query(query) {
      const result = await app.ctx.operator.query(query);
      if (!isLost) return result;
      isLost = false;
      throw new Error('connection lost');
    },
  };
  const { recorder } = createRecorder(losesResponse);
  const stored = await storedBy(async () => {
    for (let at = 0; at < 3; at += 1) recorder.note(makeRecord());
    await expect(recorder.flush()).rejects.toThrow('connection lost');
    recorder.note(makeRecord());
    await recorder[Symbol.asyncDispose]();
  });
  expect(stored).toBe(4);
});

test('keeps records while the database does not take them, and is full above 20,000', async () => {
  let isDown = true;
  const database: Queryable = {
    query: (query: { text: string }) =>
      isDown ? Promise.reject(new Error('down')) : app.ctx.operator.query(query),
  };
  const { recorder, counts } = createRecorder(database);
  const stored = await storedBy(async () => {
    for (let at = 0; at < 20_000; at += 1) {
      expect(recorder.isFull).toBe(false);
      recorder.note(makeRecord());
    }
    expect(recorder.isFull).toBe(true);
    await sleep(300);
    expect(recorder.waiting).toBe(20_000);
    isDown = false;
    await expect.poll(() => recorder.waiting, { timeout: 20_000 }).toBe(0);
  });
  expect(stored).toBe(20_000);
  expect(counts).toEqual({ written: 20_000, lost: 0 });
  await recorder[Symbol.asyncDispose]();
});

test('counts records as lost if the process ends while the database does not take them', async () => {
  const { recorder, counts } = createRecorder(createFailingPool(app.ctx.operator, 0));
  for (let at = 0; at < 7; at += 1) recorder.note(makeRecord());
  await recorder[Symbol.asyncDispose]();
  expect(counts).toEqual({ written: 0, lost: 7 });
});

// @contract access-records: A read is rejected with 503 while the service cannot store its record
test('rejects reads while no more records can be kept, and only reads of users', async () => {
  const { body } = await app.request('POST', '/v1/users', { body: { reference_id: 'one' } });
  const path = `/v1/users/${body.data.id}/devices`;
  const { accessRecords } = app.ctx;
  expect((await app.request('GET', path)).status).toBe(200);
  await accessRecords.flush();
  const blocked = await app.admin.connect();
  await blocked.query('BEGIN; LOCK TABLE access_records IN ACCESS EXCLUSIVE MODE');
  try {
    for (let at = 0; at < 20_000; at += 1) accessRecords.note(makeRecord());
    const response = await app.request('GET', path);
    expect([response.status, response.body.error]).toEqual([503, 'unavailable']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.request('GET', '/v1/metrics')).status).toBe(200);
  } finally {
    await blocked.query('ROLLBACK');
    blocked.release();
  }
  await expect.poll(() => accessRecords.isFull, { timeout: 15_000 }).toBe(false);
  expect((await app.request('GET', path)).status).toBe(200);
});
