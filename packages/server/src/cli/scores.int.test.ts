import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { createScoredUser, datesFrom } from '../test/data/scored-user.ts';
import type { PhoneUser } from '../test/data/uploads.ts';

let app: TestApp;
let cli: ReturnType<typeof cliOf>;
let ada: PhoneUser;
beforeAll(async () => {
  app = await startTestApp();
  // Longer than the days that are compared at once.
  ada = await createScoredUser(app, datesFrom('2026-03-02', 120));
  await createScoredUser(app, datesFrom('2026-06-20', 8));
  cli = cliOf(app);
});
afterAll(() => app[Symbol.asyncDispose]());

interface Result {
  type: string;
  days: number;
  from: { mean: number; spread: number } | null;
  to: { mean: number; spread: number } | null;
  mean_difference: number | null;
  largest_difference: number | null;
  band_changes: number | null;
}

const backtest = async (...options: string[]) => {
  const report = await cli.json('scores', 'backtest', ...options);
  const byType = new Map((report.scores as Result[]).map((result) => [result.type, result]));
  return { ...report, of: (type: string) => byType.get(type)! };
};

/** Everything that scoring writes. */
async function storedScores(): Promise<unknown> {
  const { rows } = await app.admin.query(
    `SELECT (SELECT md5(string_agg(s::text, '' ORDER BY user_id, day)) FROM score_days s) AS days,
            (SELECT md5(string_agg(m::text, '' ORDER BY user_id, metric_no, month)) FROM canonical_months m) AS months,
            (SELECT count(*)::int FROM stale_scores) AS stale`,
  );
  return rows[0];
}

test('compares two recipes over all users without writing anything', async () => {
  const before = await storedScores();
  const report = await backtest();
  expect(report).toMatchObject({ from: 1, to: 2, users: 2 });
  expect(report.of('sleep_score')).toMatchObject({ days: 128 });
  expect(report.of('strain_score')).toMatchObject({ days: 128, mean_difference: 0, band_changes: 0 });
  expect(report.of('nutrition_score')).toEqual({
    type: 'nutrition_score',
    days: 0,
    days_only_from: 0,
    days_only_to: 0,
    from: null,
    to: null,
    mean_difference: null,
    largest_difference: null,
    band_changes: null,
  });
  const reserve = report.of('energy_reserve_score');
  expect(reserve.to!.mean - reserve.from!.mean).toBeCloseTo(reserve.mean_difference, 8);
  expect(await storedScores()).toEqual(before);
});

test('computes the scores that the service stored', async () => {
  const { body } = await app.request(
    'GET',
    `/v1/users/${ada.id}/scores?from_date=2026-03-02&to_date=2026-06-29&types=recovery_score,energy_reserve_score`,
  );
  const report = await backtest('--user', ada.id, '--from', '2');
  for (const type of ['recovery_score', 'energy_reserve_score']) {
    const values = (body.series[type] as (number | null)[]).filter((value) => value !== null);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const { days, to } = report.of(type);
    expect([days, to!.mean]).toEqual([values.length, expect.closeTo(mean, 8)]);
  }
});

test('compares one account or one user', async () => {
  const other = await app.createAccount();
  expect(await backtest('--account', other.id)).toMatchObject({ users: 0 });
  expect(await backtest('--account', app.account.id)).toMatchObject({ users: 2 });
  const report = await backtest('--user', ada.id);
  expect([report.users, report.of('sleep_score').days]).toEqual([1, 120]);
  const { stderr, code } = await cli.tributary([
    'scores',
    'backtest',
    '--user',
    ada.id,
    '--account',
    other.id,
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`User ${ada.id} not found in account ${other.id}`),
  ]);
});

test('prints a table', async () => {
  const { stdout } = await cli.tributary(['scores', 'backtest', '--user', ada.id]);
  expect(stdout).toMatch(
    /^SCORE +DAYS +MEAN 1 +MEAN 2 +SPREAD 1 +SPREAD 2 +MEAN DIFF +LARGEST DIFF +OTHER BAND\n/,
  );
  expect(stdout).toMatch(/\nnutrition_score +0 +– +–/);
  expect(stdout).toContain('Compared recipe 1 with recipe 2 for 1 user. Nothing was written.');
});

test.each([
  [['--to', '3'], /It must be 1 or 2/],
  [['--account', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'], /Account acc_\w+ not found/],
  [['--user', 'user_01jcqz4w5ve9prdk6r9f4vg1yx'], /User user_\w+ not found in any account/],
])('rejects %j', async (options, message) => {
  const { stderr, code } = await cli.tributary(['scores', 'backtest', ...options]);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});
