import { expect, test } from 'vitest';
import { startLab } from '../lab.ts';
import type { Lab } from '../lab-type.ts';
import { startReceiver } from '../test/receiver.ts';
import { allow, fetchMe, connect } from '../test/tiny-client.ts';
import { tinyProvider } from '../test/tiny-provider.ts';

const startAt = Date.parse('2026-05-01T12:00:00Z');
const start = () => startLab({ startAt, providers: [tinyProvider()] });
const get = async (lab: Lab, path: string) =>
  (await fetch(lab.url + path)).json() as Promise<Record<string, never>>;
const send = (lab: Lab, method: string, path: string, body?: object) =>
  fetch(lab.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

test('returns the state of the lab without secrets', async () => {
  await using lab = await start();
  const status = await get(lab, '/lab/status');
  expect(status).toMatchObject({
    now: '2026-05-01T12:00:00.000Z',
    providers: [{ id: 'tiny', url: `${lab.url}/tiny` }],
    apps: [{ client_id: 'lab-app', redirect_uris: [`${lab.url}/lab/callback`] }],
    faults: [],
  });
  expect(JSON.stringify(status)).not.toContain('secret');
  expect((await get(lab, '/lab/people')).people).toContainEqual({
    id: 'ada',
    name: 'Ada Brandt',
    timezone: 'Europe/Berlin',
  });
  expect(await get(lab, '/lab/truth/ada/2026-04-30')).toEqual(
    JSON.parse(JSON.stringify(lab.truth('ada', '2026-04-30'))),
  );
  expect((await fetch(`${lab.url}/lab/truth/ada/2026-13-40`)).status).toBe(400);
  expect((await fetch(`${lab.url}/lab/truth/unknown/2026-04-30`)).status).toBe(404);
});

test('moves the clock by hours or to a time, and never backward', async () => {
  await using lab = await start();
  expect(await (await send(lab, 'POST', '/lab/clock', { hours: 1.5 })).json()).toEqual({
    now: '2026-05-01T13:30:00.000Z',
  });
  await send(lab, 'POST', '/lab/clock', { to: '2026-05-03T00:00:00Z' });
  expect(lab.clock.now()).toBe(Date.parse('2026-05-03T00:00:00Z'));
  const wrong = [
    { to: '2026-05-02T00:00:00Z' },
    { to: 'soon' },
    { hours: -1 },
    { to: '2036-01-01T00:00:00Z' },
  ];
  for (const body of wrong)
    expect((await send(lab, 'POST', '/lab/clock', body)).status, JSON.stringify(body)).toBe(400);
  expect(lab.clock.now()).toBe(Date.parse('2026-05-03T00:00:00Z'));
});

test('switches faults on and off', async () => {
  await using lab = await start();
  const response = await send(lab, 'POST', '/lab/faults', { kind: 'late', provider: 'tiny' });
  expect([response.status, await response.json()]).toEqual([201, { id: 1 }]);
  await send(lab, 'POST', '/lab/faults', { kind: 'slow', delay_ms: 5, person: 'ada', rate: 0.5 });
  expect((await get(lab, '/lab/status')).faults).toEqual([
    { id: 1, kind: 'late', provider: 'tiny', rate: 0.05 },
    { id: 2, kind: 'slow', person: 'ada', rate: 0.5, delay_ms: 5 },
  ]);
  expect((await send(lab, 'DELETE', '/lab/faults/1')).status).toBe(204);
  expect((await send(lab, 'DELETE', '/lab/faults/1')).status).toBe(404);
  expect(lab.faults.list().map(({ id }) => id)).toEqual([2]);
  expect((await send(lab, 'DELETE', '/lab/faults')).status).toBe(204);
  expect(lab.faults.list()).toEqual([]);
  for (const body of [{ kind: 'fire' }, { kind: 'late', rate: 2 }, { kind: 'late', provider: 'unknown' }, {}])
    expect((await send(lab, 'POST', '/lab/faults', body)).status, JSON.stringify(body)).toBe(400);
});

test('lists and revokes grants', async () => {
  await using lab = await start();
  const tokens = await connect(lab, 'ben');
  const [grant] = (await get(lab, '/lab/grants')).grants as unknown as Record<string, unknown>[];
  expect(grant).toMatchObject({
    id: 'tiny-1',
    provider: 'tiny',
    person: 'ben',
    client_id: 'lab-app',
    revoked: false,
  });
  expect((await send(lab, 'DELETE', '/lab/grants/tiny-1')).status).toBe(204);
  expect((await fetchMe(lab, tokens)).status).toBe(401);
  expect((await send(lab, 'DELETE', '/lab/grants/tiny-9')).status).toBe(404);
});

test('registers and updates an app, which can then connect', async () => {
  await using lab = await start();
  const fields = { client_id: 'mine', redirect_uri: 'https://app.example/back' };
  expect((await allow(lab, fields)).pathname).toBe('/400');
  const body = { client_id: 'mine', client_secret: 'mine-secret', redirect_uris: [fields.redirect_uri] };
  expect((await send(lab, 'POST', '/lab/apps', body)).status).toBe(201);
  expect((await allow(lab, fields)).origin).toBe('https://app.example');
  const changed = { client_id: 'mine', push_urls: { '*': 'https://app.example/push' } };
  expect((await send(lab, 'POST', '/lab/apps', changed)).status).toBe(200);
  expect(lab.apps.find(({ clientId }) => clientId === 'mine')).toMatchObject({
    clientSecret: 'mine-secret',
    redirectUris: [fields.redirect_uri],
    pushUrls: changed.push_urls,
  });
  const wrong = { client_id: 'mine', redirect_uris: ['nowhere'] };
  expect((await send(lab, 'POST', '/lab/apps', wrong)).status).toBe(400);
});

test('lists pushes with their attempts as JSON and on the home page', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start();
  await send(lab, 'POST', '/lab/apps', { client_id: 'lab-app', push_urls: { tiny: receiver.url } });
  await connect(lab, 'ada');
  await send(lab, 'POST', '/lab/clock', { hours: 24 });
  expect(receiver.received.length).toBeGreaterThan(0);
  const { pushes } = (await get(lab, '/lab/pushes?provider=tiny&person=ada')) as unknown as {
    pushes: object[];
  };
  expect(pushes[0]).toMatchObject({
    provider: 'tiny',
    person: 'ada',
    outcome: 'succeeded',
    attempts: [{ status: 204 }],
  });
  expect((await get(lab, '/lab/pushes?person=ben')).pushes).toEqual([]);
  expect(await get(lab, '/lab/counts')).toMatchObject({
    tiny: { codes: 1, pushes: { sent: receiver.received.length } },
  });
  const page = await (await fetch(lab.url)).text();
  for (const part of [
    'Tiny',
    `${lab.url}/tiny`,
    'Ada Brandt',
    'tiny-1',
    receiver.url,
    '2026-05-02 12:00 UTC',
  ])
    expect(page).toContain(part);
});
