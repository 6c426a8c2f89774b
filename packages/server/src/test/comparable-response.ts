import type { TestResponse } from './apps/test-app.ts';

const varying = new Set(['request-id', 'ratelimit', 'ratelimit-policy', 'date', 'retry-after']);

/** A response without the parts that may differ between requests: the request's own IDs, and time and rate limit headers. */
export function comparable(response: TestResponse, ids: Readonly<Record<string, string>>): unknown {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !varying.has(name)));
  const requestId = response.headers.get('request-id') ?? 'none';
  const text = JSON.stringify(response.body);
  // Request IDs grow in length, and errors repeat them.
  if (text.includes(requestId))
    headers['content-length'] = String(Number(headers['content-length']) - requestId.length);
  const own = Object.entries({ ...ids, requestId });
  const body = own.reduce((shown, [name, id]) => shown.replaceAll(id, name), text);
  return { status: response.status, headers, body };
}
