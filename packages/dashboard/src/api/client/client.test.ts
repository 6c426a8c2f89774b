import { afterEach, expect, test, vi } from 'vitest';
import { call, searchOf } from './client.ts';
import { ApiFailure } from './failure.ts';

afterEach(() => vi.unstubAllGlobals());

/** Mocks fetch with one response for every request and records the requests. */
function mockFetch(response: () => Response): { url: string; options: RequestInit }[] {
  const requests: { url: string; options: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
    requests.push({ url, options });
    return response();
  });
  return requests;
}

test('sends the query, body and environment with only the session cookie', async () => {
  const requests = mockFetch(() => Response.json({ data: 1 }));
  const response = await call('POST', '/v1/users', {
    query: { limit: 20, after: null, search: undefined, 'a b': 'c&d' },
    body: { reference_id: 'customer-1042' },
    environment: 'sandbox',
  });
  expect(response).toEqual({ data: 1 });
  expect(requests[0]!.url).toBe('/v1/users?limit=20&a+b=c%26d');
  expect(requests[0]!.options).toMatchObject({
    method: 'POST',
    credentials: 'same-origin',
    body: '{"reference_id":"customer-1042"}',
    headers: { 'content-type': 'application/json', 'tributary-environment': 'sandbox' },
  });
});

test('returns null for a response without a body', async () => {
  mockFetch(() => new Response(null, { status: 204 }));
  expect(await call('DELETE', '/dashboard/api/keys/key_1')).toBeNull();
});

test("a failure contains the server's error", async () => {
  mockFetch(() =>
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

test('a failure without JSON, such as from a proxy, is an ApiFailure too', async () => {
  mockFetch(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(call('GET', '/v1/users')).rejects.toMatchObject({
    status: 502,
    code: 'http_502',
    message: 'The server returned 502.',
    requestId: null,
  });
});

test('a network error is an ApiFailure, and an abort is not', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')));
  await expect(call('GET', '/v1/users')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  const signal = AbortSignal.abort();
  await expect(call('GET', '/v1/users', { signal })).rejects.toBeInstanceOf(TypeError);
});

test('leaves the URL unchanged without a query', () => {
  expect(searchOf()).toBe('');
  expect(searchOf({ cursor: null })).toBe('');
});
