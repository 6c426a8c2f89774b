import type { TestAnswer } from './apps/test-app.ts';

const varying = new Set(['request-id', 'ratelimit', 'ratelimit-policy', 'date', 'retry-after']);

/** A response without the parts that may differ between requests: the request's own IDs, and time and rate limit headers. */
export function comparable(answer: TestAnswer, ids: Readonly<Record<string, string>>): unknown {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !varying.has(name)));
  const requestId = answer.headers.get('request-id') ?? 'none';
  const text = JSON.stringify(answer.body);
  // Request IDs grow in length, and errors repeat them.
  if (text.includes(requestId))
    headers['content-length'] = String(Number(headers['content-length']) - requestId.length);
  const own = Object.entries({ ...ids, requestId });
  const body = own.reduce((shown, [name, id]) => shown.replaceAll(id, name), text);
  return { status: answer.status, headers, body };
}
