import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import type { Change } from '../../services/audit/record.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { chainAudit, recordTestChange } from '../../test/chain-audit.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let account: TestAccount;
const person = '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f';

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function insertEntry(environment: Environment | null, change: Partial<Change> = {}, id = 'key_1') {
  const actor = { type: 'api_key', id, address: '203.0.113.7', requestId: 'req_1' } as const;
  await recordTestChange(app, change, { accountId: account.uuid, environment, actor });
}

const list = (query = '', key = account.liveKey) => app.request('GET', `/v1/audit${query}`, { key });
const targetsOf = ({ body }: { body: { data: { target: { id: string } }[] } }) =>
  body.data.map(({ target }) => target.id);
const onTarget = (id: string) => ({ target: { type: 'user', id } });

describe('200', () => {
  beforeAll(async () => {
    account = await app.createAccount();
    await insertEntry('live', { ...onTarget('a'), data: { fields: ['timezone'] } });
    await insertEntry('sandbox', onTarget('of the sandbox'));
    await insertEntry(null, { action: 'account.updated', target: { type: 'account', id: account.id } });
    await insertEntry('live', {
      ...onTarget('b'),
      action: 'user.deleted',
      person,
      text: { email: 'b@example.com' },
    });
    await insertEntry('live', onTarget('c'), 'key_2');
    await chainAudit(app);
  });

  test('lists its environment and the account as a whole, newest first', async () => {
    const response = await list();
    expect(response.status).toBe(200);
    const targetIds = targetsOf(response).filter((id) =>
      ['a', 'b', 'c', 'of the sandbox', account.id].includes(id),
    );
    expect(targetIds.slice(0, 4)).toEqual(['c', 'b', account.id, 'a']);
    expect(targetsOf(await list('', account.sandboxKey)).slice(0, 2)).toEqual([account.id, 'of the sandbox']);
    expect(response.body.next_cursor).toBeNull();
  });

  test('has actor, action, target, position and hash in an entry', async () => {
    const { body } = await list('?target_id=a');
    const { rows } = await app.admin.query(
      'SELECT * FROM audit_log WHERE account_id = $1 AND target_id = $2',
      [account.uuid, 'a'],
    );
    expect(body.data).toEqual([
      {
        id: formatId('aud', rows[0].id),
        position: Number(rows[0].position),
        at: rows[0].at.toISOString(),
        environment: 'live',
        action: 'user.updated',
        actor: { type: 'api_key', id: 'key_1' },
        target: { type: 'user', id: 'a' },
        address: '203.0.113.7',
        request_id: 'req_1',
        details: { fields: ['timezone'] },
        text: null,
        hash: rows[0].hash.toString('hex'),
      },
    ]);
  });

  test('returns personal details until the user is erased', async () => {
    expect((await list('?target_id=b')).body.data[0].text).toEqual({ email: 'b@example.com' });
    await app.admin.query('DELETE FROM audit_texts WHERE person = $1', [person]);
    expect((await list('?target_id=b')).body.data[0].text).toBeNull();
  });

  test('applies filters separately and combined', async () => {
    expect(targetsOf(await list('?action=user.deleted'))).toEqual(['b']);
    expect(targetsOf(await list('?action=user.deleted&target_id=a'))).toEqual([]);
    expect(targetsOf(await list('?action=user.updated&target_id=a'))).toEqual(['a']);
    expect(targetsOf(await list('?actor_id=key_2'))).toEqual(['c']);
    expect(targetsOf(await list(`?action=account.updated`, account.sandboxKey))).toContain(account.id);
    expect(targetsOf(await list('?target_id=a', account.sandboxKey))).toEqual([]);
    const [a, c] = await Promise.all(
      ['a', 'c'].map(async (id) => (await list(`?target_id=${id}`)).body.data[0].at as string),
    );
    const since = targetsOf(await list(`?since=${c}`));
    expect(since).toContain('c');
    expect(since).not.toContain('a');
    const until = targetsOf(await list(`?until=${c}`));
    expect(until).not.toContain('c');
    expect(targetsOf(await list(`?since=${a}&until=${c}&action=user.updated`))).toEqual(['a']);
  });

  test('returns an entry once it is chained', async () => {
    await insertEntry('live', onTarget('late'));
    expect(targetsOf(await list('?target_id=late'))).toEqual([]);
    await chainAudit(app);
    expect(targetsOf(await list('?target_id=late'))).toEqual(['late']);
  });
});

