import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliOf } from '../../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { batchOf, createSdkUser, type SdkUser } from '../../test/data/sdk-user.ts';

let app: TestApp;
let user: SdkUser;

beforeAll(async () => {
  app = await startTestApp({
    ACCOUNT_LIMIT_PER_SECOND: '30',
    ACCOUNT_LIMIT_BURST: '60',
    MAX_USERS_PER_ACCOUNT: '3',
    MAX_UPLOADS_PER_ACCOUNT_DAY: '4',
    MAX_VALUES_PER_ACCOUNT_DAY: '10',
    MAX_STREAMS_PER_ACCOUNT: '2',
  });
  user = await createSdkUser(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const withValues = (count: number) =>
  batchOf({
    daily: Array.from({ length: count }, (_, at) => ({
      metric: 'steps',
      date: `2026-03-0${at + 1}`,
      value: 5_000 + at,
    })),
  });

describe('daily limits of uploads', () => {
  // @contract sdk-batches: An upload above a daily limit of the account gets 429 `rate_limited` with the time until 00:00 UTC as `Retry-After`
  test('counts accepted uploads and values once, and refuses those above the limit with the time until the next day', async () => {
    const first = withValues(4);
    expect((await user.upload(first)).status).toBe(202);
    expect((await user.upload(first)).status).toBe(202); // a repeat does not count
    const { status, headers, body } = await user.upload(withValues(7));
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect(body.details).toMatchObject({ values_per_day: 10 });
    const midnight = new Date(app.ctx.clock.now());
    midnight.setUTCHours(24, 0, 0, 0);
    const waitSeconds = (midnight.getTime() - app.ctx.clock.now()) / 1000;
    expect(Math.abs(Number(headers.get('retry-after')) - waitSeconds)).toBeLessThan(60);
    for (let sent = 0; sent < 3; sent += 1) expect((await user.upload(withValues(1))).status).toBe(202);
    expect((await user.upload(withValues(1))).body.details).toMatchObject({ uploads_per_day: 4 });
    await app.ctx.dailyUsage.flush();
    const { rows } = await app.admin.query(
      'SELECT environment, uploads::int, "values"::int FROM account_usage',
    );
    expect(rows).toEqual([{ environment: 'live', uploads: 4, values: 7 }]);
  });

  test('another node knows what this one counted', async () => {
    await using other = await startTestApp(
      { MAX_UPLOADS_PER_ACCOUNT_DAY: '4', DATABASE_URL: app.ctx.config.secrets.database.service.url.read() },
      undefined,
    );
    await expect
      .poll(
        async () =>
          (await other.request('POST', '/v1/sdk/batches', { key: user.token, body: withValues(1) })).status,
        { timeout: 5_000 },
      )
      .toBe(429);
  });

  test('does not limit another account, nor the other environment', async () => {
    const other = await app.createAccount();
    for (const key of [other.liveKey, app.account.sandboxKey]) {
      const neighbor = await createSdkUser(app, {}, {}, key);
      expect((await neighbor.upload(withValues(1))).status).toBe(202);
    }
  });

  test('the limits of an account replace those of the configuration, within seconds', async () => {
    const env = { MAX_VALUES_PER_ACCOUNT_DAY: '10' }; // replaced, too
    const args = ['account', 'limits', app.account.id, '--json'];
    // Nodes add what they counted once per second.
    await expect
      .poll(
        async () => {
          const { stdout } = await cliOf(app).tributary(
            [...args, '--uploads-per-day', '100', '--values-per-day', '100'],
            env,
          );
          return JSON.parse(stdout) as unknown;
        },
        { timeout: 20_000 },
      )
      .toMatchObject({
        uploads_per_day: 100,
        values_per_day: 100,
        used: { sandbox: { users: 1, uploads: 1, values: 1 } },
      });
    await expect.poll(async () => (await user.upload(withValues(1))).status, { timeout: 5_000 }).toBe(202);
    const back = await cliOf(app).json('account', 'limits', app.account.id, '--uploads-per-day', 'default');
    expect(back).toMatchObject({ uploads_per_day: null });
    const { rows } = await app.admin.query(
      `SELECT data FROM audit_intake WHERE action = 'account.updated' AND account_id = $1 ORDER BY id`,
      [app.account.uuid],
    );
    expect(JSON.stringify(rows[0].data)).toContain('uploads_per_day');
  });

  test('starts again on the next UTC day', async () => {
    await expect.poll(async () => (await user.upload(withValues(1))).status, { timeout: 5_000 }).toBe(429);
    const tenant = { accountId: app.account.uuid, environment: 'live' } as const;
    expect(() => app.ctx.dailyUsage.refuseAboveLimit(tenant, 1)).toThrow();
    await app.moveClock(24 * 3_600_000);
    expect(() => app.ctx.dailyUsage.refuseAboveLimit(tenant, 1)).not.toThrow();
    await app.moveClock(0);
  });
});

test('a request rate of an account replaces that of the configuration', async () => {
  const account = await app.createAccount();
  const policy = async () => {
    const { headers } = await app.request('GET', '/v1/users', { key: account.liveKey });
    return headers.get('ratelimit-policy');
  };
  expect(await policy()).toBe('"key";q=60;w=2');
  await cliOf(app).json(
    'account',
    'limits',
    account.id,
    '--requests-per-second',
    '500',
    '--request-burst',
    '1000',
  );
  app.ctx.credentials.clear();
  expect(await policy()).toBe('"key";q=1000;w=2');
});

test('limits users without a limit of their account by the configuration', async () => {
  const account = await app.createAccount();
  const create = (at: number) =>
    app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id: `limited-${at}` } });
  for (let at = 0; at < 3; at += 1) expect((await create(at)).status).toBe(201);
  const { status, body } = await create(3);
  expect([status, body.error, body.details.user_limit]).toEqual([402, 'payment_required', 3]);
});

