import { expect, test } from 'vitest';
import { Tributary } from './index.ts';

const events = ['evt_1', 'evt_2', 'evt_3'].map((event_id) => ({ event_id, event_type: 'data.updated' }));

/** Follows until the first event, of a service whose feed has one page. */
async function firstAfter(cursor: string): Promise<{ id: string; cursor: string; requested: string[] }> {
  const requested: string[] = [];
  const stop = AbortSignal.timeout(5_000);
  const client = new Tributary({
    baseUrl: 'https://health.example.com',
    apiKey: 'sk_live_x',
    form: 2,
    fetch: (input) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      requested.push(pathname + search);
      return Promise.resolve(
        pathname.endsWith('/stream')
          ? new Response('', { status: 503 })
          : Response.json({ events, cursor: 'end', has_more: false }),
      );
    },
  });
  for await (const { event, cursor: next } of client.events.follow({ cursor, signal: stop }))
    return { id: event.event_id, cursor: next, requested };
  throw new Error('no event');
}

test('continues in the first page of the feed', async () => {
  expect(await firstAfter('~evt_1')).toEqual({
    id: 'evt_2',
    cursor: '~evt_2',
    requested: ['/v1/events?cursor=&limit=1000'],
  });
});

test('continues in a later page, and after its last event with the cursor of the feed', async () => {
  expect(await firstAfter('c7~evt_2')).toMatchObject({
    id: 'evt_3',
    cursor: 'end',
    requested: ['/v1/events?cursor=c7&limit=1000'],
  });
});
