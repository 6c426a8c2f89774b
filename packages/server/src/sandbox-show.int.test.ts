import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIngest } from './ingest/run-ingest.ts';
import { runScoring } from './jobs/compute-scores.ts';
import { cliOf, type Ended } from './test/commands/run-cli.ts';
import { startTestApp, type TestApp } from './test/apps/test-app.ts';

const resources = new AsyncDisposableStack();
/** A Sunday evening in Berlin, in the middle of a five-minute interval. */
const evening = Date.parse('2026-03-08T18:02:00Z');
let app: TestApp;
let adaId: string;

beforeAll(async () => {
  app = resources.use(await startTestApp({ SANDBOX_WAIT_MS: '20000' }));
  await app.moveClock(evening - Date.now());
  resources.use(await runIngest(app.ctx));
  resources.use(runScoring(app.ctx));
  adaId = await create('ada', { timezone: 'Europe/Berlin' });
});
afterAll(() => resources.disposeAsync());

async function create(reference: string, body: object = {}, key = app.account.sandboxKey): Promise<string> {
  const response = await app.request('POST', '/v1/users', {
    key,
    body: { reference_id: reference, ...body },
  });
  return response.body.data.id;
}

function sandbox(...args: string[]): Promise<Ended> {
  const env = { TRIBUTARY_ENV: 'test', TEST_CLOCK: 'true', SANDBOX_WAIT_MS: '20000' };
  return cliOf(app).tributary(['sandbox', ...args], env);
}

const linesOf = ({ stdout }: Ended, start: string): string[] =>
  stdout.split('\n').filter((line) => line.startsWith(start));

describe('sandbox show', () => {
  test('prints the week in docs/sandbox.md', async () => {
    const page = await readFile(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    const shown = /^```text\n(ada {2}athlete[^]*?)^```$/m.exec(page)?.[1];
    await app.moveClock(evening - Date.now());
    const { code, stdout } = await sandbox('show', '--user', 'ada');
    expect(code).toBe(0);
    expect(withoutId(stdout)).toBe(withoutId(shown ?? 'nothing'));
  });

  test('prints the values that the API returns', async () => {
    const read = (path: string) =>
      app.request('GET', `/v1/users/${adaId}/${path}`, {
        key: app.account.sandboxKey,
        headers: { 'API-Form': '2' },
      });
    const range = 'from_date=2026-03-02&to_date=2026-03-08';
    const { series } = (await read(`daily?types=steps,heart_rate_min,heart_rate_max&${range}`)).body;
    const { data: nights } = (await read(`sleep?${range}`)).body;
    const { data: workouts } = (await read(`workouts?${range}`)).body;
    const scores = (await read(`scores?${range}`)).body;
    const { stdout } = await sandbox('show', '--user', adaId, '--json');
    const week = JSON.parse(stdout);
    expect(week).toMatchObject({
      user_id: adaId,
      reference_id: 'ada',
      archetype: 'athlete',
      timezone: 'Europe/Berlin',
      today: '2026-03-08',
      days_ahead: 0,
      score_status: 'ready',
      heart_rate_every_minutes: 10,
    });
    const column = (name: string) => week.days.map((day: Record<string, unknown>) => day[name]);
    expect(column('date')).toEqual(scores.dates);
    for (const name of ['steps', 'heart_rate_min', 'heart_rate_max'])
      expect(column(name), name).toEqual(series[name]);
    for (const [type, values] of Object.entries(scores.series))
      expect(
        column('scores').map((of: Record<string, unknown>) => of[type]),
        type,
      ).toEqual(values);
    const mains = column('sleep')
      .flat()
      .filter((one: { is_main_sleep: boolean }) => one.is_main_sleep);
    expect(mains.map((one: { efficiency_pct: number }) => one.efficiency_pct)).toEqual(
      nights
        .filter((one: { is_main_sleep: boolean }) => one.is_main_sleep)
        .map((one: { efficiency_pct: number }) => one.efficiency_pct)
        .toReversed(),
    );
    expect(
      column('workouts')
        .flat()
        .map((one: { strain: number }) => one.strain),
    ).toEqual(workouts.map((one: { strain: number }) => one.strain).toReversed());
    // A day has 144 ten-minute intervals. Before today, all have a heart rate unless the watch is on its charger.
    for (const means of column('heart_rate').slice(0, 6)) {
      expect(means).toHaveLength(144);
      expect(means.filter((mean: number | null) => mean === null).length).toBeLessThan(72);
    }
  });

  test('shows the requested number of days, and reports a user without data', async () => {
    expect(linesOf(await sandbox('show', '--user', 'ada', '--days', '9'), 'Sat Feb 28')).toHaveLength(4);
    await create('unknown', { sandbox: { archetype: 'none' } });
    const emptyOutput = await sandbox('show', '--user', 'unknown');
    expect(emptyOutput.stdout).toContain('\nNo data for these days.\n');
  });

  test('leaves an hour without heart rate when the clock is set forward', async () => {
    const spring = Date.parse('2026-03-29T18:02:00Z');
    await app.moveClock(spring - Date.now());
    await create('spring', { timezone: 'Europe/Berlin', sandbox: { archetype: 'athlete' } });
    const { stdout } = await sandbox('show', '--user', 'spring', '--days', '1', '--json');
    const [{ heart_rate: means }] = JSON.parse(stdout).days;
    const gaps = means.flatMap((mean: number | null, at: number) => (mean === null ? [at] : []));
    expect(gaps.slice(0, 7)).toEqual([12, 13, 14, 15, 16, 17, expect.any(Number)]);
    expect(gaps[6]).toBeGreaterThanOrEqual(114);
    await app.moveClock(evening - Date.now());
  });
});

describe('sandbox advance', () => {
  test('lets days pass, after which show ends on a later day', async () => {
    await create('passing', { timezone: 'Europe/Berlin', sandbox: { archetype: 'office_worker' } });
    const { stdout } = await sandbox('advance', '--user', 'passing', '--days', '2');
    expect(stdout).toBe(
      'Advanced 2 days. It is Tuesday, March 10, 2026 for passing, 2 days ahead.\nData and scores are up to date.\n',
    );
    const week = await sandbox('show', '--user', 'passing');
    expect(week.stdout).toMatch(/^Tuesday, March 10, 2026, \d\d:\d\d in Europe\/Berlin, 2 days ahead$/m);
    expect(linesOf(week, 'Tue Mar 10')).toHaveLength(4);
    expect(linesOf(week, 'sleep')[0]).toMatch(/^sleep {7} *\d+\.\d {2}\w+/);
  });

  test('only moves the day of a user who is not simulated', async () => {
    await create('empty', { sandbox: { archetype: 'none' } });
    const { stdout } = await sandbox('advance', '--user', 'empty', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      reference_id: 'empty',
      today_before: '2026-03-08',
      today: '2026-03-09',
      days_ahead: 1,
      pending_batches: 0,
      score_status: 'pending',
    });
  });
});