describe('paging', () => {
  const all: string[] = [];
  beforeAll(async () => {
    account = await app.createAccount();
    for (let at = 0; at < 23; at += 1) {
      all.unshift(`p${at}`);
      await insertEntry(at % 5 === 0 ? null : 'live', onTarget(`p${at}`));
    }
    await chainAudit(app);
  });

  test('returns every entry once during inserts, whatever their times', async () => {
    const seen: string[] = [];
    let query = '?limit=4';
    for (let page = 0; page < 20; page += 1) {
      const { body, status } = await list(query);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ target }: { target: { id: string } }) => target.id));
      await insertEntry('live', onTarget(`meanwhile ${page}`));
      await chainAudit(app);
      if (body.next_cursor === null) break;
      query = `?cursor=${body.next_cursor}`;
    }
    expect(seen.filter((id) => id.startsWith('p'))).toEqual(all);
    expect(seen.filter((id) => id.startsWith('meanwhile'))).toEqual([]);
  });

  test('orders entries of the same time by position', async () => {
    account = await app.createAccount();
    await app.admin.query(
      `INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, data)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 3 = 0 THEN NULL ELSE 'live' END, '2020-01-01T00:00:00Z', 'service', 'test', 'user.updated', 'user', 'same', '{}'
       FROM generate_series(1, 30) n`,
      [account.uuid],
    );
    await chainAudit(app);
    const seen: number[] = [];
    for (let query: string | null = '?target_id=same&limit=7'; query !== null;) {
      const { body } = await list(query);
      seen.push(...body.data.map(({ position }: { position: number }) => position));
      query = body.next_cursor && `?cursor=${body.next_cursor}`;
    }
    expect(seen).toHaveLength(30);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(30);
  });

  test('continues by cursor when no index supports the filter', async () => {
    account = await app.createAccount();
    await app.admin.query(
      `INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id, data)
       SELECT gen_random_uuid(), $1, 'live', '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 second', 'api_key',
         CASE WHEN n IN (1, 4000, 6000) THEN 'rare' ELSE 'other' END, 'user.updated', 'user', n::text, '{}'
       FROM generate_series(1, 6000) n`,
      [account.uuid],
    );
    await chainAudit(app);
    const pages: string[][] = [];
    for (let query: string | null = '?actor_id=rare&limit=2'; query !== null;) {
      const response = await list(query);
      pages.push(targetsOf(response));
      query = response.body.next_cursor && `?cursor=${response.body.next_cursor}`;
    }
    expect(pages.flat()).toEqual(['6000', '4000', '1']);
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe('400', () => {
  test('a cursor with other parameters, of another tenant, or forged', async () => {
    account = await app.createAccount();
    for (let at = 0; at < 3; at += 1) await insertEntry('live', onTarget('x'));
    await chainAudit(app);
    const { body } = await list('?action=user.updated&limit=1&since=2020-01-01T00:00:00Z');
    const cursor = `cursor=${body.next_cursor}`;
    expect((await list(`?${cursor}`)).status).toBe(200);
    expect(
      (await list(`?${cursor}&action=user.updated&limit=1&since=2020-01-01T01:00:00%2B01:00`)).status,
    ).toBe(200);
    for (const other of [
      'action=user.deleted',
      'limit=2',
      'target_id=y',
      'actor_id=z',
      'since=2021-01-01T00:00:00Z',
      'until=2021-01-01T00:00:00Z',
    ]) {
      const refused = await list(`?${cursor}&${other}`);
      expect([refused.status, refused.body.error], other).toEqual([400, 'invalid_cursor']);
    }
    expect((await list(`?${cursor}`, account.sandboxKey)).body.error).toBe('invalid_cursor');
    expect((await list('?cursor=AAAA')).body.error).toBe('invalid_cursor');
  });

  test.each(['action=user.vanished', 'limit=0', 'limit=101', 'since=yesterday', 'target_id=', 'verbose=1'])(
    '%s',
    async (query) => {
      const { status, body } = await list(`?${query}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );
});

test('returns 403 for a user token', async () => {
  const user = await app.request('POST', '/v1/users', { body: { reference_id: 'someone' } });
  const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: user.body.data.id } });
  const refused = await list('', body.token);
  expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
});

test('returns 402 for a suspended account', async () => {
  const suspended = await app.createAccount();
  await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [suspended.uuid]);
  app.ctx.credentials.clear();
  expect((await list('', suspended.liveKey)).status).toBe(402);
});
