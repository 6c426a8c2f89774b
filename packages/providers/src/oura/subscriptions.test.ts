import { expect, test } from 'vitest';
import type { AppApi, Call } from '../provider.ts';
import { oura } from './index.ts';

const url = 'https://tributary.test/push/oura';
const nowMs = Date.parse('2026-11-15T12:00:00Z');

/** Responds to the list request with this, and records all other requests. */
function script(listed: unknown): { api: AppApi; calls: string[] } {
  const calls: string[] = [];
  const api: AppApi = {
    app: { clientId: 'app', clientSecret: 'secret', hosts: oura.hosts, settings: {} },
    now: () => nowMs,
    send: async ({ method, url: address }: Call) => {
      if (method !== 'GET') calls.push(`${method} ${address.split('/subscription')[1]}`);
      return { status: 200, headers: {}, body: method === 'GET' ? JSON.stringify(listed) : '' };
    },
  };
  return { api, calls };
}

const pushed = oura.streams.filter(({ readOne }) => readOne !== null);
const whole = pushed.flatMap(({ name, deletes }) =>
  ['create', 'update', ...(deletes.length > 0 ? ['delete'] : [])].map((event) => ({
    id: `${name}-${event}`,
    data_type: name,
    event_type: event,
    callback_url: url,
    expiration_time: '2027-02-01T00:00:00',
  })),
);
const setUp = (api: AppApi) => oura.push!.setUp!(api, { url, state: {} });

test('keeps complete subscriptions, also if the expiry has no offset', async () => {
  const { api, calls } = script(whole);
  expect(await setUp(api)).toEqual({});
  expect(calls).toEqual([]);
});

test('deletes duplicates, and keeps subscriptions of others', async () => {
  const { api, calls } = script([
    ...whole,
    { ...whole[0], id: 'a double' },
    { ...whole[0], data_type: 'tag', callback_url: 'https://elsewhere.test', id: 'other' },
    null,
  ]);
  await setUp(api);
  expect(calls).toEqual(['DELETE /a%20double']);
});

test('renews a subscription whose expiry is near or unreadable', async () => {
  const { api, calls } = script([
    { ...whole[0], expiration_time: '2026-12-15T11:59:59Z' },
    { ...whole[1], expiration_time: null },
    ...whole.slice(2),
  ]);
  await setUp(api);
  expect(calls).toEqual(['PUT /renew/sleep-create', 'PUT /renew/sleep-update']);
});

test('creates nothing without a list, to avoid duplicates', async () => {
  const { api, calls } = script({ detail: 'odd' });
  await expect(setUp(api)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(calls).toEqual([]);
});
