import { wrongValues } from './bad-values.ts';
import type { Random } from '@tributary/rig';
import { targetOf, type FuzzRequest } from './request.ts';
import { nearUploadTwists } from './upload-twists.ts';
import type { World } from './world.ts';
import type { Tenant } from './tenant.ts';
import type { Twist } from './twist.ts';

const wrongNumbers = [
  '0',
  '-1',
  '101',
  '1.5',
  '1e3',
  '٣',
  ' 1',
  '',
  'NaN',
  '99999999999999999999',
  '+1',
  '0x1',
];

const wrongDates = [
  '2026-02-30',
  '2026-3-1',
  '1899-12-31',
  '2201-01-01',
  '',
  'today',
  '2026-03-01T00:00:00Z',
  '٢٠٢٦-٠٣-٠١',
];

/** Each of these makes exactly one thing wrong. */
export const nearTwists: Record<string, Twist> = {
  'wrong type in body': (request, random) =>
    changeBody(request, (body) => {
      const name = random.pick(Object.keys(body));
      body[name] = random.pick(wrongValues);
    }),
  'wrong value in profile': (request, random) => {
    if (request.operationId !== 'createUser' && request.operationId !== 'updateUser') return false;
    const names = ['birth_date', 'sex', 'height_cm', 'weight_kg', 'max_heart_rate', 'goals', 'shoe_size'];
    const value = random.pick([
      ...wrongValues,
      '1899-12-31',
      '2999-01-01',
      1e6,
      { steps: -1 },
      { 'not an id': 1 },
    ]);
    return changeBody(request, (body) => {
      body['profile'] = { [random.pick(names)]: value };
    });
  },
  'missing field': (request, random) =>
    changeBody(request, (body) => {
      delete body[random.pick(Object.keys(body))];
    }),
  'extra field': (request, random) =>
    changeBody(request, (body) => {
      body[random.pick(['id', 'status', 'user_id', 'scopes', 'timezone', 'x'.repeat(300)])] =
        random.pick(wrongValues);
    }),
  'too long': (request, random) =>
    changeBody(request, (body) => {
      body[random.pick(Object.keys(body))] = 'x'.repeat(random.pick([65, 256, 257, 5000]));
    }),
  'wrong body type': (request, random) => {
    if (request.body === undefined) return false;
    request.body = random.pick([[], [{}], 'text', 1, true, null, {}]);
  },
  'unexpected body': (request, random) => {
    if (request.body !== undefined || request.method === 'GET') return false;
    request.headers['content-type'] = random.pick(['application/json', 'text/plain']);
    request.rawBody = random.pick(['', '{}', 'x', '{"a":1}']);
  },
  'no body': (request, random) => {
    if (request.body === undefined) return false;
    delete request.body;
    if (random.chance(0.5)) delete request.headers['content-type'];
  },
  'both names of the reference': (request, random) =>
    changeBody(request, (body) => {
      body['reference_id'] = 'one';
      body['external_ref'] = random.pick(['one', 'two']);
    }),
  'wrong content type': (request, random) => {
    if (request.body === undefined) return false;
    request.headers['content-type'] = random.pick([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/JSON',
      'application/json;;',
      'application/vnd.api+json',
      'application/',
      '/',
      'json',
      '*/*',
    ]);
  },
  'unknown parameter': (request, random) => {
    request.query.push([random.pick(['verbose', 'pagе', 'limit[]', 'limit', 'page', '', '__proto__']), '1']);
  },
  'parameter twice': (request, random) => {
    const [name, value] = request.query[0] ?? ['limit', '2'];
    request.query.push([name, value], [name, random.pick([value, '3'])]);
  },
  'wrong parameter': (request, random) => {
    request.query = [[random.pick(['limit', 'page', 'per_page']), random.pick(wrongNumbers)]];
  },
  'empty filter': (request, random) => {
    request.query = [[random.pick(['external_ref', 'reference_id', 'cursor']), '']];
  },
  'wrong cursor': (request, random, _world, tenant) => {
    const cursor = random.pick(tenant.cursors);
    request.query = [
      ['cursor', random.pick([`${cursor}A`, cursor.slice(1), cursor.toUpperCase(), 'e30', '☃'])],
    ];
  },
  "another tenant's cursor": (request, random, world) => {
    request.query = [['cursor', random.pick(random.pick(world.tenants).cursors)]];
  },
  'both forms': (request, random) => {
    request.headers['API-Form'] = random.pick(['1', '2']);
    request.query = random.pick<[string, string][]>([
      [['page', '1']],
      [['limit', '2']],
      [
        ['page', '1'],
        ['limit', '2'],
      ],
    ]);
  },
  'wrong form': (request, random) => {
    request.headers['API-Form'] = random.pick(['0', '3', '', '1, 2', '1.0', 'one', ' ', 'x'.repeat(2000)]);
  },
  'form twice': (request) => {
    request.headers['API-Form'] = ['1', '2'];
  },
  'wrong idempotency key': (request, random) => {
    if (!('Idempotency-Key' in request.headers)) return false;
    const key = String(request.headers['Idempotency-Key']);
    const value = random.pick([
      null,
      '',
      'x',
      key.slice(1),
      `urn:uuid:${key}`,
      `{${key}}`,
      key.toUpperCase(),
    ]);
    if (value === null) delete request.headers['Idempotency-Key'];
    else request.headers['Idempotency-Key'] = value;
  },
  'idempotency key twice': (request, random) => {
    if (!('Idempotency-Key' in request.headers)) return false;
    request.headers['Idempotency-Key'] = [random.uuid(), random.uuid()];
  },
  'wrong session or batch': (request, random, world) => {
    const [id] = /(?<=\/(sdk-sessions|batches)\/)[^/]+$/.exec(request.path) ?? [];
    if (id === undefined) return false;
    const { sessions, batches } = random.pick(world.tenants);
    const wrong = [id.slice(1), `${id}0`, id.replaceAll('-', ''), `urn:uuid:${id}`, id.toUpperCase()];
    const others = [random.uuid(), random.pick(sessions).id, random.pick(batches).id];
    request.path = request.path.replace(id, random.pick([...wrong, ...others, 'x']));
  },
  'wrong device': (request, random, world, tenant) => {
    const [id] = /dev_[a-z0-9]{26}$/.exec(request.path) ?? [];
    if (id === undefined) return false;
    const wrong = [id.toUpperCase(), id.slice(0, -1), `${id}0`, id.replace('dev_', 'user_'), id.slice(4)];
    const others = [tenant, random.pick(world.tenants)].map(({ devices }) => random.pick(devices).id);
    request.path = request.path.replace(id, random.pick([...wrong, ...others, `dev_${random.word(26)}`]));
  },
  'wrong workout': (request, random, world, tenant) => {
    const [id] = /wko_[a-z0-9]{26}$/.exec(request.path) ?? [];
    if (id === undefined) return false;
    const wrong = [id.toUpperCase(), id.slice(0, -1), `${id}0`, id.replace('wko_', 'slp_'), id.slice(4)];
    const others = [tenant, random.pick(world.tenants)].map(({ workouts }) => random.pick(workouts).id);
    request.path = request.path.replace(id, random.pick([...wrong, ...others, `wko_${random.word(26)}`]));
  },
  'wrong dates': (request, random) => {
    const [from, to] = random.pick([
      ['start_date', 'end_date'],
      ['from_date', 'to_date'],
    ]);
    request.query = random.pick<[string, string][]>([
      [[from, '2026-03-01']],
      [[to, random.pick(wrongDates)]],
      [
        [from, '2026-03-02'],
        [to, '2026-03-01'],
      ],
      [
        [from, '2020-01-01'],
        [to, '2026-03-01'],
      ],
    ]);
  },
  'wrong token in body': (request, random) => {
    const body = request.body as Record<string, unknown> | undefined;
    const name = ['client_token', 'refresh_token'].find((field) => typeof body?.[field] === 'string');
    if (!body || !name) return false;
    const token = String(body[name]);
    const wrong = [`${token}0`, token.slice(0, -1), token.replace(/^.t_/, 'sk_'), `${token}\u0000`];
    body[name] = random.pick(wrong);
  },
  'wrong id': (request, random) =>
    changeId(request, (id) =>
      random.pick([
        id.toUpperCase(),
        id.slice(0, -1),
        `${id}0`,
        id.replace('user_', 'dev_'),
        id.replace('user_', ''),
        'user_7zzzzzzzzzzzzzzzzzzzzzzzzz',
        'user_8zzzzzzzzzzzzzzzzzzzzzzzzz',
        'user_00000000000000000000000000',
        `user_${random.word(26)}`,
        // Well formed, but seldom a UUID.
        ...Array.from(
          { length: 4 },
          () => `user_${random.int(0, 7)}${random.word(25).replaceAll(/[ilou]/g, '0')}`,
        ),
        '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f',
        'me',
      ]),
    ),
  "another tenant's id": (request, random, world) =>
    changeId(request, () => random.pick(random.pick(world.tenants).users)),
  'id of a deleted user': (request, random, world, tenant) =>
    changeId(request, (id) => random.pick([...tenant.deleted, id])),
  'odd credential': (request, random, world, tenant) => {
    if (!('authorization' in request.headers)) return false;
    const value = random.pick(oddCredentials(random, world, tenant));
    if (value === null) delete request.headers['authorization'];
    else request.headers['authorization'] = value;
  },
  'suspended or full account': (request, random, world) => {
    if (!('authorization' in request.headers)) return false;
    request.headers['authorization'] = `Bearer ${random.pick([world.suspended, world.full]).key}`;
  },
  ...nearUploadTwists,
};

