import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Lab } from '@tributary/lab';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { AppApi, Documents, PushRequest } from '../provider.ts';
import { connectInLab, openAppApi, startTestLab } from '../test/lab-api.ts';
import { oura } from './index.ts';

const { setUp, respond, notices } = oura.push!;
const dayMs = 86_400_000;
let lab: Lab;
let api: AppApi;
let address: Address;

beforeEach(async () => {
  lab = await startTestLab();
  api = openAppApi(lab, oura);
  address = await openAddress();
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  await address[Symbol.asyncDispose]();
});

interface Address extends AsyncDisposable {
  url: string;
  acceptedRequests: PushRequest[];
  statuses: number[];
}

/** Passes pushes to the provider, as the service does. */
async function openAddress(): Promise<Address> {
  const acceptedPushes: PushRequest[] = [];
  const statuses: number[] = [];
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request: PushRequest = {
      method: incoming.method ?? '',
      query: new URL(incoming.url ?? '/', 'http://push').searchParams,
      headers: incoming.headers as Record<string, string>,
      body: await buffer(incoming),
    };
    const { status, body, keep } = await respond(request, { api, state: {} });
    if (keep) acceptedPushes.push(request);
    statuses.push(status);
    response.writeHead(status).end(body);
  };
  const server = createServer((incoming, response) => void take(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`,
    acceptedRequests: acceptedPushes,
    statuses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Listed {
  id: string;
  callback_url: string;
  data_type: string;
  event_type: string;
  expiration_time: string;
}

async function call(method: 'GET' | 'DELETE' | 'PUT', rest = '', json?: unknown): Promise<string> {
  const headers = { 'x-client-id': api.app.clientId, 'x-client-secret': api.app.clientSecret };
  const url = `${api.app.hosts['api']}/v2/webhook/subscription${rest}`;
  return (await api.send({ method, url, headers, ...(json !== undefined && { json }) })).body;
}
const list = async () => JSON.parse(await call('GET')) as Listed[];
const pairsOf = (listed: Listed[]) => listed.map((one) => `${one.data_type} ${one.event_type}`).sort();
const requests = () => lab.counts('oura').requests;

describe('setting up', () => {
  test('creates one subscription for each data type and event, and then keeps them', async () => {
    const state = await setUp!(api, { url: address.url, state: {} });
    const subscriptions = await list();
    const pushed = oura.streams.filter(({ name }) => name !== 'heartrate').map(({ name }) => name);
    expect(pairsOf(subscriptions)).toEqual(
      [
        ...pushed.flatMap((name) => [`${name} create`, `${name} update`]),
        'sleep delete',
        'workout delete',
      ].sort(),
    );
    expect(new Set(address.statuses)).toEqual(new Set([200]));
    expect(address.acceptedRequests).toEqual([]);
    const before = requests();
    expect(await setUp!(api, { url: address.url, state })).toEqual(state);
    expect(requests() - before).toBe(1);
    expect(await list()).toEqual(subscriptions);
  });

  test('creates missing subscriptions and fixes the URL', async () => {
    await setUp!(api, { url: address.url, state: {} });
    const [first] = await list();
    await call('DELETE', `/${first!.id}`);
    await setUp!(api, { url: address.url, state: {} });
    const subscriptions = await list();
    expect(subscriptions).toHaveLength(22);

    await using other = await openAddress();
    await setUp!(api, { url: other.url, state: {} });
    const moved = await list();
    expect(moved.map(({ id }) => id).sort()).toEqual(subscriptions.map(({ id }) => id).sort());
    expect(new Set(moved.map((one) => one.callback_url))).toEqual(new Set([other.url]));
  });

  test('renews in the last month, and replaces expired subscriptions', async () => {
    await setUp!(api, { url: address.url, state: {} });
    await lab.clock.advance(59 * dayMs);
    const before = await list();
    await setUp!(api, { url: address.url, state: {} });
    expect(await list()).toEqual(before);
    await lab.clock.advance(2 * dayMs);
    await setUp!(api, { url: address.url, state: {} });
    const renewed = await list();
    expect(renewed.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const ends = new Set(renewed.map((one) => Date.parse(one.expiration_time)));
    expect(ends).toEqual(new Set([lab.clock.now() + 90 * dayMs]));
    await lab.clock.advance(91 * dayMs);
    expect(await list()).toEqual([]);
    await setUp!(api, { url: address.url, state: {} });
    expect(await list()).toHaveLength(22);
  });
});

test('pushes a night, and reads it by its id', async () => {
  const ada = await connectInLab(lab, oura);
  await setUp!(api, { url: address.url, state: {} });
  // One hour before the token expires.
  await lab.clock.advance(dayMs - 3_600_000);
  expect(address.acceptedRequests.length).toBeGreaterThan(5);
  expect(new Set(address.statuses)).toEqual(new Set([200]));
  const streams = new Set<string>();
  for (const { body, headers } of address.acceptedRequests) {
    const [notice, ...others] = notices(body.toString(), headers);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: 'document', userId: ada.userId });
    if (notice?.kind !== 'document') continue;
    const documents = await readOne(notice.stream, notice.id);
    expect(JSON.stringify(documents)).toContain(notice.id);
    const batch = new BatchBuilder();
    oura.streams.find(({ name }) => name === notice.stream)!.map(documents, batch);
    expect(Object.values(batch.lists).flat()).not.toEqual([]);
    streams.add(notice.stream);
  }
  // Users do not train every day. All other streams have data.
  const pushed = oura.streams.filter(({ name }) => name !== 'heartrate' && name !== 'workout');
  expect(pushed.map(({ name }) => name).filter((name) => !streams.has(name))).toEqual([]);
  expect(await readOne('sleep', '7f0c9b1e-0000-4000-8000-000000000000')).toEqual([]);
  expect(await readOne('workout', '../personal_info')).toEqual([]);

  function readOne(stream: string, id: string): Promise<Documents> {
    return oura.streams.find(({ name }) => name === stream)!.readOne!(ada, id);
  }
});

test('deletes a deleted sleep', async () => {
  await connectInLab(lab, oura);
  lab.faults.on({ kind: 'revised', rate: 1, provider: 'oura' });
  const url = address.url;
  await setUp!(api, { url, state: {} });
  for (const one of await list()) if (one.event_type !== 'delete') await call('DELETE', `/${one.id}`);
  await lab.clock.advance(80 * dayMs);
  expect(address.acceptedRequests.length).toBeGreaterThan(0);
  for (const { body, headers } of address.acceptedRequests) {
    const [notice] = notices(body.toString(), headers);
    expect(notice).toMatchObject({ kind: 'deleted', stream: 'sleep' });
    if (notice?.kind !== 'deleted') continue;
    expect(oura.streams.find(({ name }) => name === notice.stream)!.deletes).toEqual(['sleep']);
  }
});
