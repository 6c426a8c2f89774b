import { expect, test } from 'vitest';
import { startLab, type StartLabOptions } from '../lab.ts';
import { addDays } from './people/local-time.ts';
import { startReceiver, type Receiver } from '../test/receiver.ts';
import { connect } from '../test/tiny-client.ts';
import { tinyProvider } from '../test/tiny-provider.ts';

const startAt = Date.parse('2026-05-01T12:00:00Z');
const DAY = 86_400_000;

async function start(receiver: Receiver, options: StartLabOptions = {}) {
  const apps = [{ clientId: 'lab-app', pushUrls: { tiny: receiver.url, '*': 'http://127.0.0.1:1/' } }];
  return startLab({ startAt, providers: [tinyProvider()], apps, ...options });
}
const bodies = (receiver: Receiver) =>
  receiver.received.map(
    ({ body }) => JSON.parse(body) as { key: string; person: string; revision: number; updatedAt: number },
  );

test('announces each document of a connected user once, in order, when it appears', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  await connect(lab, 'chen');
  await lab.clock.advance(DAY);
  await lab.clock.advance(9 * DAY);

  const expected = ['ada', 'chen'].flatMap((person) =>
    Array.from({ length: 12 }, (_, n) => lab.truth(person, addDays('2026-05-01', n)).sleeps)
      .flat()
      .map(
        ({ key, end }) =>
          [person, key, lab.finalOf('tiny', { person, kind: 'sleep', key }, end).createdAt] as const,
      )
      .filter(([, , at]) => at > startAt && at <= startAt + 10 * DAY),
  );
  const pushBodies = bodies(receiver);
  expect(pushBodies.length).toBeGreaterThan(18);
  expect(pushBodies.map(({ person, key, updatedAt }) => [person, key, updatedAt])).toEqual(
    expected.toSorted((one, other) => one[2] - other[2]),
  );
  expect(receiver.received.map(({ headers }) => Number(headers['x-at']))).toEqual(
    pushBodies.map(({ updatedAt }) => updatedAt),
  );
  expect(receiver.received[0]!.headers['x-tiny']).toBe('1');
});

test('announces revisions too, up to the last', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start(receiver, {
    faults: [
      { kind: 'revised', rate: 1 },
      { kind: 'late', rate: 0.5 },
    ],
  });
  await connect(lab, 'ada');
  for (let n = 0; n < 20; n += 1) await lab.clock.advance(DAY);
  const pushBodies = bodies(receiver);
  for (let n = 1; n < 10; n += 1)
    for (const { key, end } of lab.truth('ada', addDays('2026-05-01', n)).sleeps) {
      const { revision } = lab.finalOf('tiny', { person: 'ada', kind: 'sleep', key }, end);
      const seen = pushBodies.filter((one) => one.key === key).map((one) => one.revision);
      expect(seen, key).toEqual(Array.from({ length: revision + 1 }, (_, each) => each));
    }
});

test('applies a fault switched on during a day only to documents that end after that', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  await lab.clock.advance(DAY / 2);
  const fault = lab.faults.on({ kind: 'revised', rate: 1 });
  for (let n = 0; n < 3 * 24; n += 1) await lab.clock.advance(DAY / 24);
  lab.faults.off(fault.id);
  for (let n = 0; n < 10 * 24; n += 1) await lab.clock.advance(DAY / 24);
  const pushBodies = bodies(receiver);
  const switchedAt = startAt + DAY / 2;
  const sleeps = Array.from({ length: 8 }, (_, n) => lab.truth('ada', addDays('2026-05-01', n)).sleeps)
    .flat()
    .filter(({ end }) => end > startAt);
  const revised = sleeps.filter(({ end }) => end >= switchedAt && end < switchedAt + 3 * DAY);
  expect(revised.length).toBeGreaterThan(2);
  expect(sleeps.length).toBeGreaterThan(revised.length + 2);
  for (const sleep of sleeps) {
    const mine = pushBodies.filter(({ key }) => key === sleep.key).map(({ revision }) => revision);
    const { revision } = lab.finalOf('tiny', { person: 'ada', kind: 'sleep', key: sleep.key }, sleep.end);
    expect(revision > 0).toBe(revised.includes(sleep));
    expect(mine).toEqual(Array.from({ length: revision + 1 }, (_, at) => at));
  }
});

