import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../ops/metrics.ts';
import { mostItems } from '../store/backlog/measure.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { backlogQueues, runMonitor } from './monitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

type Gauges = Pick<Metrics, 'backlogItems' | 'backlogAgeSeconds' | 'backlogLargestAccountItems'>;

/** The values of a gauge by queue. */
async function read(metrics: Gauges, gauge: keyof Gauges): Promise<Record<string, number>> {
  const { values } = await metrics[gauge].get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.queue), value]));
}

/** The values of a gauge once a new monitor has measured every queue. */
async function measure(): Promise<Record<'items' | 'ages' | 'largest', Record<string, number>>> {
  const metrics = createMetrics();
  await using _monitor = runMonitor({ ...app.ctx, metrics });
  const queues = Object.keys(backlogQueues);
  await expect
    .poll(async () => Object.keys(await read(metrics, 'backlogItems')), { timeout: 10_000 })
    .toEqual(queues);
  return {
    items: await read(metrics, 'backlogItems'),
    ages: await read(metrics, 'backlogAgeSeconds'),
    largest: await read(metrics, 'backlogLargestAccountItems'),
  };
}

const minute = (minutes: number) => `now() - interval '${minutes} minutes'`;

async function plantUser(accountId: string, status: 'active' | 'withdrawn' = 'active'): Promise<string> {
  const id = randomUUID();
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id, status, profile) VALUES ($1::uuid, $2, 'live', $1::text, $3, '{}')`,
    [id, accountId, status],
  );
  return id;
}

async function plantConnection(accountId: string, userId: string, dueAt: string, historyDueAt = 'NULL') {
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, external_id, tokens, due_at, history_due_at, history_from, history_to)
     VALUES (gen_random_uuid(), $1, $2, 'live', 'oura', 'person', 'x', ${dueAt}, ${historyDueAt}, now() - interval '1 year', now())`,
    [userId, accountId],
  );
}

async function plantBatch(accountId: string, userId: string, receivedAt: string, isHistory = false) {
  const batchId = randomUUID();
  await app.admin.query(
    `INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
     VALUES ($1, $2, ${receivedAt}, now(), 0, 'x', 'x')`,
    [userId, batchId],
  );
  await app.admin.query(
    `INSERT INTO pending_batches (partition, position, user_id, batch_id, bytes, account_id)
     VALUES (partition_of($1), nextval('pending_order') + $4, $1, $2, 1, $3)`,
    [userId, batchId, accountId, isHistory ? 2 ** 52 : 0],
  );
}

test('reports zero for every queue while nothing waits', async () => {
  const { items, ages, largest } = await measure();
  const zeros = Object.fromEntries(Object.keys(backlogQueues).map((queue) => [queue, 0]));
  expect(items).toEqual(zeros);
  expect(ages).toEqual(zeros);
  expect(largest).toEqual({ uploads: 0, 'history-documents': 0 });
});

