import { randomUUID } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchOf, createSdkUser, type SdkUser } from '../../../test/data/sdk-user.ts';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { readPayloads } from '../../../test/data/read-payloads.ts';

let app: TestApp;
let user: SdkUser;

beforeAll(async () => {
  app = await startTestApp({ INGEST_BACKLOG_LIMIT: '40', MAX_DEVICES_PER_USER: '3' });
  user = await createSdkUser(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const heartRate = {
  metric: 'heart_rate',
  start: '2026-03-02T07:00:00Z',
  interval_seconds: 5,
  values: [61, 62],
};
const countRaw = async () => (await app.admin.query('SELECT count(*) FROM raw_batches')).rows[0].count;

function post(body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}/v1/sdk/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', ...headers },
    body: body as string,
  });
}

describe('202', () => {
  test('commits an upload and reports it as pending', async () => {
    const batch = batchOf({ series: [heartRate] });
    const response = await user.upload(batch);
    expect(response).toMatchObject({ status: 202, body: { batch_id: batch.batch_id } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { rows } = await app.admin.query('SELECT * FROM raw_batches WHERE batch_id = $1', [batch.batch_id]);
    expect(rows).toHaveLength(1);
    expect((await user.receipt(batch.batch_id)).body).toEqual({
      batch_id: batch.batch_id,
      status: 'accepted',
      counts: { new: 0, updated: 0, duplicate: 0, rejected: 0, deleted: 0 },
      rejected: [],
    });
    const { body } = await app.request('GET', `/v1/users/${user.id}`);
    expect(body.data.sync).toMatchObject({ state: 'processing', pending_batches: 1 });
  });

  test('changes nothing for the same ID and body, also concurrently and in another letter case', async () => {
    const batch = batchOf({ series: [heartRate] });
    const before = Number(await countRaw());
    const responses = await Promise.all(Array.from({ length: 8 }, () => user.upload(batch)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(Number(await countRaw())).toBe(before + 1);
    const { rows } = await app.admin.query('SELECT count(*) FROM pending_batches WHERE batch_id = $1', [
      batch.batch_id,
    ]);
    expect(Number(rows[0].count)).toBe(1);
  });

  test('decompresses gzip and zstd and treats them as the same body', async () => {
    const text = JSON.stringify(batchOf({ series: [heartRate] }));
    expect((await post(text)).status).toBe(202);
    expect((await post(gzipSync(text), { 'content-encoding': 'gzip' })).status).toBe(202);
    expect((await post(zstdCompressSync(text), { 'content-encoding': 'ZSTD' })).status).toBe(202);
  });

  test('removes a byte order mark, which later readers would not skip', async () => {
    const batch = batchOf({ series: [heartRate] });
    expect((await post(`\ufeff${JSON.stringify(batch)}`)).status).toBe(202);
    const [payload] = await readPayloads(app, 'batch_id = $1', batch.batch_id);
    expect(JSON.parse(payload!)).toEqual(batch);
  });

  test('corrects the phone’s clock by its offset and never dates ahead', async () => {
    const created = async (clock: object) => {
      const batch = batchOf(clock);
      await user.upload(batch);
      const { rows } = await app.admin.query(
        `SELECT extract(epoch FROM received_at - created_at)::float8 AS age FROM raw_batches WHERE batch_id = $1`,
        [batch.batch_id],
      );
      return rows[0].age as number;
    };
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    expect(await created({})).toBe(0);
    expect(await created({ created_at: at(-60) })).toBeCloseTo(60, 0);
    expect(await created({ created_at: at(3_600) })).toBe(0);
    expect(await created({ created_at: at(-7_260), sent_at: at(-7_200) })).toBeCloseTo(60, 0);
    expect(await created({ created_at: at(7_140), sent_at: at(7_200) })).toBeCloseTo(60, 0);
  });
});

describe('400', () => {
  test.each([
    ['a batch ID that is not a UUID', { batch_id: 'x' }, 'batch_id'],
    ['no device', { device: undefined }, 'device'],
    ['a cloud provider', { device: { provider: 'oura', id: 'x', kind: 'ring' } }, 'device.provider'],
    ['an unknown kind', { device: { provider: 'apple_health', id: 'x', kind: 'car' } }, 'device.kind'],
    ['an invalid time', { series: [{ ...heartRate, start: 'yesterday' }] }, 'series.0.start'],
    ['a leap second', { created_at: '2026-03-02T07:14:30Z', sent_at: '2016-12-31T23:59:60Z' }, 'sent_at'],
    ['a value that is not a number', { series: [{ ...heartRate, values: ['61'] }] }, 'series.0.values.0'],
    ['an invalid offset', { series: [{ ...heartRate, utc_offset: '2h' }] }, 'series.0.utc_offset'],
    ['an invalid date', { daily: [{ metric: 'steps', date: '2026-02-30', value: 1 }] }, 'daily.0.date'],
    ['a deletion of an unknown kind', { deletions: [{ kind: 'person', id: 'x' }] }, 'deletions.0.kind'],
  ])('%s', async (_, parts, name) => {
    const response = await user.upload(batchOf(parts));
    expect(response.status).toBe(400);
    expect(response.body.details.fields[0]).toMatchObject({ in: 'body', name });
  });

  test('rejects more values than an upload may contain', async () => {
    const values = Array.from({ length: 10_001 }, () => 61);
    const response = await user.upload(
      batchOf({
        series: [
          { ...heartRate, values },
          { ...heartRate, values },
        ],
      }),
    );
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.message).toContain('20000 values');
  });

  test.each([
    ['malformed JSON', '{', {}],
    ['nothing', '', {}],
    ['an unknown encoding', '{}', { 'content-encoding': 'br' }],
    ['invalid gzip', '{}', { 'content-encoding': 'gzip' }],
  ])('%s', async (_, body, headers) => {
    expect((await post(body, headers)).status).toBe(400);
  });
});

describe('401', () => {
  test('rejects requests without a token and with an API key', async () => {
    const batch = batchOf({});
    expect((await app.request('POST', '/v1/sdk/batches', { key: '', body: batch })).body.error).toBe(
      'missing_token',
    );
    expect((await app.request('POST', '/v1/sdk/batches', { body: batch })).body.error).toBe('invalid_token');
  });

  test('rejects uploads and reads of a revoked session, whatever the body', async () => {
    const revokedUser = await createSdkUser(app);
    const batch = batchOf({ series: [heartRate] });
    expect((await revokedUser.upload(batch)).status).toBe(202);
    const { body } = await app.request('GET', `/v1/users/${revokedUser.id}/sdk-sessions`);
    await app.request('DELETE', `/v1/users/${revokedUser.id}/sdk-sessions/${body.data[0].session_id}`);
    const before = await countRaw();
    for (const again of [batchOf({ series: [heartRate] }), batch, { device: 1 }])
      expect((await revokedUser.upload(again)).body.error).toBe('invalid_token');
    expect((await revokedUser.receipt(batch.batch_id)).body.error).toBe('invalid_token');
    expect(await countRaw()).toBe(before);
  });

  test('rejects a deleted user', async () => {
    const deletedUser = await createSdkUser(app);
    await app.request('DELETE', `/v1/users/${deletedUser.id}`);
    expect((await deletedUser.upload(batchOf({}))).body.error).toBe('invalid_token');
  });
});

test('returns 404 for a batch that this user never sent, or of another user', async () => {
  const other = await createSdkUser(app);
  const batch = batchOf({});
  await other.upload(batch);
  expect((await other.receipt(batch.batch_id)).status).toBe(200);
  for (const id of [batch.batch_id, randomUUID(), 'x']) expect((await user.receipt(id)).status).toBe(404);
});

test('returns 409 for the same ID with another body', async () => {
  const batch = batchOf({ series: [heartRate] });
  await user.upload(batch);
  const response = await user.upload({ ...batch, series: [] });
  expect(response).toMatchObject({ status: 409, body: { error: 'batch_conflict' } });
});

// @contract sdk-batches: An upload whose items start on more than 1,000 different days gets 400 `too_many_days`
test('returns 400 for too many days, with the number and the limit', async () => {
  const daily = Array.from({ length: 1_001 }, (_, at) => ({
    metric: 'steps',
    date: new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
    value: 1,
  }));
  expect(await user.upload(batchOf({ daily }))).toMatchObject({
    status: 400,
    body: { error: 'too_many_days', details: { days: 1_001, limit: 1_000 } },
  });
  expect((await user.upload(batchOf({ daily: daily.slice(1) }))).status).toBe(202);
});

describe('409 for a device above the limit of the user', () => {
  const device = (id: string) => ({ provider: 'apple_health', id, kind: 'watch' });

  // @contract sdk-batches: An upload of a new device of a user who has reached the limit of devices gets 409 `device_limit_reached`
  test('counts devices whose uploads are pending, and accepts known ones', async () => {
    const owner = await createSdkUser(app);
    const statuses = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(
        async (id) => (await owner.upload(batchOf({ device: device(id) }))).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([202, 202, 202, 409, 409]);
    const refused = ['a', 'b', 'c', 'd', 'e'][statuses.indexOf(409)]!;
    const known = ['a', 'b', 'c', 'd', 'e'][statuses.indexOf(202)]!;
    expect(await owner.upload(batchOf({ device: device(refused) }))).toMatchObject({
      status: 409,
      body: { error: 'device_limit_reached', details: { limit: 3 } },
    });
    expect((await owner.upload(batchOf({ device: device(known) }))).status).toBe(202);
  });

  test('does not count removed devices, and does not reveal the limit to an ended session', async () => {
    const owner = await createSdkUser(app);
    await app.admin.query(
      `INSERT INTO devices (user_id, device_no, id, provider, stable_id, on_device, kind, status)
       SELECT $1, n, gen_random_uuid(), 'apple_health', 'd' || n, true, 'watch', 'active' FROM generate_series(1, 3) AS n`,
      [owner.uuid],
    );
    expect((await owner.upload(batchOf({ device: device('new') }))).body.error).toBe('device_limit_reached');
    await app.admin.query('UPDATE devices SET removed_at = now() WHERE user_id = $1 AND device_no = 1', [
      owner.uuid,
    ]);
    expect((await owner.upload(batchOf({ device: device('new') }))).status).toBe(202);
    const { body } = await app.request('GET', `/v1/users/${owner.id}/sdk-sessions`);
    await app.request('DELETE', `/v1/users/${owner.id}/sdk-sessions/${body.data[0].session_id}`);
    expect((await owner.upload(batchOf({ device: device('newer') }))).body.error).toBe('invalid_token');
  });
});

describe('413', () => {
  test('rejects more than 8 MiB, plain or compressed', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024 + 1, ' ');
    expect((await post(large)).status).toBe(413);
    expect((await post(gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await post(zstdCompressSync(large), { 'content-encoding': 'zstd' })).status).toBe(413);
  });
});

test('returns 503 with Retry-After while too many batches are pending', async () => {
  for (let sent = 0; sent < 45; sent += 1) await createdElsewhere();
  await expect
    .poll(async () => {
      const response = await user.upload(batchOf({}));
      return { status: response.status, after: response.headers.get('retry-after') };
    })
    .toEqual({ status: 503, after: '1' });
  // Another account is not refused because of it.
  const other = await app.createAccount();
  const neighbor = await createSdkUser(app, {}, {}, other.liveKey);
  expect((await neighbor.upload(batchOf({}))).status).toBe(202);
  await app.admin.query('DELETE FROM pending_batches');
  await expect.poll(async () => (await user.upload(batchOf({}))).status).toBe(202);

  async function createdElsewhere(): Promise<void> {
    await app.admin.query(
      `INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id) VALUES (0, gen_random_uuid(), gen_random_uuid(), 1, $1)`,
      [app.account.uuid],
    );
  }
});
