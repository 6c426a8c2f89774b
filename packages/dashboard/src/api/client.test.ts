import { afterEach, expect, test, vi } from 'vitest';
import { call, searchOf } from './client.ts';
import { ApiFailure } from './failure.ts';

afterEach(() => vi.unstubAllGlobals());

/** Answers every call alike, and remembers what was asked. */
function answerWith(response: () => Response): { url: string; options: RequestInit }[] {
  const asked: { url: string; options: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
    asked.push({ url, options });
    return response();
  });
  return asked;
}

test('a call carries its query, its body and its environment, and the cookie of the session alone', async () => {
  const asked = answerWith(() => Response.json({ data: 1 }));
  const answer = await call('POST', '/v1/users', {
    query: { limit: 20, after: null, search: undefined, 'a b': 'c&d' },
    body: { reference_id: 'customer-1042' },
    environment: 'sandbox',
  });
  expect(answer).toEqual({ data: 1 });
  expect(asked[0]!.url).toBe('/v1/users?limit=20&a+b=c%26d');
  expect(asked[0]!.options).toMatchObject({
    method: 'POST',
    credentials: 'same-origin',
    body: '{"reference_id":"customer-1042"}',
    headers: { 'content-type': 'application/json', 'tributary-environment': 'sandbox' },
  });
});

test('an answer without a body is null', async () => {
  answerWith(() => new Response(null, { status: 204 }));
  expect(await call('DELETE', '/dashboard/api/keys/key_1')).toBeNull();
});

test('a refusal keeps what the server said about it', async () => {
  answerWith(() =>
    Response.json(
      { error: 'user_not_found', message: 'There is no such user.', details: { id: 'user_1' } },
      { status: 404, headers: { 'Request-Id': 'req_1', 'Retry-After': '30' } },
    ),
  );
  const failure = await call('GET', '/v1/users/user_1').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toMatchObject({
    status: 404,
    code: 'user_not_found',
    message: 'There is no such user.',
    details: { id: 'user_1' },
    requestId: 'req_1',
    retryAfterSeconds: 30,
  });
});

test('a refusal of something in between, which is no JSON, is a failure as well', async () => {
  answerWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(call('GET', '/v1/users')).rejects.toMatchObject({
    status: 502,
    code: 'http_502',
    message: 'The server answered 502.',
    requestId: null,
  });
});

test('no answer at all is a failure of its own, and giving up is none', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')));
  await expect(call('GET', '/v1/users')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  const signal = AbortSignal.abort();
  await expect(call('GET', '/v1/users', { signal })).rejects.toBeInstanceOf(TypeError);
});

test('nothing asked for leaves the address as it is', () => {
  expect(searchOf()).toBe('');
  expect(searchOf({ cursor: null })).toBe('');
});