test('retries a failed push on its schedule and then gives up', async () => {
  await using receiver = await startReceiver(500, 404, 204, 503);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  await lab.clock.advance(3 * DAY);
  const [recovered, failed] = lab.pushes.list();
  const offsets = (record: typeof recovered) =>
    record!.attempts.map(({ at, status }) => [(at - record!.attempts[0]!.at) / 1000, status]);
  expect([recovered!.outcome, offsets(recovered)]).toEqual([
    'succeeded',
    [
      [0, 500],
      [10, 404],
      [70, 204],
    ],
  ]);
  expect([failed!.outcome, offsets(failed)]).toEqual([
    'failed',
    [
      [0, 503],
      [10, 503],
      [70, 503],
    ],
  ]);
  expect(recovered!.attempts[2]!.response).toBe('');
  expect(failed!.attempts[0]!.response).toBe('seen');
  const { pushes } = lab.counts('tiny');
  expect([pushes.succeeded, pushes.failed]).toEqual([1, lab.pushes.list().length - 1]);
});

test('stops after a final response, and retries after a timeout or a refused connection', async () => {
  await using receiver = await startReceiver(410);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  await lab.clock.advance(DAY);
  expect(lab.pushes.list()[0]).toMatchObject({ outcome: 'failed', attempts: [{ status: 410 }] });
  receiver.statuses[0] = null;
  const before = lab.pushes.list().length;
  await lab.clock.advance(DAY);
  expect(lab.pushes.list()[before]!.attempts.map(({ status }) => status)).toEqual([null, null, null]);
  expect(lab.pushes.list()[before]!.attempts[0]!.response).toContain('timeout');
  await receiver[Symbol.asyncDispose]();
  const silent = lab.pushes.list().length;
  await lab.clock.advance(DAY);
  expect(lab.pushes.list()[silent]!.attempts[2]).toMatchObject({ status: null, response: 'ECONNREFUSED' });
});

test('records lost pushes only in the lab, and sends nothing from a silent provider', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  const { id } = lab.faults.on({ kind: 'push_lost', rate: 1, person: 'ada' });
  await lab.clock.advance(2 * DAY);
  expect(receiver.received).toEqual([]);
  expect(lab.counts('tiny').pushes).toMatchObject({ sent: 0, lost: lab.pushes.list().length });
  expect(lab.pushes.list().length).toBeGreaterThan(1);
  lab.faults.off(id);
  lab.faults.on({ kind: 'push_silent', rate: 1, provider: 'tiny' });
  const before = lab.pushes.list().length;
  await lab.clock.advance(2 * DAY);
  expect([receiver.received.length, lab.pushes.list().length]).toEqual([0, before]);
  lab.faults.off();
  await lab.clock.advance(DAY);
  expect(receiver.received.length).toBeGreaterThan(0);
});

test('sends nothing more after the user revoked consent', async () => {
  await using receiver = await startReceiver(204);
  await using lab = await start(receiver);
  await connect(lab, 'ada');
  lab.clock.at(startAt + 2 * DAY, async () => void lab.revoke(lab.grants()[0]!.id));
  await lab.clock.advance(5 * DAY);
  const pushCount = receiver.received.length;
  expect(pushCount).toBeGreaterThan(0);
  expect(Math.max(...bodies(receiver).map(({ updatedAt }) => updatedAt))).toBeLessThan(startAt + 2 * DAY);
  await lab.clock.advance(3 * DAY);
  expect(receiver.received.length).toBe(pushCount);
});
