import { describe, expect, test } from 'vitest';
import type { AppApi, PushRequest } from '../provider.ts';
import { push } from './push.ts';

const api: AppApi = {
  app: { clientId: 'our-app', clientSecret: 'secret', hosts: {}, settings: {} },
  now: () => 0,
  send: () => Promise.reject(new Error('unexpected call')),
};

function respond(headers: Record<string, string>, method = 'POST') {
  const request: PushRequest = { method, query: new URLSearchParams(), headers, body: Buffer.from('{}') };
  return push.respond(request, { api, state: {} });
}

describe('a push', () => {
  test('of our app is accepted', async () => {
    expect(await respond({ 'garmin-client-id': 'our-app' })).toEqual({ status: 200, keep: true });
  });

  test.each([
    {},
    { 'garmin-client-id': '' },
    { 'garmin-client-id': 'our-ap' },
    { 'garmin-client-id': 'other-app' },
  ])('of another app is rejected: %j', async (headers) => {
    expect(await respond(headers)).toEqual({ status: 401, keep: false });
  });

  test('must be a POST', async () => {
    expect(await respond({ 'garmin-client-id': 'our-app' }, 'GET')).toEqual({ status: 405, keep: false });
  });
});

describe('notices', () => {
  const notices = (body: unknown) => push.notices(JSON.stringify(body), {});

  test('are split by user and stream, in order', () => {
    const rows = [
      { userId: 'ada', steps: 1 },
      { userId: 'ben', steps: 2 },
      { userId: 'ada', steps: 3 },
    ];
    expect(notices({ dailies: rows, hrv: [{ userId: 'ben', lastNightAvg: 40 }] })).toEqual([
      { kind: 'data', userId: 'ada', stream: 'dailies', documents: [rows[0], rows[2]] },
      { kind: 'data', userId: 'ben', stream: 'dailies', documents: [rows[1]] },
      { kind: 'data', userId: 'ben', stream: 'hrv', documents: [{ userId: 'ben', lastNightAvg: 40 }] },
    ]);
  });

  test('report the end of a consent', () => {
    expect(notices({ deregistrations: [{ userId: 'ada' }, { userId: 7 }, null] })).toEqual([
      { kind: 'revoked', userId: 'ada' },
    ]);
  });

  test("omit the user's token", () => {
    expect(notices({ dailies: [{ userId: 'ada', userAccessToken: 'a-token', steps: 4 }] })).toEqual([
      { kind: 'data', userId: 'ada', stream: 'dailies', documents: [{ userId: 'ada', steps: 4 }] },
    ]);
  });

  test.each([
    ['changed permissions', { userPermissionsChange: [{ userId: 'ada', permissions: [] }] }],
    ['a ping', { dailies: [{ userId: 'ada', callbackURL: 'https://apis.garmin.com/x' }] }],
    ['an unknown key', { activityFiles: [{ userId: 'ada' }], moveIQActivities: [{ userId: 'ada' }] }],
    ['rows without a user', { dailies: [{ steps: 4 }, null, 'x'] }],
    ['a value that is not a list', { dailies: { userId: 'ada' }, hrv: null, deregistrations: 'ada' }],
    ['a body that is not an object', [{ userId: 'ada' }]],
  ])('ignore %s', (_, body) => {
    expect(notices(body)).toEqual([]);
  });

  test('ignore invalid JSON', () => {
    expect(push.notices('{"dailies": [', {})).toEqual([]);
  });
});
