import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import type { PushRequest } from '../provider.ts';
import { connectInLab, openAppApi, readAll, startTestLab } from '../test/lab-api.ts';
import { withings } from './index.ts';

// Reading weeks of simulated data over HTTP takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const push = withings.push!;
const day = 86_400_000;

function request(body: string, method = 'POST'): PushRequest {
  return { method, query: new URLSearchParams(), headers: {}, body: Buffer.from(body) };
}

/** Responds to pushes as the service does, and records the accepted ones. */
async function receive(lab: Awaited<ReturnType<typeof startTestLab>>) {
  const acceptedBodies: string[] = [];
  const requestMethods: string[] = [];
  const respond = async (incoming: IncomingMessage) => {
    const body = await buffer(incoming);
    const method = incoming.method ?? '';
    requestMethods.push(method);
    const ours = { api: openAppApi(lab, withings), state: {} };
    const { status, keep } = await push.respond(request(body.toString(), method), ours);
    if (keep) acceptedBodies.push(body.toString());
    return status;
  };
  const server = createServer((incoming, outgoing) => {
    void respond(incoming).then((status) => outgoing.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a-secret`,
    kept: acceptedBodies,
    asked: requestMethods,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('reads what pushes announce, and reports the end of the consent', async () => {
  await using lab = await startTestLab();
  await using receiver = await receive(lab);
  const api = await connectInLab(lab, withings);
  const ours = { memberId: 'm', pushUrl: receiver.url };
  await withings.oauth.enroll(api, ours);
  expect(receiver.asked).toEqual(Array.from({ length: 6 }, () => 'HEAD'));
  await withings.oauth.enroll(api, ours);
  expect(receiver.asked).toHaveLength(6);

  await lab.clock.advance(3 * day);
  const notices = receiver.kept.flatMap((body) => push.notices(body, {}));
  const streams = new Set(notices.flatMap((notice) => ('stream' in notice ? [notice.stream] : [])));
  expect(streams).toEqual(new Set(['measures', 'activity', 'intraday', 'workouts', 'sleep']));
  expect(new Set(notices.map(({ userId }) => userId))).toEqual(new Set([api.userId]));

  const later = await connectInLab(lab, withings);
  for (const stream of streams) {
    const spans = notices.flatMap((notice) =>
      notice.kind === 'span' && notice.stream === stream ? [notice] : [],
    );
    const documents = await readAll(withings, stream, later, spans[0]!);
    expect(documents.length, stream).toBeGreaterThan(0);
  }

  receiver.kept.splice(0);
  for (const { id } of lab.grants('withings')) lab.revoke(id);
  await lab.pushes.idle();
  expect(receiver.kept.flatMap((body) => push.notices(body, {}))).toEqual([
    { userId: api.userId, kind: 'revoked' },
  ]);
});

test('subscribes only to what the consent allows, and tolerates an unreachable URL', async () => {
  await using lab = await startTestLab();
  await using receiver = await receive(lab);
  const api = await connectInLab(lab, withings, 'ada', { scopes: ['user.metrics'] });
  const before = lab.counts('withings').requests;
  await withings.oauth.enroll(api, { memberId: 'm', pushUrl: receiver.url });
  expect(receiver.asked).toHaveLength(3);
  // A list, and the allowed part of it: requests that would be rejected are not made.
  expect(lab.counts('withings').requests - before).toBe(4);
  // If the granted scopes are unknown, forbidden kinds are skipped.
  const unsure = { ...api, scopes: null };
  await withings.oauth.enroll(unsure, { memberId: 'm', pushUrl: `${receiver.url}/2` });
  expect(receiver.asked).toHaveLength(6);
  const nowhere = { memberId: 'm', pushUrl: 'http://127.0.0.1:1/' };
  expect(await withings.oauth.enroll(api, nowhere)).toBe(api.userId);
});

describe('responses', () => {
  const ours = { api: null as never, state: {} };

  test.each([
    ['HEAD', '', 200, false],
    ['POST', 'userid=12&appli=44&startdate=1&enddate=2', 200, true],
    ['POST', 'userid=12', 400, false],
    ['POST', 'appli=44', 400, false],
    ['POST', 'userid=12&appli=all', 400, false],
    ['POST', '{"userid":12,"appli":44}', 400, false],
    ['GET', 'userid=12&appli=44', 405, false],
  ])('%s %s with %i', async (method, body, status, keep) => {
    expect(await push.respond(request(body, method), ours)).toEqual({ status, keep });
  });
});

describe('notices', () => {
  test.each([
    ['userid=12&appli=1&startdate=1762700000&enddate=1762700001', ['measures']],
    ['userid=12&appli=2&startdate=1762700000&enddate=1762700000', ['measures']],
    ['userid=12&appli=4&startdate=1762700000&enddate=1762700060', ['measures']],
    ['userid=12&appli=44&startdate=1762700000&enddate=1762730000', ['sleep']],
    ['userid=12&appli=16&date=2026-11-10', ['activity', 'intraday', 'workouts']],
  ])('of %s are spans', (body, streams) => {
    const notices = push.notices(body, {});
    expect(notices.map((notice) => 'stream' in notice && notice.stream)).toEqual(streams);
    for (const notice of notices)
      expect(notice.kind === 'span' && notice.toMs > notice.fromMs, body).toBe(true);
  });

  test('cover a date in every zone', () => {
    expect(push.notices('userid=12&appli=16&date=2026-11-10', {})[0]).toMatchObject({
      fromMs: Date.parse('2026-11-10T00:00:00+14:00'),
      toMs: Date.parse('2026-11-11T00:00:00-12:00'),
    });
  });

  test.each([
    'userid=12&appli=46&action=update',
    'userid=12&appli=50&startdate=1&enddate=1',
    'userid=12&appli=44&startdate=soon&enddate=later',
    'userid=12&appli=44&startdate=20&enddate=10',
    'userid=12&appli=16&date=today',
    'nonsense',
    '',
  ])('of %s are empty', (body) => {
    expect(push.notices(body, {})).toEqual([]);
  });

  test.each(['delete', 'unlink'])('of a deleted profile: %s', (action) => {
    expect(push.notices(`userid=12&appli=46&action=${action}`, {})).toEqual([
      { userId: '12', kind: 'revoked' },
    ]);
  });
});
