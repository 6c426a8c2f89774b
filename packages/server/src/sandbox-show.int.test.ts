import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIngest } from './ingest/run-ingest.ts';
import { workOnScores } from './jobs/work-on-scores.ts';
import { cliOf, type Ended } from './test/run-cli.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

const resources = new AsyncDisposableStack();
/** A Sunday evening in Berlin, in the middle of five minutes. */
const evening = Date.parse('2026-03-08T18:02:00Z');
let app: TestApp;
let adaId: string;

beforeAll(async () => {
  app = resources.use(await startTestApp({ SANDBOX_WAIT_MS: '20000' }));
  await app.moveClock(evening - Date.now());
  resources.use(await runIngest(app.ctx));
  resources.use(workOnScores(app.ctx));
  adaId = await create('ada', { timezone: 'Europe/Berlin' });
});
afterAll(() => resources.disposeAsync());

async function create(reference: string, body: object = {}, key = app.account.sandboxKey): Promise<string> {
  const made = await app.request('POST', '/v1/users', { key, body: { reference_id: reference, ...body } });
  return made.body.data.id;
}

function sandbox(...args: string[]): Promise<Ended> {
  const env = { TRIBUTARY_ENV: 'test', TEST_CLOCK: 'true', SANDBOX_WAIT_MS: '20000' };
  return cliOf(app).tributary(['sandbox', ...args], env);
}

const linesOf = ({ stdout }: Ended, start: string): string[] =>
  stdout.split('\n').filter((line) => line.startsWith(start));

describe('sandbox show', () => {
  test('prints what the README shows', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const shown = /^```text\n(ada {2}athlete[^]*?)^```$/m.exec(readme)?.[1];
    await app.moveClock(evening - Date.now());
    const { code, stdout } = await sandbox('show', '--user', 'ada');
    expect(code).toBe(0);
    expect(withoutId(stdout)).toBe(withoutId(shown ?? 'nothing'));
  });

  test('prints what the API answers', async () => {
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
    // A day has 144 stretches, all with a heart rate before today.
    for (const means of column('heart_rate').slice(0, 6)) {
      expect(means).toHaveLength(144);
      expect(means).not.toContain(null);
    }
  });

  test('shows as many days as asked for, and says of somebody without data that nothing is known', async () => {
    expect(linesOf(await sandbox('show', '--user', 'ada', '--days', '9'), 'Sat 28 Feb')).toHaveLength(4);
    await create('nobody', { sandbox: { archetype: 'none' } });
    const nobody = await sandbox('show', '--user', 'nobody');
    expect(nobody.stdout).toContain('\nNothing is known about these days.\n');
  });

  test('a clock that is set forward leaves an hour without a heart rate', async () => {
    const spring = Date.parse('2026-03-29T18:02:00Z');
    await app.moveClock(spring - Date.now());
    await create('spring', { timezone: 'Europe/Berlin', sandbox: { archetype: 'athlete' } });
    const { stdout } = await sandbox('show', '--user', 'spring', '--days', '1', '--json');
    const [{ heart_rate: means }] = JSON.parse(stdout).days;
    const gaps = means.flatMap((mean: number | null, at: number) => (mean === null ? [at] : []));
    expect(gaps.slice(0, 7)).toEqual([12, 13, 14, 15, 16, 17, expect.any(Number)]);
    expect(gaps[6]).toBeGreaterThanOrEqual(120);
    await app.moveClock(evening - Date.now());
  });
});

describe('sandbox advance', () => {
  test('lets days pass, after which show ends with another day', async () => {
    await create('passing', { timezone: 'Europe/Berlin', sandbox: { archetype: 'office_worker' } });
    const { stdout } = await sandbox('advance', '--user', 'passing', '--days', '2');
    expect(stdout).toBe(
      '2 days passed: it is Tuesday 10 March 2026 for passing, 2 days ahead.\nIts data and scores have followed.\n',
    );
    const week = await sandbox('show', '--user', 'passing');
    expect(week.stdout).toMatch(/^Tuesday 10 March 2026, \d\d:\d\d in Europe\/Berlin, 2 days ahead$/m);
    expect(linesOf(week, 'Tue 10 Mar')).toHaveLength(4);
    expect(linesOf(week, 'sleep')[0]).toMatch(/^sleep {7} *\d+\.\d {2}\w+/);
  });

  test('of somebody who is not made up moves the day alone', async () => {
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

describe('refused in a sentence', () => {
  test('users that are real, and of whom nothing is printed', async () => {
    const live = await create('real', {}, app.account.liveKey);
    for (const args of [
      ['show', '--user', 'real'],
      ['show', '--user', live],
      ['advance', '--user', live],
    ]) {
      const { code, stdout, stderr } = await sandbox(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/is a live user, whose values are not printed here/);
    }
  });

  test('a reference that several accounts have, until one of them is named', async () => {
    const other = await app.createAccount();
    const body = { sandbox: { archetype: 'none' } };
    await create('twice', body);
    const theirs = await create('twice', body, other.sandboxKey);
    const { code, stderr } = await sandbox('show', '--user', 'twice');
    expect(code).toBe(1);
    expect(stderr).toContain(`Say which with --account: ${[app.account.id, other.id].sort().join(', ')}.`);
    expect((await sandbox('show', '--user', 'twice', '--account', other.id)).stdout).toContain(theirs);
  });

  test.each([
    [['show', '--user', 'ghost'], /There is no user ghost in the sandbox of any account/],
    [['show', '--user', 'user_01jcqz4w5ve9prdk6r9f4vg1yx'], /There is no user user_01jcqz/],
    [
      ['show', '--user', 'ada', '--account', 'acc_01jcqz4w5ve9prdk6r9f4vg1yx'],
      /no user ada in the sandbox of account/,
    ],
    [['show', '--user', 'ada', '--account', 'acc_1'], /not an id of this kind/],
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

  test('more days than a person may be ahead', async () => {
    await create('far', { sandbox: { archetype: 'none' } });
    await app.admin.query(`UPDATE users SET days_ahead = 366 WHERE reference_id = 'far'`);
    const { code, stderr } = await sandbox('advance', '--user', 'far');
    expect([code, stderr]).toEqual([
      1,
      '--days must leave the user at most 366 days ahead; it is 366 days ahead now.\n',
    ]);
  });
});

function withoutId(text: string): string {
  return text.replace(/user_\w{26}/, 'user_id');
}
