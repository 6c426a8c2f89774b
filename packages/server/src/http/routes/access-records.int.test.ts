import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import type { AccessRecord } from '../../store/access-records/insert.ts';
import { makeAccessRecord } from '../../test/access-records.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let account: TestAccount;
const users = ['0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e81', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e82'] as const;
const [keyA, keyB] = [
  '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e91',
  '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e92',
] as const;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function insert(...records: Partial<AccessRecord>[]): Promise<void> {
  for (const record of records)
    app.ctx.accessRecords.note(
      makeAccessRecord(app, { accountId: account.uuid, credentialId: keyA, userId: users[0], ...record }),
    );
  await app.ctx.accessRecords.flush();
}

const list = (query = '', key = account.liveKey) => app.request('GET', `/v1/access-records${query}`, { key });
const operationsOf = ({ body }: { body: { data: { operation: string }[] } }) =>
  body.data.map(({ operation }) => operation);

describe('200', () => {
  const at = (minute: number) => Date.now() - 3_600_000 + minute * 60_000;
  beforeAll(async () => {
    account = await app.createAccount();
    const days = { from: 20_513, to: 20_543 };
    await insert(
      { atMs: at(1), operation: 'a', days },
      { atMs: at(2), operation: 'b', userId: users[1], credentialId: keyB },
      { atMs: at(3), operation: 'c', userId: null },
      { atMs: at(4), operation: 'd', credentialType: 'user_token', credentialId: users[1] },
      { atMs: at(5), operation: 'sandbox', environment: 'sandbox' },
      {
        atMs: at(6),
        operation: 'e',
        credentialType: 'operator',
        credentialId: keyB,
        outcome: 'not_modified',
      },
    );
  });

  // @contract access-records: GET /v1/access-records lists the records of the environment, newest first
  test('lists its environment, newest first', async () => {
    expect(operationsOf(await list())).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(operationsOf(await list('', account.sandboxKey))).toEqual(['sandbox']);
    expect((await list()).body.next_cursor).toBeNull();
  });

  test('has credential, user, operation, days, time and outcome in a record', async () => {
    const { body } = await list('?operation=a');
    const { rows } = await app.admin.query(`SELECT id, at FROM access_records WHERE operation = 'a'`);
    expect(body.data).toEqual([
      {
        id: formatId('acr', rows[0].id),
        at: rows[0].at.toISOString(),
        credential: { type: 'api_key', id: formatId('key', keyA) },
        user_id: formatId('user', users[0]),
        operation: 'a',
        first_day: '2026-03-01',
        last_day: '2026-03-31',
        outcome: 'returned',
      },
    ]);
  });

  // @contract access-records: Filters by user, credential, operation and time apply separately and combined
  test('applies filters separately and combined', async () => {
    const user = `user_id=${formatId('user', users[0])}`;
    expect(operationsOf(await list(`?${user}`))).toEqual(['e', 'd', 'a']);
    expect(operationsOf(await list(`?credential_id=${formatId('key', keyB)}`))).toEqual(['e', 'b']);
    expect(operationsOf(await list(`?credential_id=${formatId('op', keyB)}`))).toEqual(['e', 'b']);
    expect(operationsOf(await list(`?credential_id=${formatId('tok', users[1])}`))).toEqual(['d']);
    expect(operationsOf(await list(`?${user}&credential_id=${formatId('key', keyB)}`))).toEqual(['e']);
    expect(operationsOf(await list(`?${user}&operation=d`))).toEqual(['d']);
    expect(operationsOf(await list(`?${user}&operation=b`))).toEqual([]);
    const [from, to] = [2, 4].map((minute) => new Date(at(minute) - 30_000).toISOString());
    expect(operationsOf(await list(`?from=${from}&to=${to}`))).toEqual(['c', 'b']);
    expect(operationsOf(await list(`?${user}&from=${from}`))).toEqual(['e', 'd']);
    expect(operationsOf(await list(`?${user}&to=${to}&operation=a`))).toEqual(['a']);
  });

  // @contract access-records: Records outlive the user. They contain only its id
  test('still lists the reads of a user that was deleted', async () => {
    const { body } = await app.request('POST', '/v1/users', {
      key: account.liveKey,
      body: { reference_id: 'x' },
    });
    const { id } = body.data;
    await app.request('GET', `/v1/users/${id}`, { key: account.liveKey });
    await app.request('DELETE', `/v1/users/${id}`, { key: account.liveKey });
    await app.ctx.accessRecords.flush();
    expect(operationsOf(await list(`?user_id=${id}`))).toEqual(['getUser']);
  });
});

describe('paging', () => {
  const all: string[] = [];
  beforeAll(async () => {
    account = await app.createAccount();
    const atMs = Date.now() - 60_000;
    for (let at = 0; at < 23; at += 1) all.unshift(`p${at}`);
    // Three share each time.
    await insert(
      ...all.toReversed().map((operation, index) => ({ operation, atMs: atMs + Math.floor(index / 3) })),
    );
  });

  test.each(['', `&user_id=${formatId('user', users[0])}`, `&credential_id=${formatId('key', keyA)}`])(
    'returns every record once during inserts%s',
    async (filter) => {
      const seen: string[] = [];
      let query = `?limit=4${filter}`;
      for (let page = 0; page < 20; page += 1) {
        const { body, status } = await list(query);
        expect(status).toBe(200);
        seen.push(...operationsOf({ body }));
        await insert({ operation: `meanwhile ${page}` });
        if (body.next_cursor === null) break;
        query = `?cursor=${body.next_cursor}`;
      }
      expect(seen.filter((operation) => operation.startsWith('p'))).toEqual(all);
    },
  );

  test('continues a scan that found no match yet', async () => {
    account = await app.createAccount();
    const atMs = Date.now() - 60_000;
    await insert({ operation: 'rare', atMs: atMs - 10 });
    await insert(...Array.from({ length: 6_000 }, () => ({ operation: 'frequent', atMs })));
    let query = '?operation=rare';
    const pages: string[][] = [];
    for (;;) {
      const { body } = await list(query);
      pages.push(operationsOf({ body }));
      if (body.next_cursor === null) break;
      query = `?cursor=${body.next_cursor}`;
    }
    expect(pages).toEqual([[], [], ['rare']]);
  });
});

describe('400', () => {
  test.each([
    ['?user_id=user_x', 'invalid_request'],
    ['?credential_id=whatever', 'invalid_request'],
    [`?credential_id=${formatId('user', users[0])}`, 'invalid_request'],
    ['?from=yesterday', 'invalid_request'],
    ['?limit=101', 'invalid_request'],
    ['?since=2026-03-01T00:00:00Z', 'invalid_request'],
    ['?cursor=x', 'invalid_cursor'],
  ])('rejects %s', async (query, code) => expect((await list(query)).body.error).toBe(code));

  test('rejects a cursor with other parameters, or of another environment', async () => {
    account = await app.createAccount();
    await insert({}, {}, {});
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    expect((await list(`?cursor=${cursor}`)).status).toBe(200);
    for (const [query, key] of [
      [`?cursor=${cursor}&limit=2`, account.liveKey],
      [`?cursor=${cursor}&operation=a`, account.liveKey],
      [`?cursor=${cursor}`, account.sandboxKey],
    ] as const)
      expect((await list(query, key)).body.error).toBe('invalid_cursor');
  });
});

test('rejects user tokens with 403', async () => {
  const { body } = await app.request('POST', '/v1/users', { body: { reference_id: 'token' } });
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: body.data.id } }))
    .body;
  expect((await list('', token)).body.error).toBe('insufficient_scope');
});

test('reads a page of one user or key from an index, however many records there are', async () => {
  account = await app.createAccount();
  await app.admin.query(
    `INSERT INTO access_records (account_id, environment, at, id, credential_type, credential_id, user_id, operation, outcome)
     SELECT $1, 'live', now() - n * interval '10 milliseconds', gen_random_uuid(), 'api_key', $2, gen_random_uuid(), 'listDaily', 'returned'
     FROM generate_series(1, 100000) n`,
    [account.uuid, keyA],
  );
  await app.admin.query('ANALYZE access_records');
  await insert({ userId: '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e99', operation: 'only' });
  await list();
  const timesMs = [];
  for (const query of [
    '?limit=50',
    `?user_id=${formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e99')}`,
    `?credential_id=${formatId('key', keyA)}`,
  ]) {
    const startedAt = performance.now();
    expect((await list(query)).status).toBe(200);
    timesMs.push(performance.now() - startedAt);
  }
  expect(Math.max(...timesMs)).toBeLessThan(500);
});
