import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AppApi } from '../provider.ts';
import { push } from './push.ts';

const api: AppApi = {
  app: { clientId: 'app', clientSecret: 'secret', hosts: {}, settings: {} },
  now: () => 0,
  send: () => Promise.reject(new Error('unexpected call')),
};
const body = '{"event":"SLEEP","user_id":48123,"date":"2026-11-10"}';
const signatureOf = (text: string, secret = 'shown-once'): string =>
  createHmac('sha256', secret).update(text).digest('hex');

async function send(
  headers: Record<string, string>,
  more: { sent?: string; state?: Record<string, string>; method?: string } = {},
): Promise<[number, boolean]> {
  const { sent = body, state = { id: '1', secret: 'shown-once' }, method = 'POST' } = more;
  const request = { method, query: new URLSearchParams(), headers, body: Buffer.from(sent) };
  const { status, keep } = await push.respond(request, { api, state });
  return [status, keep];
}

test('accepts only pushes with a valid signature', async () => {
  const signed = { 'polar-webhook-signature': signatureOf(body) };
  expect(await send(signed)).toEqual([200, true]);
  expect(await send({})).toEqual([401, false]);
  expect(await send(signed, { sent: `${body} ` })).toEqual([401, false]);
  expect(await send(signed, { method: 'GET' })).toEqual([405, false]);
  expect(await send(signed, { state: {} })).toEqual([401, false]);
  for (const signature of [
    signatureOf(body, 'other'),
    signatureOf(body).slice(2),
    'zz',
    `${signatureOf(body)}00`,
  ])
    expect(await send({ 'polar-webhook-signature': signature })).toEqual([401, false]);
  // Without a stored secret, a push signed with an empty secret is rejected too.
  const empty = { 'polar-webhook-signature': signatureOf(body, '') };
  expect(await send(empty, { state: { secret: '' } })).toEqual([401, false]);
});

test('accepts a PING without a signature, even before there is a secret, and ignores it', async () => {
  const sent = '{"timestamp":"2026-11-10T06:00:00Z","event":"PING"}';
  expect(await send({}, { sent })).toEqual([200, false]);
  expect(await send({}, { sent, state: {} })).toEqual([200, false]);
  expect(push.notices(sent, {})).toEqual([]);
  // The header by itself is not trusted.
  expect(await send({ 'polar-webhook-event': 'PING' })).toEqual([401, false]);
});

test('returns what to read again as notices, including the recharge of a night', () => {
  const noticesFor = (fields: object) => push.notices(JSON.stringify({ user_id: 48123, ...fields }), {});
  const document = { userId: '48123', kind: 'document' };
  const date = '2026-11-10';
  expect(noticesFor({ event: 'SLEEP', date })).toEqual([
    { ...document, stream: 'sleep', id: date },
    { ...document, stream: 'nightly-recharge', id: date },
  ]);
  expect(noticesFor({ event: 'EXERCISE', entity_id: 'AB1' })).toEqual([
    { ...document, stream: 'exercises', id: 'AB1' },
  ]);
  expect(noticesFor({ event: 'CONTINUOUS_HEART_RATE', date })).toEqual([
    { ...document, stream: 'heart-rate', id: date },
  ]);
  expect(noticesFor({ event: 'ACTIVITY_SUMMARY', date })).toEqual([
    { ...document, stream: 'activity', id: date },
  ]);
  const fromMs = Date.parse('2026-11-10T06:00:00Z');
  expect(noticesFor({ event: 'PHYSICAL_INFORMATION', timestamp: '2026-11-10T06:00:00Z' })).toEqual([
    { userId: '48123', kind: 'span', stream: 'physical-info', fromMs, toMs: fromMs + 1 },
  ]);
  for (const fields of [
    { event: 'SLEEP' },
    { event: 'SLEEP', date: '../../users' },
    { event: 'EXERCISE' },
    { event: 'SLEEP_WISE_ALERTNESS', from: date, to: date },
    { event: 'SLEEP', date, user_id: null },
  ])
    expect(noticesFor(fields)).toEqual([]);
  for (const text of ['', 'not JSON', '[]', 'null', '7']) expect(push.notices(text, {})).toEqual([]);
});