test('reports how many items are due in each queue, and how long the oldest has waited', async () => {
  const { uuid } = app.account;
  const other = await app.createAccount();
  const suspended = await app.createAccount();
  await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [suspended.uuid]);
  const [user, colleague] = [await plantUser(uuid), await plantUser(other.uuid)];
  const left = await plantUser(uuid, 'withdrawn');

  for (const minutes of [10, 1]) await plantBatch(uuid, user, minute(minutes));
  await plantBatch(other.uuid, colleague, minute(2));
  await plantBatch(uuid, user, minute(30), true);
  await app.admin.query(
    `INSERT INTO provider_pushes (environment, provider, received_at, headers, body)
     VALUES ('live', 'oura', ${minute(5)}, '{}', 'x'), ('live', 'oura', now(), '{}', 'x')`,
  );
  await plantConnection(uuid, user, minute(7), minute(20));
  await plantConnection(other.uuid, colleague, minute(3));
  await plantConnection(other.uuid, colleague, minute(-60), minute(-60));
  // No worker takes these.
  await plantConnection(uuid, left, minute(500), minute(500));
  await plantConnection(suspended.uuid, await plantUser(suspended.uuid), minute(500), minute(500));
  await app.admin.query(
    `INSERT INTO stale_scores (user_id, due_at, days) VALUES ($1, ${minute(4)}, '{[20000,20001)}'), ($2, ${minute(-5)}, '{[20000,20001)}')`,
    [user, colleague],
  );
  await app.admin.query(
    `INSERT INTO erasures (user_id, account_id, environment, requested_at, finished_at)
     VALUES (gen_random_uuid(), $1, 'live', ${minute(90)}, NULL), (gen_random_uuid(), $1, 'live', ${minute(900)}, now())`,
    [uuid],
  );
  await app.admin.query(
    `INSERT INTO token_renewals (device_id, seen_version, requested_at, failure)
     SELECT device_id, 0, ${minute(6)}, CASE WHEN history_due_at IS NULL THEN '{}'::jsonb END FROM connections WHERE account_id = $1 AND user_id = $2`,
    [uuid, user],
  );

  const { items, ages, largest } = await measure();
  expect(items).toEqual({
    uploads: 3,
    'history-documents': 1,
    'provider-pushes': 2,
    syncs: 2,
    'history-imports': 1,
    scores: 1,
    erasures: 1,
    'token-renewals': 1,
  });
  const minutes = Object.entries(ages).map(([queue, seconds]) => [queue, Math.floor(seconds / 60)]);
  expect(Object.fromEntries(minutes)).toEqual({
    uploads: 10,
    'history-documents': 30,
    'provider-pushes': 5,
    syncs: 7,
    'history-imports': 20,
    scores: 4,
    erasures: 90,
    'token-renewals': 6,
  });
  expect(largest).toEqual({ uploads: 2, 'history-documents': 1 });
});

test('counts up to a limit', async () => {
  await app.admin.query(
    `INSERT INTO provider_pushes (environment, provider, received_at, headers, body)
     SELECT 'live', 'oura', now(), '{}', 'x' FROM generate_series(1, ${mostItems + 5})`,
  );
  expect((await measure()).items['provider-pushes']).toBe(mostItems);
  await app.admin.query('DELETE FROM provider_pushes');
});

test('one process measures; another takes over when it stops', async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  const measuring = runMonitor({ ...app.ctx, metrics: first });
  await expect.poll(() => read(first, 'backlogItems'), { timeout: 10_000 }).toHaveProperty('token-renewals');
  await using _standby = runMonitor({ ...app.ctx, metrics: second });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await read(second, 'backlogItems')).toEqual({});
  await measuring[Symbol.asyncDispose]();
  await expect.poll(() => read(second, 'backlogItems'), { timeout: 10_000 }).toHaveProperty('token-renewals');
});

test('measures again and again on one session, which the server does not end as silent', async () => {
  const metrics = createMetrics();
  await using _monitor = runMonitor({ ...app.ctx, metrics });
  const findSessions = async () => {
    const { rows } = await app.admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tributary-monitor-%' AND datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  };
  await expect
    .poll(() => read(metrics, 'backlogItems'), { timeout: 10_000 })
    .toHaveProperty('token-renewals');
  const sessions = await findSessions();
  expect(sessions).toHaveLength(1);
  await app.admin.query(
    `INSERT INTO erasures (user_id, account_id, environment, requested_at) VALUES (gen_random_uuid(), $1, 'live', now())`,
    [app.account.uuid],
  );
  const before = (await read(metrics, 'backlogItems'))['erasures']!;
  await expect
    .poll(async () => (await read(metrics, 'backlogItems'))['erasures'], { timeout: 15_000 })
    .toBe(before + 1);
  expect(await findSessions()).toEqual(sessions);
});

test('a queue that cannot be measured reports NaN, and the others are measured', async () => {
  await app.admin.query('REVOKE SELECT ON provider_pushes FROM tributary_operator');
  try {
    const { items, ages } = await measure();
    expect(items['provider-pushes']).toBeNaN();
    expect(ages['provider-pushes']).toBeNaN();
    expect(items['scores']).toBe(1);
    expect(items['token-renewals']).toBe(1);
  } finally {
    await app.admin.query('GRANT SELECT ON provider_pushes TO tributary_operator');
  }
});
