import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../ops/metrics.ts';
import { insertEvents } from '../store/events/events.ts';
import { readFeedLagSeconds, sequenceEvents } from '../store/events/feed.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { runSequencer } from './sequencer.ts';
import { holdTransaction } from '../test/hold-transaction.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function insertEvent(userId = randomUUID()): Promise<string> {
  await insertEvents(app.ctx.operator, [
    {
      id: app.ctx.newId(),
      accountId: app.account.uuid,
      environment: 'live',
      userId,
      type: 'data.updated',
      deviceId: null,
      metrics: [],
      data: {},
    },
  ]);
  return userId;
}

async function positionsOf(userId: string): Promise<number[]> {
  const { rows } = await app.admin.query<{ position: number }>(
    'SELECT position::int FROM feed WHERE user_id = $1',
    [userId],
  );
  return rows.map(({ position }) => position);
}

async function untilPlaced(userId: string): Promise<number> {
  const startedAt = performance.now();
  await expect.poll(() => positionsOf(userId), { timeout: 10_000, interval: 5 }).toHaveLength(1);
  return performance.now() - startedAt;
}

test('sequences events promptly after their commit', async () => {
  await using _sequencer = runSequencer(app.ctx);
  await untilPlaced(await insertEvent());
  expect(await untilPlaced(await insertEvent())).toBeLessThan(1_000);
});

test('runs one sequencer at a time, fails over to another, and gives each event one position', async () => {
  const first = runSequencer(app.ctx);
  await untilPlaced(await insertEvent());
  const second = runSequencer(app.ctx);
  for (let at = 0; at < 20; at += 1) await insertEvent();
  await first[Symbol.asyncDispose]();
  const last = await insertEvent();
  await untilPlaced(last);
  await second[Symbol.asyncDispose]();
  const { rows } = await app.admin.query<{ n: number; last: number }>(
    'SELECT count(DISTINCT position)::int AS n, max(position)::int AS last FROM feed WHERE account_id = $1',
    [app.account.uuid],
  );
  expect(rows[0]!.n).toBe(rows[0]!.last);
});

test('replaces a terminated session', async () => {
  await using _sequencer = runSequencer(app.ctx);
  await untilPlaced(await insertEvent());
  await app.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name LIKE 'tributary-sequencer-%' AND datname = current_database()`,
  );
  await untilPlaced(await insertEvent());
});

test('compares transaction ids as numbers, not as text', async () => {
  for (const xid of ['9', '10'])
    await app.admin.query(
      `INSERT INTO events (xid, id, account_id, environment, user_id, type) VALUES ($1, $2, $3, 'live', $2, 'data.updated')`,
      [xid, randomUUID(), app.account.uuid],
    );
  expect(await sequenceEvents(app.ctx.operator, '0', 10)).toMatchObject({ events: 2, lastXid: '10' });
});

test('reports a lag while an open transaction holds up the feed', async () => {
  await using slow = await holdTransaction(app.admin);
  await using _sequencer = runSequencer(app.ctx);
  await slow.query('SELECT pg_current_xact_id()');
  const blockedUserId = await insertEvent();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await readFeedLagSeconds(app.ctx.operator)).toBeGreaterThan(0.25);
  expect(await positionsOf(blockedUserId)).toEqual([]);
  await slow.commit();
  await untilPlaced(blockedUserId);
  expect(await readFeedLagSeconds(app.ctx.operator)).toBe(0);
});

test('measures the lag every second on the active sequencer; a standby reports zero', async () => {
  const shownBy = async ({ feedLagSeconds }: Metrics) => (await feedLagSeconds.get()).values[0]!.value;
  const [working, waiting] = [createMetrics(), createMetrics()];
  await using _working = runSequencer({ ...app.ctx, metrics: working });
  await untilPlaced(await insertEvent());
  waiting.feedLagSeconds.set(7); // left over from when it was active
  await using _waiting = runSequencer({ ...app.ctx, metrics: waiting });
  await using slow = await holdTransaction(app.admin);
  await slow.query('SELECT pg_current_xact_id()');
  const blockedUserId = await insertEvent();
  await expect.poll(() => shownBy(working), { timeout: 5_000 }).toBeGreaterThan(0.9);
  expect(await shownBy(waiting)).toBe(0);
  await slow.commit();
  await untilPlaced(blockedUserId);
  await expect.poll(() => shownBy(working), { timeout: 2_000 }).toBe(0);
});
