import { errorTable, type ErrorCode } from '@tributary/contract';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import { updateAccount } from '../../services/accounts/update-account.ts';
import { listOperations, readOpenApiFile } from '../../test/openapi-file.ts';
import {
  startTestApp,
  type TestAccount,
  type TestResponse,
  type TestApp,
  type TestRequest,
} from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { testActor } from '../../test/acting.ts';

/** All reads and consolidation operations, and their errors. */
interface Endpoint {
  name: string;
  /** The section of docs/contract.md that lists its status codes. */
  contract: string;
  operationId: string;
  method: string;
  /** Relative to the user unless it begins with a slash. */
  path: string;
  /** A parameter that makes the request invalid. */
  badQuery: string;
  body?: object;
  okStatus: number;
  /** The error code for a missing user. */
  notFound?: 'not_found' | 'user_not_found';
  /** The cache policy, where it differs from the default. */
  caching?: string;
  /** Whether a user token may call it for its own user. */
  ownUser: boolean;
  statuses: number[];
}

const read = [200, 304, 400, 401, 402, 403, 404, 429];
const data = { method: 'GET', okStatus: 200, notFound: 'not_found', ownUser: true, statuses: read } as const;
const scored = { ...data, caching: 'private, max-age=300', statuses: [...read, 422] };
const explained = { ...data, ownUser: false, badQuery: 'verbose=1' };
const catalog = {
  method: 'GET',
  badQuery: 'verbose=1',
  okStatus: 200,
  ownUser: false,
  statuses: [200, 304, 401, 402, 429],
};
const setting = {
  path: 'consolidation',
  badQuery: 'verbose=1',
  notFound: 'user_not_found',
  ownUser: false,
} as const;
const dates1 = 'start_date=2026-03-01&end_date=2026-03-02';
const dates2 = 'from_date=2026-03-01&to_date=2026-03-02';