describe('one-line errors', () => {
  test('for live users, without printing their data', async () => {
    const live = await create('real', {}, app.account.liveKey);
    for (const args of [
      ['show', '--user', 'real'],
      ['show', '--user', live],
      ['advance', '--user', live],
    ]) {
      const { code, stdout, stderr } = await sandbox(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/is a live user\. Sandbox commands never print data of live users/);
    }
  });

  test('for a reference in several accounts, until one of them is named', async () => {
    const other = await app.createAccount();
    const body = { sandbox: { archetype: 'none' } };
    await create('twice', body);
    const theirs = await create('twice', body, other.sandboxKey);
    const { code, stderr } = await sandbox('show', '--user', 'twice');
    expect(code).toBe(1);
    expect(stderr).toContain(`Choose one with --account: ${[app.account.id, other.id].sort().join(', ')}.`);
    expect((await sandbox('show', '--user', 'twice', '--account', other.id)).stdout).toContain(theirs);
  });

  test.each([
    [['show', '--user', 'ghost'], /Sandbox user ghost not found in any account/],
    [['show', '--user', 'user_01jcqz4w5ve9prdk6r9f4vg1yx'], /Sandbox user user_01jcqz\w+ not found/],
    [
      ['show', '--user', 'ada', '--account', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'],
      /user ada not found in account acc_/,
    ],
    [['show', '--user', 'ada', '--account', 'acc_1'], /Invalid id acc_1/],
    [['show', '--user', 'ada', '--days', '0'], /from 1 to 31/],
    [['advance', '--user', 'ada', '--days', '32'], /from 0 to 31/],
    [['advance', '--user', 'ada', '--days', '1.5'], /from 0 to 31/],
    [['show'], /required option '--user/],
  ])('%j', async (args, expected) => {
    const { code, stderr } = await sandbox(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('    at ');
  });

  test('for more days than a user may be ahead', async () => {
    await create('far', { sandbox: { archetype: 'none' } });
    await app.admin.query(`UPDATE users SET days_ahead = 366 WHERE reference_id = 'far'`);
    const { code, stderr } = await sandbox('advance', '--user', 'far');
    expect([code, stderr]).toEqual([
      1,
      '--days must keep the user at most 366 days ahead. The user is 366 days ahead now.\n',
    ]);
  });
});

function withoutId(text: string): string {
  return text.replace(/user_\w{26}/, 'user_id');
}