test('limits the open streams of an account', async () => {
  const account = await app.createAccount();
  const aborted = new AbortController();
  const open = () =>
    fetch(`${app.url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
      signal: aborted.signal,
    });
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(429);
  await cliOf(app).json('account', 'limits', account.id, '--streams', '3');
  app.ctx.credentials.clear();
  expect((await open()).status).toBe(200);
  aborted.abort();
});

test('the command refuses limits that stop all requests, and unknown accounts', async () => {
  const { tributary } = cliOf(app);
  expect((await tributary(['account', 'limits', app.account.id, '--request-burst', '0'])).code).toBe(1);
  expect((await tributary(['account', 'limits', app.account.id, '--streams', 'many'])).code).toBe(1);
  expect((await tributary(['account', 'limits', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'])).stderr).toContain(
    'not found',
  );
});

test('the command lists the accounts with the most uploads, with those that wait', async () => {
  const [busy, quiet] = [await app.createAccount(), await app.createAccount()];
  const today = `(now() AT TIME ZONE 'UTC')::date`;
  await app.admin.query(
    `INSERT INTO account_usage (account_id, environment, day, uploads, "values")
     VALUES ($1, 'live', ${today}, 9000, 80000), ($1, 'sandbox', ${today}, 1000, 5000), ($1, 'live', ${today} - 1, 7, 8),
       ($2, 'live', ${today}, 6000, 6001), ($2, 'live', ${today} - 2, 90000, 90000)`,
    [busy.uuid, quiet.uuid],
  );
  await app.admin.query(
    `INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id)
     SELECT 1, gen_random_uuid(), gen_random_uuid(), 1, $1 FROM generate_series(1, 3)`,
    [quiet.uuid],
  );
  const list = (...args: string[]) => cliOf(app).json('account', 'usage', ...args);
  expect(await list('--top', '2')).toEqual([
    { account_id: busy.id, uploads: 10_000, values: 85_000, waiting: 0, name: 'Test' },
    { account_id: quiet.id, uploads: 6_000, values: 6_001, waiting: 3, name: 'Test' },
  ]);
  expect(await list('--top', '2', '--days', '3')).toMatchObject([
    { account_id: quiet.id, uploads: 96_000 },
    { account_id: busy.id, uploads: 10_007 },
  ]);
  expect((await cliOf(app).tributary(['account', 'usage', '--days', '0'])).code).toBe(1);
  await app.admin.query('DELETE FROM pending_batches');
});