const endpoints: Endpoint[] = [
  {
    name: 'GET daily in Form 1',
    contract: 'daily-1/statuses',
    operationId: 'listDaily',
    path: `daily?${dates1}`,
    badQuery: 'metrics=nonsense',
    ...data,
    statuses: [...read, 422],
  },
  {
    name: 'GET daily in Form 2',
    contract: 'daily-2/statuses',
    operationId: 'listDaily',
    path: `daily?${dates2}`,
    badQuery: 'unit_system=royal',
    ...data,
  },
  {
    name: 'GET scores in Form 1',
    contract: 'scores-1/statuses',
    operationId: 'listScores',
    path: 'scores',
    badQuery: 'unit_system=royal',
    ...scored,
  },
  {
    name: 'GET scores in Form 2',
    contract: 'scores-2/statuses',
    operationId: 'listScores',
    path: `scores?${dates2}`,
    badQuery: 'include_sources=1',
    ...scored,
  },
  {
    name: 'GET scores/history',
    contract: 'score-history/statuses',
    operationId: 'listScoreHistory',
    path: `scores/history?${dates1}`,
    badQuery: 'from_date=2026-03-01',
    ...scored,
  },
  {
    name: 'GET timeseries',
    contract: 'timeseries/statuses',
    operationId: 'listTimeseries',
    path: `timeseries?metrics=steps&${dates1}`,
    badQuery: 'resolution=1h',
    ...data,
  },
  {
    name: 'GET sleep in Form 1',
    contract: 'sleep/statuses-1',
    operationId: 'listSleep',
    path: `sleep?${dates1}`,
    badQuery: 'page=1',
    ...data,
  },
  {
    name: 'GET sleep in Form 2',
    contract: 'sleep/statuses-2',
    operationId: 'listSleep',
    path: `sleep?${dates2}`,
    badQuery: 'limit=0',
    ...data,
  },
  {
    name: 'GET workouts in Form 1',
    contract: 'workouts/statuses-1',
    operationId: 'listWorkouts',
    path: `workouts?${dates1}`,
    badQuery: 'page=0',
    ...data,
  },
  {
    name: 'GET workouts in Form 2',
    contract: 'workouts/statuses-2',
    operationId: 'listWorkouts',
    path: `workouts?${dates2}`,
    badQuery: 'limit=0',
    ...data,
  },
  {
    name: 'GET workouts/{id}',
    contract: 'workout/statuses',
    operationId: 'getWorkout',
    path: 'workouts/WORKOUT',
    badQuery: 'verbose=1',
    ...data,
  },
  {
    name: 'GET devices',
    contract: 'devices/statuses',
    operationId: 'listDevices',
    path: 'devices',
    badQuery: 'verbose=1',
    ...data,
  },
  {
    name: 'GET consolidation/catalog',
    contract: 'catalog/statuses',
    operationId: 'getConsolidationCatalog',
    path: '/v1/consolidation/catalog',
    ...catalog,
  },
  {
    name: 'GET metrics',
    contract: 'metrics/statuses',
    operationId: 'listMetrics',
    path: '/v1/metrics',
    ...catalog,
  },
  {
    name: 'GET consolidation',
    contract: 'consolidation/statuses',
    operationId: 'getConsolidation',
    method: 'GET',
    okStatus: 200,
    ...setting,
    statuses: [200, 304, 400, 401, 402, 404, 429],
  },
  {
    name: 'PATCH consolidation',
    contract: 'consolidation-update/statuses',
    operationId: 'updateConsolidation',
    method: 'PATCH',
    body: {},
    okStatus: 202,
    ...setting,
    statuses: [202, 400, 401, 402, 404, 422, 429],
  },
  {
    name: 'DELETE consolidation',
    contract: 'consolidation-reset/statuses',
    operationId: 'resetConsolidation',
    method: 'DELETE',
    okStatus: 202,
    ...setting,
    statuses: [202, 400, 401, 404, 429],
  },
  {
    name: 'POST consolidation/preview',
    contract: 'consolidation-preview/statuses',
    operationId: 'previewConsolidation',
    method: 'POST',
    body: {},
    okStatus: 200,
    ...setting,
    path: 'consolidation/preview',
    statuses: [200, 400, 401, 402, 404, 422, 429],
  },
  {
    name: 'GET daily/explain',
    contract: 'explain-daily/statuses',
    operationId: 'explainDaily',
    path: 'daily/explain?metric=steps&date=2026-03-01',
    ...explained,
  },
  {
    name: 'GET scores/explain',
    contract: 'explain-score/statuses',
    operationId: 'explainScore',
    path: 'scores/explain?type=sleep_score&date=2026-03-01',
    ...explained,
  },
  {
    name: 'GET sleep/{id}/explain',
    contract: 'explain-sleep/statuses',
    operationId: 'explainSleep',
    path: 'sleep/SLEEP/explain',
    ...explained,
  },
  {
    name: 'GET workouts/{id}/explain',
    contract: 'explain-workout/statuses',
    operationId: 'explainWorkout',
    path: 'workouts/WORKOUT/explain',
    ...explained,
  },
];

/** A service with one user and all kinds of credentials. */
interface World {
  app: TestApp;
  userId: string;
  otherId: string;
  sleepId: string;
  workoutId: string;
  userToken: string;
  mobileToken: string;
  sdkToken: string;
}

async function createWorld(): Promise<World> {
  const app = await startTestApp();
  const user = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
  const times = { start: '2026-02-28T22:00:00Z', end: '2026-03-01T06:00:00Z' };
  await user.upload(
    { id: 'watch' },
    {
      daily: [{ metric: 'steps', date: '2026-03-01', value: 8420 }],
      sleep: [{ id: 'night', ...times, minutes: { asleep: 440 } }],
      workouts: [
        { id: 'run', sport_type: 'running', start: '2026-03-01T16:00:00Z', end: '2026-03-01T17:00:00Z' },
      ],
    },
  );
  await workThrough(app);
  const firstOf = async (list: string) =>
    (await app.request('GET', `/v1/users/${user.id}/${list}?${dates2}`)).body.data[0].id;
  const issue = async (kind: string) =>
    (await app.request('POST', `/v1/auth/${kind}-token`, { body: { user_id: user.id } })).body.token;
  return {
    app,
    userId: user.id,
    otherId: (await createPhoneUser(app)).id,
    sleepId: await firstOf('sleep'),
    workoutId: await firstOf('workouts'),
    userToken: await issue('user'),
    mobileToken: await issue('mobile'),
    sdkToken: user.accessToken,
  };
}

