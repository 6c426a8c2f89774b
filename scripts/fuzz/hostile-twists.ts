import { listOperations, readOpenApiFile } from '@tributary/server/testing/openapi';
import { nastyTexts } from './bad-values.ts';
import type { Random } from '@tributary/rig';
import { escapeWhole, type FuzzRequest } from './request.ts';
import type { Twist } from './twist.ts';
import { hostileUploadTwists } from './upload-twists.ts';

const addresses = listOperations(await readOpenApiFile()).map(({ method, path, operation }) => ({
  id: operation.operationId,
  method,
  path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`),
}));

/** The operation at a path. More letters after an id make another id, an empty segment counts as an unknown id, and a last slash is ignored. */
function operationAt({ method, path }: FuzzRequest): string | null {
  const address = path.startsWith('/v1/') ? path.replace(/\/$/, '') : path;
  return addresses.find((one) => one.method === method && one.path.test(address))?.id ?? null;
}

const nastyBodies: (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '}',
  '{"reference_id":',
  '{"reference_id":"a"',
  '{"reference_id":"a"}}',
  '{reference_id:"a"}',
  "{'reference_id':'a'}",
  '{"reference_id":"a",}',
  '{"reference_id":"\\ud800"}',
  '{"reference_id":"\\u0000"}',
  '{"reference_id":"a","reference_id":"b"}',
  '{"reference_id":"a","timezone":1e999}',
  '{"reference_id":"a","profile":{"height_cm":1e999}}',
  '{"reference_id":"a","profile":{"height_cm":-1e999}}',
  '{"reference_id":"a","profile":{"height_cm":NaN}}',
  '{"reference_id":"a","profile":{"weight_kg":1e-400}}',
  '{"reference_id":"a","profile":{"goals":{"steps":4.9e-324}}}',
  '{"reference_id":"a","profile":{"goals":{"constructor":1,"valueOf":2}}}',
  '{"reference_id":"a","profile":{"goals":{"__proto__":1}}}',
  '{"__proto__":{"reference_id":"a"}}',
  '{"reference_id":"a","__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"reference_id":"a","constructor":{"prototype":{"admin":true}}}',
  '{"reference_id":"a","profile":{"__proto__":{"sex":"male"}}}',
  '{"reference_id":"a","toString":1,"hasOwnProperty":1}',
  '{"user_id":{"toString":"x"}}',
  '\ufeff{"reference_id":"bom"}',
  'null',
  '1e999',
  '"\u2028"',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('{"reference_id":"\xed\xa0\x80"}', 'latin1'),
  Buffer.alloc(64),
  '['.repeat(33) + ']'.repeat(33),
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  `{"reference_id":"a","profile":{"goals":{${Array.from({ length: 60 }, (_, at) => `"m${at}":1`).join()}}}}`,
  `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()},"reference_id":"a"}`,
  `{"reference_id":"${'x'.repeat(1_048_600)}"}`,
  `{"reference_id":"${'\\u0000'.repeat(20_000)}"}`,
  `${' '.repeat(500_000)}{"reference_id":"a"}`,
];

const nastyQueries = [
  '%',
  '%zz=1',
  'limit=%',
  'limit=%ff%fe',
  'external_ref=%00',
  'external_ref=%ED%A0%80',
  'external_ref=%C0%80',
  'external_ref=a%0d%0aX:1',
  'limit=1&limit=1&limit=1',
  'limit[]=1',
  'limit[$gt]=1',
  '__proto__=1',
  '__proto__[admin]=1',
  'constructor=1',
  'hasOwnProperty=1',
  '&&&&',
  '=',
  '==',
  '?',
  ';',
  '+',
  'limit=1+1',
  'limit=2;page=1',
  'cursor='.padEnd(3000, 'A'),
  `cursor=${'A'.repeat(2048)}`,
  `external_ref=${'x'.repeat(8000)}`,
  Array.from({ length: 1500 }, (_, at) => `a${at}=`).join('&'),
];

const anyId = /(user|dev)_[a-z0-9]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Requests that try to crash the service. */
export const hostileTwists: Record<string, Twist> = {
  'nasty text in body': (request, random) => {
    if (typeof request.body !== 'object' || request.body === null) return false;
    const body = request.body as Record<string, unknown>;
    const name = random.pick([...Object.keys(body), 'reference_id', 'timezone', 'user_id']);
    body[name] = random.pick(nastyTexts);
  },
  'nasty key in body': (request, random) => {
    if (typeof request.body !== 'object' || request.body === null) return false;
    const text = random.pick(nastyTexts);
    request.rawBody = `{${JSON.stringify(text)}:1,${JSON.stringify(request.body).slice(1)}`.replace(
      ',}',
      '}',
    );
  },
  'nasty text in profile': (request, random) => {
    if (typeof request.body !== 'object' || request.body === null || 'user_id' in request.body) return false;
    const text = random.pick(nastyTexts);
    const profile = random.pick<object>([
      { [text]: 1 },
      { goals: { [text]: 1 } },
      { sex: text },
      { birth_date: text },
    ]);
    request.rawBody = JSON.stringify({ ...request.body, profile });
  },
  'nasty body': (request, random) => {
    if (request.method === 'GET' && random.chance(0.8)) return false;
    request.headers['content-type'] = 'application/json';
    request.rawBody = random.pick(nastyBodies);
  },
  'nasty query': (request, random) => {
    request.rawQuery = random.pick(nastyQueries);
  },
  'nasty text in query': (request, random) => {
    const name = random.pick(['external_ref', 'reference_id', 'cursor', 'limit', 'page']);
    request.query = [[name, random.pick(nastyTexts).slice(0, 3000)]];
  },
  'nasty id': (request, random) => {
    const ids = request.path.match(anyId);
    if (!ids) return false;
    const text = random.pick(nastyTexts).slice(0, 60);
    request.path = request.path.replace(random.pick(ids), escapeWhole(text));
    // Nothing here resolves dot segments, but an empty or dotted segment changes the path.
    if (/\/(\.|%2e){1,2}(\/|$)/i.test(request.path)) request.operationId = null;
  },
  'nasty header': (request, random) => {
    const name = random.pick([
      'API-Form',
      'Idempotency-Key',
      'Authorization',
      'Accept',
      'X-Forwarded-For',
      'Origin',
      'Range',
      'Cookie',
    ]);
    request.headers[name.toLowerCase()] = random
      .pick(nastyTexts)
      .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '')
      .slice(0, 4000);
  },
  'unusual headers': (request, random) => {
    Object.assign(
      request.headers,
      random.pick<Record<string, string>>([
        { accept: 'text/html' },
        { accept: 'application/xml;q=0.9, */*;q=0' },
        { accept: '' },
        { 'accept-encoding': 'br;q=0, identity;q=0' },
        { 'accept-language': 'xx'.repeat(1000) },
        { 'accept-version': '99' },
        { expect: '100-continue' },
        { 'if-none-match': '*' },
        { 'x-http-method-override': 'DELETE' },
        { 'content-encoding': 'gzip' },
        { connection: 'close' },
        { te: 'trailers' },
        { 'x-forwarded-for': '::1, 1.2.3.4', 'x-forwarded-host': 'evil.example' },
        { host: 'evil.example' },
        { 'request-id': 'mine', 'x-request-id': 'mine' },
      ]),
    );
  },
  'another method': (request, random) => {
    request.operationId = null;
    request.method = random.pick([
      'PUT',
      'TRACE',
      'PROPFIND',
      'LOCK',
      'PURGE',
      'HEAD',
      'OPTIONS',
      'REPORT',
      'MKCOL',
    ]);
    if (request.method === 'TRACE' || request.method === 'HEAD') delete request.body;
  },
  'another path': (request, random) => {
    const { path } = request;
    request.path = random.pick([
      `${path}/`,
      `${path}//`,
      `/${path}`,
      `/v2${path}`,
      path.toUpperCase(),
      `${path}%2f`,
      `${path}%00`,
      `${path}/..;/`,
      `/v1/../${path}`,
      `${path};x=1`,
      `${path}/%`,
      `${path}/%ff`,
      `${path}/%zz`,
      `${path}/%c0%af`,
      '/%2e%2e/%2e%2e/etc/passwd',
      '/',
      '/v1',
      '/favicon.ico',
      '/.env',
      '/metrics',
      `/v1/users/${'x'.repeat(201)}`,
      `/v1/users/${'x'.repeat(8000)}`,
      `/${'a/'.repeat(3000)}`,
      `/v1/users/${'%00'.repeat(60)}/x`,
    ]);
    request.operationId = operationAt(request);
  },
  'half a method': (request: FuzzRequest, random: Random) => {
    request.operationId = null;
    request.path = random.pick(['/v1/auth', '/v1/user', '/v1/users/x/y', '/docs/js', '/docs/../v1']);
  },
  ...hostileUploadTwists,
};
