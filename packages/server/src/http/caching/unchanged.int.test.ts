import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

/** A client with a current response costs one read of the user's version and no read of data. */

let app: TestApp;
let user: PhoneUser;
let tablesOfUsers: string[];

beforeAll(async () => {
  app = await startTestApp();
  user = await createPhoneUser(app);
  await user.upload(
    { id: 'watch' },
    {
      daily: [{ metric: 'steps', date: '2026-03-01', value: 8000 }],
      series: [
        { metric: 'heart_rate', start: '2026-03-01T08:00:00Z', interval_seconds: 60, values: [60, 61] },
      ],
    },
  );
  await workThrough(app);
  const { rows } = await app.admin.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'user_id'`,
  );
  tablesOfUsers = rows.map(({ name }) => name);
});
afterAll(() => app[Symbol.asyncDispose]());

interface Statement {
  name?: string;
  text: string;
}

/**
 * The tenant queries that run during `work`: named statements, since every read has a name, and those on tables with user data. API keys
 * are read again once per second.
 */
async function statementsDuring(work: () => Promise<unknown>): Promise<{ named: string[]; data: string[] }> {
  const clients = new Set<unknown>();
  const onAcquire = (client: pg.PoolClient) => void clients.add(client);
  app.ctx.db.on('acquire', onAcquire);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const { calls, contexts } = query.mock;
  query.mockRestore();
  app.ctx.db.off('acquire', onAcquire);
  const statements = calls
    .map(([first]) => first as unknown as string | Statement)
    .filter((_, at) => clients.has(contexts[at]))
    .map((statement): Statement => (typeof statement === 'string' ? { text: statement } : statement));
  return {
    named: statements.flatMap(({ name }) => (name === undefined || name === 'api-keys/by-hash' ? [] : name)),
    data: statements
      .filter(({ text }) => tablesOfUsers.some((table) => new RegExp(`\\b${table}\\b`).test(text)))
      .map(({ name, text }) => name ?? text),
  };
}

test.each([
  ['daily values', 'daily?types=steps&from_date=2026-03-01&to_date=2026-03-02', 'daily/'],
  ['daily rows', 'daily?metrics=steps&start_date=2026-03-01&end_date=2026-03-02', 'daily/'],
  ['samples', 'timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-02', 'timeseries/'],
  ['sleep', 'sleep?start_date=2026-03-01&end_date=2026-03-02', 'sleep/'],
  ['workouts', 'workouts?start_date=2026-03-01&end_date=2026-03-02', 'workouts/'],
])('reads only the user for an unchanged response about %s', async (_, path, read) => {
  const url = `/v1/users/${user.id}/${path}`;
  let etag = '';
  const first = await statementsDuring(async () => {
    const response = await app.request('GET', url);
    expect(response.status).toBe(200);
    etag = response.headers.get('etag')!;
  });
  expect(first.named).toContainEqual(expect.stringContaining(read));
  expect(first.data).toContainEqual(expect.stringContaining(read));

  const again = await statementsDuring(async () => {
    const response = await app.request('GET', url, { headers: { 'if-none-match': etag } });
    expect(response.status).toBe(304);
  });
  expect(again).toEqual({ named: ['users/read-many'], data: [] });
});
