import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../ids.ts';
import { noteFailure, mostAttempts } from '../services/batches/note-failure.ts';
import { cliOf } from '../test/commands/run-cli.ts';
import { startTestApp, type TestApp } from '../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../test/data/uploads.ts';

let app: TestApp;
let cli: ReturnType<typeof cliOf>;
beforeAll(async () => {
  app = await startTestApp();
  cli = cliOf(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const watch = { id: 'watch-1' };
const content = {
  series: [
    { metric: 'heart_rate', start: '2026-03-01T08:00:00Z', interval_seconds: 60, values: [61.25, 62.5] },
  ],
  daily: [{ metric: 'floors_climbed', date: '2026-03-01', value: 12 }],
  sleep: [{ id: 'night', start: '2026-02-28T22:30:00Z', end: '2026-03-01T06:10:00Z' }],
};

/** Uploads a batch and lets it fail for the last time. */
async function setAside(user: PhoneUser): Promise<string> {
  const batchId = await user.upload(watch, content);
  const { rows } = await app.admin.query(
    `SELECT partition, position FROM pending_batches WHERE user_id = $1 AND batch_id = $2`,
    [user.uuid, batchId],
  );
  const batch = { ...rows[0], position: Number(rows[0].position), userId: user.uuid, batchId };
  await noteFailure(app.ctx, { ...batch, attempts: mostAttempts - 1 }, new RangeError('61.25 is too much'));
  return batchId;
}

const statusOf = async (user: PhoneUser, batchId: string) =>
  (await app.request('GET', `/v1/sdk/batches/${batchId}`, { key: user.accessToken })).body.status;

async function heartRates({ uuid }: PhoneUser): Promise<number> {
  const { rows } = await app.admin.query(
    'SELECT count(*)::int AS n FROM canonical_months WHERE user_id = $1',
    [uuid],
  );
  return rows[0].n;
}

describe('dead letters', () => {
  test('prints that there are none', async () => {
    expect((await cli.tributary(['dead-letter', 'list'])).stdout).toBe('No dead letters.\n');
    expect(await cli.json('dead-letter', 'list')).toEqual([]);
    expect((await cli.tributary(['dead-letter', 'replay', '--all'])).stdout).toBe(
      'Queued 0 batches for processing.\n',
    );
  });

  test('lists them, shows them without measured values, and replays them', async () => {
    const user = await createPhoneUser(app);
    const batchId = await setAside(user);
    expect(await statusOf(user, batchId)).toBe('failed');
    const listed = await cli.json('dead-letter', 'list');
    expect(listed).toEqual([
      {
        user_id: user.id,
        batch_id: batchId,
        attempts: 8,
        reason: 'RangeError',
        failed_at: expect.any(String),
      },
    ]);
    const text = (await cli.tributary(['dead-letter', 'list'])).stdout;
    expect(text).toMatch(/^USER +BATCH +ATTEMPTS +REASON +FAILED AT\n/);
    expect(text).toContain(batchId);

    const one = ['--user', user.id, '--batch', batchId.toUpperCase()];
    const shown = await cli.json('dead-letter', 'show', ...one);
    expect(shown).toEqual({
      ...listed[0],
      received_at: expect.stringMatching(/^20.*Z$/),
      created_at: expect.stringMatching(/^20.*Z$/),
      packed_bytes: expect.any(Number),
      batch_kind: 'upload',
      device: { provider: 'apple_health', kind: 'watch' },
      items: { series: 1, records: 0, daily: 1, sleep: 1, workouts: 0, deletions: 0 },
    });
    const page = (await cli.tributary(['dead-letter', 'show', ...one])).stdout;
    expect(page).toMatch(/provider +apple_health\n/);
    for (const output of [page, JSON.stringify(shown)])
      expect(output).not.toMatch(/61\.25|62\.5|22:30|night/);

    expect(await cli.json('dead-letter', 'replay', ...one)).toEqual({ replayed: 1 });
    expect(await statusOf(user, batchId)).toBe('accepted');
    expect(await cli.json('dead-letter', 'list')).toEqual([]);
    const { rows } = await app.admin.query('SELECT attempts, bytes FROM pending_batches WHERE user_id = $1', [
      user.uuid,
    ]);
    expect(rows).toEqual([{ attempts: 0, bytes: shown.packed_bytes }]);
    expect(await heartRates(user)).toBe(0);
    await workThrough(app);
    expect(await statusOf(user, batchId)).toBe('processed');
    expect(await heartRates(user)).toBeGreaterThan(0);
  });

  test('replays all of them at once', async () => {
    const user = await createPhoneUser(app);
    const batches = [await setAside(user), await setAside(user)];
    expect(await cli.json('dead-letter', 'replay', '--all')).toEqual({ replayed: 2 });
    for (const batchId of batches) expect(await statusOf(user, batchId)).toBe('accepted');
    await workThrough(app);
  });

  test('reports damaged ones and keeps those of a user being erased', async () => {
    const user = await createPhoneUser(app);
    const batchId = await setAside(user);
    await app.admin.query(`UPDATE raw_batches SET payload = 'x' WHERE batch_id = $1`, [batchId]);
    const one = ['--user', user.id, '--batch', batchId];
    expect((await cli.tributary(['dead-letter', 'show', ...one])).stdout).toContain('corrupted');
    expect(await cli.json('dead-letter', 'show', ...one)).toMatchObject({ device: null, items: null });
    await app.request('DELETE', `/v1/users/${user.id}`);
    expect((await cli.tributary(['dead-letter', 'replay', ...one])).code).toBe(1);
    expect(await cli.json('dead-letter', 'list')).toHaveLength(1);
  });
});

describe('rebuild', () => {
  async function createProcessedUser(): Promise<PhoneUser> {
    const user = await createPhoneUser(app);
    await user.upload(watch, content);
    await workThrough(app);
    return user;
  }
  const rebuild = (user: PhoneUser, from: string, ...more: string[]) =>
    cli.tributary(['rebuild', '--user', user.id, '--from', from, ...more]);

  test.each(['raw', 'normalized'])('reproduces the same values from %s and says so', async (from) => {
    const user = await createProcessedUser();
    const checked = await rebuild(user, from, '--check');
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/^TABLE +RESULT\nsample_chunks +equal\n/);
    expect(checked.stdout).toMatch(
      /canonical_workouts +equal\nRebuilt user_\w+ from \w+ in [\d.]+ s: the result is identical\.\n$/,
    );
    expect((await rebuild(user, from)).stdout).toMatch(/no canonical values changed\.\n$/);
  });

  test('reports a difference in check mode, exits with 1 and changes nothing', async () => {
    const user = await createProcessedUser();
    await app.admin.query(`UPDATE canonical_months SET printed = 'tampered' WHERE user_id = $1`, [user.uuid]);
    const tampered = async () =>
      (
        await app.admin.query(`SELECT FROM canonical_months WHERE user_id = $1 AND printed = 'tampered'`, [
          user.uuid,
        ])
      ).rowCount;
    const { code, stdout } = await rebuild(user, 'normalized', '--check');
    expect(code).toBe(1);
    expect(stdout).toMatch(/canonical_months +different\n/);
    expect(stdout).toMatch(/sample_chunks +equal\n/);
    expect(stdout).toMatch(/All changes were rolled back\.\n$/);
    expect(await tampered()).toBeGreaterThan(0);
    const report = await cli.json('rebuild', '--user', user.id, '--from', 'normalized');
    expect(report).toMatchObject({
      user_id: user.id,
      from: 'normalized',
      changed: true,
      kept: true,
      tables: {},
    });
    expect(await tampered()).toBe(0);
  });

  test('reports changed canonical values', async () => {
    const user = await createProcessedUser();
    await app.admin.query('DELETE FROM canonical_months WHERE user_id = $1', [user.uuid]);
    expect((await rebuild(user, 'normalized')).stdout).toMatch(/some canonical values changed\.\n$/);
    const { rows } = await app.admin.query(
      `SELECT type, data FROM events WHERE user_id = $1 ORDER BY xid DESC, id DESC LIMIT 1`,
      [user.uuid],
    );
    expect(rows[0]).toMatchObject({
      type: 'data.updated',
      data: { change: 'updated', last_date: '2026-03-01' },
    });
  });

  test('refuses to rebuild from raw when raw uploads were pruned', async () => {
    const user = await createProcessedUser();
    await app.admin.query(`UPDATE users SET raw_complete_since = now() WHERE id = $1`, [user.uuid]);
    const { code, stderr } = await rebuild(user, 'raw');
    expect(code).toBe(1);
    expect(stderr).toMatch(/past retention/);
    expect(stderr).not.toContain('    at ');
    expect((await rebuild(user, 'normalized')).code).toBe(0);
  });
});

const unknownUserId = formatId('user', randomUUID());
test.each([
  [['dead-letter', 'show', '--user', 'user_1', '--batch', randomUUID()], /Invalid id user_1/],
  [['dead-letter', 'show', '--user', unknownUserId, '--batch', 'one'], /Invalid batch id one/],
  [
    ['dead-letter', 'show', '--user', unknownUserId, '--batch', randomUUID()],
    /Dead letter \S+ of user user_\w+ not found/,
  ],
  [
    ['dead-letter', 'replay', '--user', unknownUserId, '--batch', randomUUID()],
    /Dead letter \S+ of user user_\w+ not found/,
  ],
  [['dead-letter', 'replay', '--user', unknownUserId], /Pass either --user and --batch, or --all/],
  [['dead-letter', 'replay', '--all', '--user', unknownUserId], /Pass either --user and --batch, or --all/],
  [['dead-letter', 'replay'], /Pass either --user and --batch, or --all/],
  [['rebuild', '--user', unknownUserId, '--from', 'raw'], /User user_\w+ not found/],
  [['rebuild', '--user', unknownUserId, '--from', 'canonical'], /raw, normalized/],
  [['rebuild', '--from', 'raw'], /--user/],
])('rejects %j with a one-line message', async (args, expected) => {
  const { code, stderr } = await cli.tributary(args);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(expected);
  expect(stderr).not.toContain('    at ');
});
