import { operations } from '@tributary/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../ids.ts';
import { startTestApp, type TestAccount, type TestAnswer, type TestApp } from '../test/test-app.ts';
import { access, accessOf } from './access.ts';

/**
 * Every route × every kind of credential × own, foreign and missing ids, with both walls between tenants, with the query's wall alone and with row
 * level security alone. Nothing of a foreign tenant may show, and a foreign id must answer as a missing one does.
 */

type Walls = 'both walls' | 'the query wall alone' | 'row level security alone' | 'no wall';
const arrangements: Exclude<Walls, 'no wall'>[] = [
  'both walls',
  'the query wall alone',
  'row level security alone',
];

const foreignMarker = 'belongs-to-someone-else';
const missingUserId = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');

interface Call {
  operationId: string;
  method: string;
  path: (id: string) => string;
  body?: (id: string) => object;
  /** Whether the answer depends on the id. */
  takesId: boolean;
  okStatus: number;
}

const calls: Call[] = [
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => '/v1/users?page=1&per_page=100',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => '/v1/users?limit=100',
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => `/v1/users?external_ref=${foreignMarker}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'listUsers',
    method: 'GET',
    path: () => `/v1/users?reference_id=${foreignMarker}`,
    takesId: false,
    okStatus: 200,
  },
  {
    operationId: 'createUser',
    method: 'POST',
    path: () => '/v1/users',
    body: () => ({ reference_id: `new-${Math.random()}` }),
    takesId: false,
    okStatus: 201,
  },
  { operationId: 'getUser', method: 'GET', path: (id) => `/v1/users/${id}`, takesId: true, okStatus: 200 },
  {
    operationId: 'updateUser',
    method: 'PATCH',
    path: (id) => `/v1/users/${id}`,
    body: () => ({ timezone: 'Asia/Tokyo' }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'listDevices',
    method: 'GET',
    path: (id) => `/v1/users/${id}/devices`,
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'createUserToken',
    method: 'POST',
    path: () => '/v1/auth/user-token',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'refreshUserToken',
    method: 'POST',
    path: () => '/v1/auth/user-token/refresh',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'createMobileToken',
    method: 'POST',
    path: () => '/v1/auth/mobile-token',
    body: (id) => ({ user_id: id }),
    takesId: true,
    okStatus: 200,
  },
  {
    operationId: 'deleteUser',
    method: 'DELETE',
    path: (id) => `/v1/users/${id}`,
    takesId: true,
    okStatus: 202,
  },
];

test('the calls below are all the routes that ask for a credential', () => {
  const guarded = Object.entries(access).filter(([, rule]) => !rule.open);
  expect([...new Set(calls.map((call) => call.operationId))].toSorted()).toEqual(
    guarded.map(([id]) => id).toSorted(),
  );
  expect(Object.keys(access).every((id) => id in operations)).toBe(true);
});

describe.each(arrangements)('with %s', (walls) => {
  let app: TestApp;
  let stranger: TestAccount;
  /** Kind of credential → how it is sent. */
  let credentials: Record<string, string>;
  let own: string;
  let foreign: Record<string, string>;
  let untouched: string;

  const snapshot = async () =>
    (
      await app.admin.query(
        `SELECT json_agg(t ORDER BY t.id)::text AS rows FROM users t WHERE t.reference_id = $1`,
        [foreignMarker],
      )
    ).rows[0].rows;

  beforeAll(async () => {
    app = await startTestApp();
    stranger = await app.createAccount();
    await arrange(app, walls);
    own = await createUser(app, app.account.liveKey, 'mine');
    foreign = {
      'of another account': await createUser(app, stranger.liveKey, foreignMarker),
      "of another account's sandbox": await createUser(app, stranger.sandboxKey, foreignMarker),
      'of the own sandbox': await createUser(app, app.account.sandboxKey, foreignMarker),
    };
    const issue = async (path: string, key: string, id: string) =>
      (await app.request('POST', path, { key, body: { user_id: id } })).body.token;
    credentials = {
      'live key': app.account.liveKey,
      'sandbox key': app.account.sandboxKey,
      'user token': await issue('/v1/auth/user-token', app.account.liveKey, own),
      'mobile token': await issue('/v1/auth/mobile-token', app.account.liveKey, own),
      'no credential': '',
    };
    untouched = await snapshot();
    expect(untouched).toContain(foreignMarker);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const send = (call: Call, credential: string, id: string) =>
    app.request(call.method, call.path(id), {
      key: credentials[credential]!,
      ...(call.body ? { body: call.body(id) } : {}),
    });

  /** To a sandbox key, the users of the live environment of its own account are foreign too. */
  const foreignTo = (credential: string) =>
    credential === 'sandbox key'
      ? [own, foreign['of another account']!, foreign["of another account's sandbox"]!]
      : Object.values(foreign);

  test('the walls stand as arranged', async () => {
    const direct = await app.ctx.db.query(`SELECT count(*)::int AS seen FROM users`);
    expect(direct.rows[0].seen > 0).toBe(walls === 'the query wall alone');
    const { rows } = await app.admin.query(
      `SELECT in_tenant(gen_random_uuid(), 'live', gen_random_uuid(), 'live') AS open`,
    );
    expect(rows[0].open).toBe(walls === 'row level security alone');
  });

  test('foreign ids answer as missing ones do, for every route and credential, and nothing foreign shows', async () => {
    let compared = 0;
    for (const call of calls) {
      for (const credential of Object.keys(credentials)) {
        const missing = await send(call, credential, missingUserId);
        // The sandbox has one user of its own that bears the mark.
        if (credential !== 'sandbox key' || call.takesId) expectNoLeak(missing);
        for (const id of call.takesId ? foreignTo(credential) : []) {
          const answer = await send(call, credential, id);
          expectNoLeak(answer);
          expect(comparable(answer, id), `${call.operationId} with ${credential}`).toEqual(
            comparable(missing, missingUserId),
          );
          if (credential.endsWith(' key')) expect(answer.status).toBe(404);
          compared += 1;
        }
      }
    }
    expect(compared).toBe(7 * 5 * 3); // calls with an id × credentials × foreign ids
    expect(await snapshot()).toBe(untouched);
    const tokens = await app.admin.query(
      `SELECT count(*)::int AS n FROM mobile_tokens m JOIN users u ON u.id = m.user_id WHERE u.reference_id = $1`,
      [foreignMarker],
    );
    expect(tokens.rows[0].n).toBe(0);
  });

  test('lists and totals count the own environment alone', async () => {
    const page = await app.request('GET', '/v1/users?page=1');
    expect(
      page.body.data.every((user: { reference_id: string }) => user.reference_id !== foreignMarker),
    ).toBe(true);
    const { rows } = await app.admin.query(
      `SELECT count(*)::int AS n FROM users WHERE account_id = $1 AND environment = 'live' AND status = 'active'`,
      [app.account.uuid],
    );
    expect(page.body.meta.total).toBe(rows[0].n);
  });

  test('own ids answer by the table of who may call what', async () => {
    for (const call of calls) {
      const rule = accessOf(call.operationId);
      const expected: Record<string, number> = {
        'no credential': 401,
        'mobile token': 401,
        'user token': rule.ownUser ? call.okStatus : 403,
        'sandbox key': call.takesId ? 404 : call.okStatus,
        'live key': call.okStatus, // last, because one of the calls deletes the user
      };
      for (const [credential, status] of Object.entries(expected)) {
        const answer = await send(call, credential, own);
        expect(answer.status, `${call.operationId} with ${credential}`).toBe(status);
      }
    }
  });
});

test('with no wall at all foreign data does show, so these tests can fail', async () => {
  await using app = await startTestApp();
  await arrange(app, 'no wall');
  const stranger = await app.createAccount();
  const id = await createUser(app, stranger.liveKey, foreignMarker);
  const answer = await app.request('GET', `/v1/users/${id}`);
  expect(answer.status).toBe(200);
  expect(() => expectNoLeak(answer)).toThrow();
});

/** Takes down one of the two walls, in the database, so that the code under test stays as it is. */
async function arrange(app: TestApp, walls: Walls): Promise<void> {
  if (walls === 'the query wall alone' || walls === 'no wall') {
    const { rows } = await app.admin.query(
      `SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBe(7);
    for (const { relname } of rows)
      await app.admin.query(`ALTER TABLE ${relname} DISABLE ROW LEVEL SECURITY`);
  }
  if (walls === 'row level security alone' || walls === 'no wall') {
    await app.admin.query(
      `CREATE OR REPLACE FUNCTION in_tenant(row_account uuid, row_environment text, account uuid, environment text)
       RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true'`,
    );
  }
}

async function createUser(app: TestApp, key: string, reference_id: string): Promise<string> {
  const answer = await app.request('POST', '/v1/users', {
    key,
    body: { reference_id, timezone: 'Europe/Berlin' },
  });
  expect(answer.status).toBe(201);
  const id = answer.body.data.id;
  await app.insertDevice(parseId('user', id)!, {
    id: crypto.randomUUID(),
    provider: foreignMarker,
    status: 'active',
  });
  return id;
}

function expectNoLeak(answer: TestAnswer): void {
  expect(JSON.stringify(answer.body)).not.toContain(foreignMarker);
}

/** An answer without what may differ: the id asked for, the request's own id, time and rate headers. */
function comparable(answer: TestAnswer, id: string): unknown {
  const apart = new Set(['request-id', 'ratelimit', 'ratelimit-policy', 'date', 'retry-after']);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !apart.has(name)));
  return { status: answer.status, headers, body: JSON.stringify(answer.body).replaceAll(id, 'ID') };
}
