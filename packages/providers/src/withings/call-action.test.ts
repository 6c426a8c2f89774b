import { expect, test } from 'vitest';
import type { AppApi, Call } from '../provider.ts';
import { pagesOf } from './call-action.ts';

/** Responds with these bodies in order and records the requests. */
function createFakeApi(...bodies: object[]): { api: AppApi; calls: Call[] } {
  const requests: Call[] = [];
  const app = { clientId: 'a', clientSecret: 'b', hosts: { api: 'https://api.test' }, settings: {} };
  const send = async (call: Call) => {
    requests.push(call);
    return { status: 200, headers: {}, body: JSON.stringify({ status: 0, body: bodies.shift() }) };
  };
  return { api: { app, now: Date.now, send }, calls: requests };
}

async function read(api: AppApi): Promise<unknown[]> {
  const pages: unknown[] = [];
  for await (const page of pagesOf(api, '/x', { action: 'get' }, 'series')) pages.push(page);
  return pages;
}

test('continues while there are more pages, in either notation, and through empty pages', async () => {
  const { api, calls } = createFakeApi(
    { series: [1, 2], more: true, offset: 2 },
    { series: {}, more: 1, offset: 4 },
    { series: [5], more: 0, offset: 0 },
  );
  expect(await read(api)).toEqual([[1, 2], [5]]);
  expect(calls.map(({ form }) => form?.['offset'])).toEqual([undefined, 2, 4]);
});

test('ends on the last page', async () => {
  expect(await read(createFakeApi({ series: [1], more: false, offset: 7 }).api)).toEqual([[1]]);
  expect(await read(createFakeApi({ series: [1] }).api)).toEqual([[1]]);
  expect(await read(createFakeApi([]).api)).toEqual([]);
});

test('does not request the same page indefinitely', async () => {
  const stuck = { series: [1], more: true, offset: 2 };
  await expect(read(createFakeApi(stuck, stuck, stuck).api)).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(read(createFakeApi({ series: [1], more: true }).api)).rejects.toMatchObject({
    kind: 'unavailable',
  });
});
