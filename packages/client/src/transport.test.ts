import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  Tributary,
  TributaryUser,
  UnexpectedResponseError,
} from './index.ts';

/** A server with the responses of each test, since the service is never this unreliable on purpose. */
type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;
let handle: Handler;
const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
const server = createServer((request, response) => {
  requests.push({ method: request.method!, url: request.url!, headers: request.headers });
  handle(request, response, requests.length);
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests.length = 0;
  // Full jitter, at its shortest.
  vi.spyOn(Math, 'random').mockReturnValue(0.01);
});

const clientOf = (options: object = {}) =>
  new Tributary({ baseUrl, apiKey: 'sk_live_x', form: 2, ...options });

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
const failure = (code: string) => ({ error: code, message: `It is ${code}.`, details: { a: 1 } });
const list = { data: [{ id: 'wh_1' }] };

describe('retries', () => {
  test.each([408, 429, 500, 502, 503, 504])('a read after a %s', async (status) => {
    handle = (_request, response, count) =>
      reply(response, count < 3 ? status : 200, count < 3 ? failure('x') : list);
    expect(await clientOf().webhooks.list()).toEqual(list);
    expect(requests).toHaveLength(3);
  });

  test('a read whose connection breaks before or within the response', async () => {
    handle = (_request, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) {
        response.writeHead(200, { 'content-length': '100' }).write('{"data":');
        setTimeout(() => response.destroy(), 20);
      } else reply(response, 200, list);
    };
    expect(await clientOf().webhooks.list()).toEqual(list);
  });

  test('no POST without an idempotency key', async () => {
    handle = (_request, response) => reply(response, 503, failure('unavailable'));
    await expect(clientOf().users.create({ external_ref: 'a' })).rejects.toThrow(ServerError);
    handle = (_request, response) => void response.destroy();
    await expect(clientOf().users.create({ external_ref: 'a' })).rejects.toThrow(ConnectionError);
    expect(requests).toHaveLength(2);
  });

  test('a POST with the same idempotency key, also while the first request still runs', async () => {
    handle = (_request, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) reply(response, 409, failure('idempotency_in_progress'));
      else reply(response, 201, { session_id: 's' });
    };
    expect(await clientOf().sdkSessions.create('user_1', {})).toEqual({ session_id: 's' });
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    await clientOf().sdkSessions.create('user_1', {});
    expect(requests.at(-1)!.headers['idempotency-key']).not.toBe(keys[0]);
  });

  test('no error that a retry cannot resolve', async () => {
    handle = (_request, response) => reply(response, 404, failure('not_found'), { 'request-id': 'req_1' });
    await expect(clientOf().users.get('user_1')).rejects.toThrow(
      expect.objectContaining({
        constructor: NotFoundError,
        name: 'NotFoundError',
        code: 'not_found',
        message: 'It is not_found.',
        details: { a: 1 },
        requestId: 'req_1',
        status: 404,
        attempts: 1,
      }),
    );
    expect(requests).toHaveLength(1);
  });

  test('at most as often as configured', async () => {
    handle = (_request, response) => reply(response, 503, failure('unavailable'));
    await expect(clientOf().webhooks.list()).rejects.toThrow(expect.objectContaining({ attempts: 4 }));
    await expect(clientOf({ maxRetries: 1 }).webhooks.list()).rejects.toThrow(
      expect.objectContaining({ attempts: 2 }),
    );
    await expect(clientOf().webhooks.list({ maxRetries: 0 })).rejects.toThrow(
      expect.objectContaining({ attempts: 1 }),
    );
  });

  test('waits as long as `Retry-After` says', async () => {
    handle = (_request, response, count) =>
      reply(response, count === 1 ? 429 : 200, count === 1 ? failure('rate_limited') : list, {
        'retry-after': '1',
      });
    const startedAt = performance.now();
    await clientOf().webhooks.list();
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  test('fails at once if the wait would end after the deadline', async () => {
    handle = (_request, response) => reply(response, 429, failure('rate_limited'), { 'retry-after': '3600' });
    const startedAt = performance.now();
    await expect(clientOf().webhooks.list()).rejects.toThrow(
      expect.objectContaining({ constructor: RateLimitError, retryAfterMs: 3_600_000 }),
    );
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('delays grow with full jitter', async () => {
    const { backoff } = await import('./wait.ts');
    vi.spyOn(Math, 'random').mockReturnValue(1);
    expect([0, 1, 2, 5, 60].map((failures) => backoff(failures))).toEqual([
      1_000, 2_000, 4_000, 30_000, 30_000,
    ]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(backoff(3)).toBe(0);
  });
});

describe('time limits', () => {
  test('end an attempt that is silent', async () => {
    handle = () => {};
    const call = clientOf({ attemptTimeoutMs: 50, maxRetries: 1 }).webhooks.list();
    await expect(call).rejects.toThrow(expect.objectContaining({ constructor: TimeoutError, attempts: 2 }));
  });

  test('end a response that never completes', async () => {
    handle = (_request, response) => void response.writeHead(200).write('{');
    await expect(clientOf({ timeoutMs: 100 }).webhooks.list()).rejects.toThrow(TimeoutError);
  });

  test('abort with the reason of the signal, also between attempts', async () => {
    const controller = new AbortController();
    const reason = new Error('left the page');
    handle = (_request, response) => {
      reply(response, 503, failure('unavailable'), { 'retry-after': '5' });
      setTimeout(() => controller.abort(reason), 20);
    };
    await expect(clientOf().webhooks.list({ signal: controller.signal })).rejects.toBe(reason);
    await expect(clientOf().webhooks.list({ signal: controller.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('requests', () => {
  test('have the form, the credential and only the parameters that are set', async () => {
    handle = (_request, response) => reply(response, 200, {});
    await clientOf().daily.list('user/1', {
      types: ['steps', 'weight'],
      from_date: undefined,
      include_sources: true,
    });
    expect(requests[0]).toMatchObject({
      url: `/v1/users/user%2F1/daily?types=${encodeURIComponent('steps,weight')}&include_sources=true`,
      headers: { 'api-form': '2', authorization: 'Bearer sk_live_x' },
    });
    await clientOf().service.health();
    expect(requests[1]!.headers).not.toHaveProperty('authorization');
  });

  test('never follow a redirect with the credential', async () => {
    handle = (_request, response) => void response.writeHead(302, { location: `${baseUrl}/other` }).end();
    await expect(clientOf().webhooks.list()).rejects.toThrow(UnexpectedResponseError);
    expect(requests).toHaveLength(1);
  });

  test.each(['', '.', '..', undefined as unknown as string])('are not sent for the identifier "%s"', (id) => {
    expect(() => clientOf().users.delete(id)).toThrow(TypeError);
  });

  test('are sent even if nothing awaits them', async () => {
    handle = (_request, response) => void response.writeHead(204).end();
    clientOf().webhooks.delete('wh_1');
    await vi.waitFor(() => expect(requests).toHaveLength(1));
  });

  test('report the error page of a proxy as such', async () => {
    handle = (_request, response) => void response.writeHead(403).end('<html>');
    await expect(clientOf().webhooks.list()).rejects.toThrow(UnexpectedResponseError);
    handle = (_request, response) => void response.writeHead(200).end('<html>');
    await expect(clientOf().webhooks.list()).rejects.toThrow('The response is not JSON');
  });
});

describe('credentials', () => {
  test('are renewed once for all requests that were rejected', async () => {
    let issued = 0;
    handle = (request, response) => {
      const isCurrent = request.headers.authorization === 'Bearer token-2';
      reply(response, isCurrent ? 200 : 401, isCurrent ? {} : failure('token_expired'));
    };
    const userToken = async () => {
      await sleep(5);
      return `token-${(issued += 1)}`;
    };
    const client = new TributaryUser({ baseUrl, userToken, form: 2 });
    await Promise.all(Array.from({ length: 5 }, () => client.scores.list('user_1')));
    expect(issued).toBe(2);
    await client.scores.list('user_1');
    expect(issued).toBe(2);
  });

  test('that stay rejected are not requested forever', async () => {
    handle = (_request, response) => reply(response, 401, failure('invalid_token'));
    const client = new TributaryUser({ baseUrl, userToken: () => 'token', form: 2 });
    await expect(client.scores.list('user_1')).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_token' }),
    );
    expect(requests).toHaveLength(2);
  });

  test('that cannot be issued are requested again by the next request', async () => {
    handle = (_request, response) => reply(response, 200, {});
    let tries = 0;
    const userToken = () => {
      if ((tries += 1) === 1) throw new Error('the backend is down');
      return 'token';
    };
    const client = new TributaryUser({ baseUrl, userToken, form: 2 });
    await expect(client.scores.list('user_1')).rejects.toThrow('the backend is down');
    expect(await client.scores.list('user_1')).toEqual({});
  });

  test('never reach a browser as an API key, an error or a printed client', async () => {
    expect(() => new TributaryUser({ baseUrl, userToken: 'sk_live_x', form: 2 })).toThrow('API key');
    vi.stubGlobal('window', { document: {} });
    expect(() => clientOf()).toThrow('An API key must not reach a browser.');
    vi.unstubAllGlobals();
    const { inspect } = await import('node:util');
    expect(inspect(clientOf(), { depth: 9, showHidden: true })).not.toContain('sk_live_x');
    handle = (_request, response) => void response.destroy();
    const error: unknown = await clientOf()
      .users.create({ external_ref: 'a' })
      .catch((one: unknown) => one);
    expect(inspect(error, { depth: 9 })).not.toContain('sk_live_x');
  });
});

describe('conditional reads', () => {
  test('return null while nothing changed', async () => {
    handle = (request, response) =>
      request.headers['if-none-match'] === '"v1"'
        ? void response.writeHead(304, { etag: '"v1"' }).end()
        : reply(response, 200, { a: 1 }, { etag: '"v1"', 'request-id': 'req_1' });
    const first = await clientOf().scores.list('user_1').withResponse();
    expect(first).toMatchObject({ data: { a: 1 }, status: 200, etag: '"v1"', requestId: 'req_1' });
    expect(await clientOf().scores.list('user_1').ifChanged(first.etag!)).toBeNull();
    expect(await clientOf().scores.list('user_1').ifChanged('"v0"')).toMatchObject({ data: { a: 1 } });
    expect(requests).toHaveLength(3);
  });

  test('revalidate responses in memory, as many as configured', async () => {
    handle = (request, response) =>
      request.headers['if-none-match'] === '"v1"'
        ? void response.writeHead(304, { etag: '"v1"' }).end()
        : reply(response, 200, { url: request.url }, { etag: '"v1"' });
    const client = clientOf({ cachedResponses: 2 });
    const first = await client.scores.list('user_1');
    const again = await client.scores.list('user_1');
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
    expect(requests[1]!.headers['if-none-match']).toBe('"v1"');
    await client.scores.list('user_2');
    await client.scores.list('user_3');
    await client.scores.list('user_1');
    expect(requests.at(-1)!.headers).not.toHaveProperty('if-none-match');
  });
});

describe('lists', () => {
  test('are pages, and every item of all pages', async () => {
    handle = (request, response) => {
      const after = Number(new URL(request.url!, baseUrl).searchParams.get('cursor') ?? 0);
      const data = after === 1 ? [] : [{ id: `user_${after}` }];
      reply(response, 200, { data, next_cursor: after < 3 ? String(after + 1) : null });
    };
    const page = await clientOf().users.list({ limit: 1 });
    expect(JSON.parse(JSON.stringify(page))).toEqual({ data: [{ id: 'user_0' }], next_cursor: '1' });
    expect(page.hasNextPage).toBe(true);
    expect((await page.nextPage())!.data).toEqual([]);
    const ids: string[] = [];
    for await (const { id } of clientOf().users.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual(['user_0', 'user_2', 'user_3']);
    expect(requests.at(-1)!.url).toBe('/v1/users?limit=1&cursor=3');
    expect(requests).toHaveLength(2 + 4);
  });

  test('of numbered pages end with the last one', async () => {
    handle = (request, response) => {
      const page = Number(new URL(request.url!, baseUrl).searchParams.get('page') ?? 1);
      reply(response, 200, { data: [{ id: `user_${page}` }], meta: { page, per_page: 1, total: 3 } });
    };
    const client = new Tributary({ baseUrl, apiKey: 'sk_live_x', form: 1 });
    const ids: string[] = [];
    for await (const { id } of client.users.list({ per_page: 1 })) ids.push(id);
    expect(ids).toEqual(['user_1', 'user_2', 'user_3']);
    const last = await client.users.list({ page: 3, per_page: 1 });
    expect([last.hasNextPage, await last.nextPage()]).toEqual([false, null]);
  });
});