let world: World;
/** The same after 91 days, when every credential has expired. */
let later: World;
/** The same after an operator dropped a table that every request needs. */
let broken: World;

beforeAll(async () => {
  world = await createWorld();
  later = await createWorld();
  broken = await createWorld();
  await later.app.moveClock(91 * 86_400_000);
  await broken.app.admin.query('ALTER TABLE users RENAME TO taken_away');
});
afterAll(async () => {
  for (const { app } of [world, later, broken]) await app[Symbol.asyncDispose]();
});

const idHint = 'Check the id, and check whether the key is a live or a sandbox key.';
const missingId = formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f');

interface EndpointRequest extends TestRequest {
  in?: World;
  of?: string;
  query?: string;
}

/** Sends the request and waits when throttled; rate limits have their own test. */
async function sendRequest(
  endpoint: Endpoint,
  { in: where = world, of, query, ...options }: EndpointRequest = {},
) {
  const path = addressOf(endpoint, where, of ?? where.userId);
  const address = query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  for (;;) {
    const response = await where.app.request(endpoint.method, address, {
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...options,
    });
    if (response.status !== 429) return response;
    await sleep(1000 * Number(response.headers.get('retry-after')));
  }
}

function addressOf({ path }: Endpoint, { sleepId, workoutId }: World, userId: string): string {
  if (path.startsWith('/')) return path;
  return `/v1/users/${userId}/${path.replace('WORKOUT', workoutId).replace('SLEEP', sleepId)}`;
}

