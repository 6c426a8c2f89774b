import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AppApi, PushRequest } from '../provider.ts';
import { oura } from './index.ts';
import { verificationTokenOf } from './subscriptions.ts';

const { respond, notices } = oura.push!;
const nowMs = Date.parse('2026-11-15T12:00:00Z');
const app = { clientId: 'app', clientSecret: 'secret', hosts: oura.hosts, settings: {} };
const api: AppApi = { app, now: () => nowMs, send: () => Promise.reject(new Error('unexpected call')) };
const event = {
  event_type: 'update',
  data_type: 'sleep',
  object_id: 'a-sleep',
  event_time: '2026-11-15T11:59:30Z',
  user_id: 'user-1',
};
const body = JSON.stringify(event);

const respondTo = (request: Partial<PushRequest>) =>
  respond(
    { method: 'POST', query: new URLSearchParams(), headers: {}, body: Buffer.from(''), ...request },
    { api, state: {} },
  );
const sign = (timestamp: string, signed: string, secret = 'secret') =>
  createHmac('sha256', secret).update(`${timestamp}${signed}`).digest('hex').toUpperCase();
const send = (timestamp: string, signature = sign(timestamp, body), sent = body) =>
  respondTo({
    headers: { 'x-oura-timestamp': timestamp, 'x-oura-signature': signature },
    body: Buffer.from(sent),
  });

const now = String(nowMs / 1000);
const refused = { status: 401, keep: false };

test.each([
  now,
  String(nowMs),
  '2026-11-15T12:00:00Z',
  String(nowMs / 1000 - 300),
  String(nowMs / 1000 + 300),
])('accepts a push signed at %s', async (timestamp) => {
  expect(await send(timestamp)).toEqual({ status: 200, keep: true });
});

test.each([
  ['with another secret', () => send(now, sign(now, body, 'another'))],
  ['for another body', () => send(now, sign(now, body), `${body} `)],
  ['for another time', () => send(String(nowMs / 1000 - 1), sign(now, body))],
  ['too long ago', () => send(String(nowMs / 1000 - 301))],
  ['too far ahead', () => send(String(nowMs / 1000 + 301))],
  ['at an invalid time', () => send('today')],
  ['with an empty signature', () => send(now, '')],
  ['without headers', () => respondTo({ body: Buffer.from(body) })],
])('rejects a push signed %s', async (_how, push) => {
  expect(await push()).toEqual(refused);
});

test('echoes the challenge only with our token', async () => {
  const challenge = (token: string) =>
    respondTo({
      method: 'GET',
      query: new URLSearchParams({ verification_token: token, challenge: 'a "word"' }),
    });
  expect(await challenge(verificationTokenOf(app))).toEqual({
    status: 200,
    body: '{"challenge":"a \\"word\\""}',
    keep: false,
  });
  expect(await challenge('another')).toEqual(refused);
  expect(await respondTo({ method: 'GET' })).toEqual(refused);
  expect(await respondTo({ method: 'DELETE' })).toEqual({ status: 405, keep: false });
});

test('maps a push to a document or a deletion', () => {
  const about = (changes: object) => notices(JSON.stringify({ ...event, ...changes }), {});
  const sleep = { userId: 'user-1', stream: 'sleep', id: 'a-sleep' };
  expect(about({})).toEqual([{ kind: 'document', ...sleep }]);
  expect(about({ event_type: 'create', data_type: 'vo2_max' })).toEqual([
    { kind: 'document', ...sleep, stream: 'vo2_max' },
  ]);
  expect(about({ event_type: 'delete' })).toEqual([{ kind: 'deleted', ...sleep }]);
  // A daily value cannot be deleted.
  expect(about({ event_type: 'delete', data_type: 'daily_sleep' })).toEqual([]);
});

test.each([
  '',
  '{"event_type":',
  '[]',
  'null',
  JSON.stringify([event]),
  JSON.stringify({ ...event, data_type: 'tag' }),
  JSON.stringify({ ...event, data_type: 'heartrate' }),
  JSON.stringify({ ...event, event_type: 'forget' }),
  JSON.stringify({ ...event, object_id: '' }),
  JSON.stringify({ ...event, user_id: null }),
])('ignores %s', (text) => {
  expect(notices(text, {})).toEqual([]);
});