function oddCredentials(random: Random, world: World, tenant: Tenant): (string | null)[] {
  const { token } = random.pick(tenant.userTokens);
  const foreign = random.pick(random.pick(world.tenants).userTokens).token;
  const session = tenant.accessTokens.at(-1) ?? 'sdk_none';
  const [header, payload, signature] = token.split('.') as [string, string, string];
  return [
    null,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    tenant.key,
    `bearer ${tenant.key}`,
    `Bearer  ${tenant.key}`,
    `Bearer ${tenant.key} `,
    `Bearer ${tenant.key}x`,
    `Bearer ${tenant.key.slice(0, -1)}`,
    `Bearer ${tenant.key.replace('sk_', 'mt_')}`,
    `Bearer ${world.revokedKey}`,
    `Bearer ${world.unknownKey}`,
    `Bearer ${token}`,
    `Bearer ${foreign}`,
    `Bearer ${header}.${payload}.${signature.slice(1)}A`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    `Bearer ${Buffer.from('{"alg":"HS256","kid":"x"}').toString('base64url')}.${payload}.${signature}`,
    `Bearer ${session}`,
    `Bearer ${session}A`,
    `Bearer ${session.slice(0, -1)}`,
    `Bearer ${session.slice(0, -1)}+`,
    `Bearer ${tenant.clientTokens.at(-1) ?? 'ct_none'}`,
    `Bearer ${tenant.refreshTokens.at(-1) ?? 'rt_none'}`,
    'Bearer a.b.c',
    'Bearer ..',
    `Bearer ${'x'.repeat(5000)}`,
    `Bearer ${'.'.repeat(4000)}`,
  ];
}

function changeBody(request: FuzzRequest, change: (body: Record<string, unknown>) => void): boolean {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return false;
  change(body as Record<string, unknown>);
  return true;
}

/** Changes the id wherever the request refers to its user. */
function changeId(request: FuzzRequest, change: (id: string) => string): boolean {
  const body = request.body as { user_id?: unknown } | null | undefined;
  if (typeof body?.user_id === 'string') {
    body.user_id = change(body.user_id);
    return true;
  }
  const [id] = /user_[a-z0-9]{26}/.exec(targetOf(request)) ?? [];
  if (id === undefined) return false;
  request.path = request.path.replace(id, encodeURIComponent(change(id)));
  return true;
}