function expectError(response: TestResponse, code: ErrorCode, details: object = {}, message?: string): void {
  expect(response.body).toStrictEqual({
    error: code,
    message: message ?? errorTable[code].message,
    details: { ...details, request_id: response.headers.get('request-id') },
  });
  expect(response.status).toBe(errorTable[code].status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

const document = await readOpenApiFile();
const described = new Map(
  listOperations(document).map(({ operation }) => [operation.operationId, Object.keys(operation.responses)]),
);

describe.each(endpoints)('$name', (endpoint) => {
  const { okStatus, ownUser, notFound, badQuery } = endpoint;

  // @contract all/formats [GET daily in Form 2 | PATCH consolidation]: Every response is JSON, with a JSON content type
  // @contract all/caching [GET daily in Form 2]: Reads may be cached but must be revalidated: `private, no-cache`, `Vary: Authorization`
  // @contract all/caching [PATCH | DELETE]: Responses to changes are not cached: `no-store`
  // @contract $contract: $okStatus for an API key
  test('returns JSON to an API key', async () => {
    const response = await sendRequest(endpoint);
    expect(response.status).toBe(okStatus);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('request-id')).toMatch(/./);
    const caching = endpoint.caching ?? (endpoint.method === 'GET' ? 'private, no-cache' : 'no-store');
    expect(response.headers.get('cache-control')).toBe(caching);
    expect(response.headers.get('vary')).toMatch(/^Authorization(, API-Form)?$/);
  });

  // @contract $contract: Every status below is in the API description
  test('documents every status it returns', () => {
    const statuses = endpoint.statuses.map(String);
    expect(described.get(endpoint.operationId)).toEqual(expect.arrayContaining(statuses));
  });

  // @contract all/credentials [GET daily in Form 1]: An invalid parameter is 400 `invalid_request` and is named in `details.fields`
  // @contract $contract: 400 for an invalid parameter and for an unknown one
  test('returns 400 and names an invalid or unknown parameter', async () => {
    for (const query of [badQuery, 'surprise=1']) {
      const response = await sendRequest(endpoint, { query });
      const [name] = query.split('=');
      expect(response.status).toBe(400);
      expect(response.body).toStrictEqual({
        error: 'invalid_request',
        message: expect.stringMatching(new RegExp(`^(Query parameter \`${name}\`|Unknown metric) `)),
        details: {
          fields: [{ in: 'query', name, problem: expect.stringMatching(/^(is|must) /) }],
          request_id: response.headers.get('request-id'),
        },
      });
    }
  });

  // @contract all/credentials [GET daily in Form 1]: Errors are `{error, message, details}`, and `details` always has the `request_id`
  // @contract $contract: 401 `missing_token` without a credential
  test('returns 401 missing_token without a credential', async () => {
    expectError(await sendRequest(endpoint, { key: '' }), 'missing_token');
    const headers = { authorization: `Basic ${world.app.account.liveKey}` };
    expect((await sendRequest(endpoint, { key: '', headers })).status).toBe(401);
  });

  // @contract $contract: 401 `invalid_token` for a malformed or unknown credential, and for a mobile token
  test('returns 401 invalid_token for a malformed, unknown or non-REST credential', async () => {
    const { liveKey } = world.app.account;
    const tokens = ['nonsense', `${liveKey}x`, 'sk_live_', createSecretToken('sk_live_'), world.mobileToken];
    for (const key of tokens) expectError(await sendRequest(endpoint, { key }), 'invalid_token');
  });

  // @contract $contract: 401 `token_expired` for an expired API key or user token
  test('returns 401 token_expired for an expired credential', async () => {
    expectError(await sendRequest(endpoint, { in: later }), 'token_expired');
    expectError(await sendRequest(endpoint, { in: later, key: later.userToken }), 'token_expired');
  });

  // @contract $contract [not DELETE]: 402 `payment_required` while the account is suspended
  // @contract $contract [DELETE]: Deletion works while the account is suspended, without a 402
  test('returns 402 while the account is suspended, except for deletion', async () => {
    const account = await world.app.createAccount();
    const { body } = await world.app.request('POST', '/v1/users', {
      key: account.liveKey,
      body: { external_ref: randomUUID() },
    });
    await updateAccount(world.app.ctx, testActor, account.uuid, { status: 'suspended' });
    world.app.ctx.credentials.clear();
    const response = await sendRequest(endpoint, { key: account.liveKey, of: body.id });
    if (endpoint.method === 'DELETE') expect(response.status).toBe(202);
    else expectError(response, 'payment_required');
  });

  // @contract $contract: 403 `insufficient_scope` for an SDK session credential
  test('returns 403 for an SDK session credential', async () => {
    expectError(await sendRequest(endpoint, { key: world.sdkToken }), 'insufficient_scope');
  });

  if (ownUser) {
    // @contract $contract [not listScores | listScoreHistory]: 403 `wrong_user` for a user token on any user but its own
    // @contract $contract [listScores | listScoreHistory]: 200 for a user token on its own user, 403 `wrong_user` on any other user
    test('lets a user token read its own user and returns 403 wrong_user for any other, existing or not', async () => {
      expect((await sendRequest(endpoint, { key: world.userToken })).status).toBe(okStatus);
      for (const of of [world.otherId, missingId, 'nonsense'])
        expectError(await sendRequest(endpoint, { key: world.userToken, of }), 'wrong_user');
    });
  } else {
    // @contract $contract: 403 `insufficient_scope` for a user token
    test('returns 403 insufficient_scope for any user token', async () => {
      for (const of of [world.userId, world.otherId])
        expectError(await sendRequest(endpoint, { key: world.userToken, of }), 'insufficient_scope');
    });
  }

  if (notFound) {
    // @contract $contract: 404 `$notFound` for a user that this key cannot see
    test(`returns 404 ${notFound} for a user that is missing, malformed, deleted, or of another account or environment`, async () => {
      const { app } = world;
      const deletedUser = await createPhoneUser(app);
      expect((await app.request('DELETE', `/v1/users/${deletedUser.id}`)).status).toBe(202);
      const stranger = await app.createAccount();
      const requests: EndpointRequest[] = [
        { of: missingId },
        { of: 'nonsense' },
        { of: deletedUser.id },
        { key: stranger.liveKey },
        { key: app.account.sandboxKey },
      ];
      for (const one of requests) {
        const message = `User ${one.of ?? world.userId} does not exist in this credential's environment. ${idHint}`;
        expectError(await sendRequest(endpoint, one), notFound, {}, message);
      }
    });
  }

  if (notFound) {
    // @contract $contract: 500 `internal_error` reveals nothing about the cause
    test('returns 500 internal_error for an internal fault and reveals nothing about it', async () => {
      expectError(await sendRequest(endpoint, { in: broken }), 'internal_error');
    });
  }

  // @contract $contract: Requests are checked in the order 401, 402, 403, 400, 404
  test('checks the credential first, then the account, the permission, the shape and last the user', async () => {
    const account = await world.app.createAccount();
    const key = account.liveKey;
    const mine = await world.app.request('POST', '/v1/users', { key, body: { external_ref: randomUUID() } });
    const token = (
      await world.app.request('POST', '/v1/auth/user-token', { key, body: { user_id: mine.body.id } })
    ).body.token;
    const query = 'surprise=1';
    expect((await sendRequest(endpoint, { key: '', of: missingId, query })).status).toBe(401);
    expect((await sendRequest(endpoint, { key: token, of: missingId, query })).status).toBe(403);
    expect((await sendRequest(endpoint, { key, of: missingId, query })).status).toBe(400);
    await updateAccount(world.app.ctx, testActor, account.uuid, { status: 'suspended' });
    world.app.ctx.credentials.clear();
    const unpaid = await sendRequest(endpoint, { key: token, of: missingId, query });
    expect(unpaid.status).toBe(endpoint.method === 'DELETE' ? 403 : 402);
  });
});

describe('429', () => {
  let account: TestAccount;
  let userId: string;
  beforeAll(async () => {
    account = await world.app.createAccount();
    const { body } = await world.app.request('POST', '/v1/users', {
      key: account.liveKey,
      body: { external_ref: 'fast' },
    });
    userId = body.id;
  });

  /** Draws more than the key's bucket holds, faster than requests could on a busy machine. */
  const spendBurst = async () => {
    const draw = { key: `key:${account.uuid}:live`, rate: { perSecond: 100, burst: 200 } };
    await Promise.all(Array.from({ length: 300 }, async () => world.app.ctx.limiter.take([draw])));
    await nextTurn(); // an empty bucket is rejected without I/O, and the request must make progress
  };

  // @contract all/credentials [GET daily in Form 2]: A key allows 100 requests per second with bursts of 200
  // @contract $contract: 429 `rate_limited` with `Retry-After`
  test.each(endpoints)('$name: throttles after the burst, with the seconds to wait', async (endpoint) => {
    const { method, body } = endpoint;
    const request = { key: account.liveKey, ...(body ? { body } : {}) };
    let response: TestResponse | undefined;
    // The bucket refills continuously, so it is emptied again and again while the request is on its way.
    for (let round = 0; round < 30 && response?.status !== 429; round += 1) {
      await spendBurst();
      const sent = world.app.request(method, addressOf(endpoint, world, userId), request);
      for (response = undefined; !response;)
        response = await Promise.race([sent, spendBurst().then(() => undefined)]);
    }
    expectError(response!, 'rate_limited');
    expect(response!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(response!.headers.get('ratelimit-policy')).toBe('"key";q=200;w=2');
  });
});
