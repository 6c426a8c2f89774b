import { afterEach, expect, test, vi } from 'vitest';
import { followEvents, type StreamStep } from './stream.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('reconnects after the last message and stops when the API refuses', async () => {
  vi.useFakeTimers();
  const responses = [
    () =>
      new Response(
        'id: c1\nevent: feed.position\ndata: {}\n\nid: c2\nevent: data.updated\ndata: {"id":"evt_1"}\n\n',
      ),
    () =>
      Response.json(
        { error: 'unavailable', message: 'Later.' },
        { status: 503, headers: { 'Retry-After': '7' } },
      ),
    () => Response.json({ error: 'unauthorized', message: 'Sign in first.' }, { status: 401 }),
  ];
  const requests: { url: string; headers: Record<string, string> }[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({ url, headers });
    return responses[requests.length - 1]!();
  });
  const steps: StreamStep[] = [];
  const source = { environment: 'live', types: ['data.updated', 'score.updated'] } as const;
  const streamEnd = (async () => {
    for await (const step of followEvents(source, new AbortController().signal)) steps.push(step);
  })().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await streamEnd).toMatchObject({ status: 401 });
  expect(steps).toEqual([
    { kind: 'connected' },
    { kind: 'position', cursor: 'c1' },
    { kind: 'event', cursor: 'c2', event: { id: 'evt_1' } },
    { kind: 'lost', waitMs: 1_000 },
    { kind: 'lost', waitMs: 7_000 },
  ]);
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'c2', 'c2']);
  expect(requests[0]!.url).toBe('/v1/events/stream?type=data.updated%2Cscore.updated');
  expect(requests[0]!.headers).toMatchObject({
    accept: 'text/event-stream',
    'tributary-environment': 'live',
  });
});
