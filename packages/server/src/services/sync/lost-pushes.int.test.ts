import { zstdCompressSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProvider } from '@tributary/providers';
import { parseId } from '../../ids.ts';
import { insertDocumentBatches } from '../../store/connections/retained-documents.ts';
import { insertPush } from '../../store/connections/provider-pushes.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { packDocuments } from './document-payload.ts';
import { defaultScopeBits } from '../../scope-bits.ts';
import { syncConnection } from './sync-connection.ts';
import { awaitEarlierPushes } from './await-earlier-pushes.ts';
import { processPush } from './process-push.ts';
import { holdTransaction } from '../../test/hold-transaction.ts';
import { readPayloads } from '../../test/data/read-payloads.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Connected {
  userId: string;
  deviceId: string;
}

async function connected(provider: string, person: string): Promise<Connected> {
  const user = await app.createUser();
  const { id, auth_url: url } = (await app.connect(user, provider)).body.data;
  await app.authorize(url, person);
  return { userId: parseId('user', user)!, deviceId: parseId('dev', id)! };
}

/** Runs one poll now, with this many calls left in Strava's 15-minute limit. The default is the full limit. */
async function runPoll({ deviceId }: Connected, { deep = false, calls = 25 } = {}): Promise<void> {
  await app.admin.query('DELETE FROM provider_limits');
  await app.admin.query(
    `INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at)
     VALUES ('sandbox', 'strava', '', 0, tributary_now() + (25 - $1) * interval '12.857 seconds')`,
    [calls],
  );
  await app.admin.query(
    `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now(), deep_at = CASE WHEN $2 THEN NULL ELSE deep_at END
     WHERE device_id = $1`,
    [deviceId, deep],
  );
  await syncConnection(app.ctx, deviceId, new AbortController().signal);
}

async function lastRun({ deviceId }: Connected): Promise<{ outcome: string; calls: number }> {
  const { rows } = await app.admin.query(
    'SELECT outcome, calls FROM sync_runs WHERE device_id = $1 ORDER BY id DESC LIMIT 1',
    [deviceId],
  );
  return rows[0];
}

async function countStored({ userId }: Connected, stream: string): Promise<number> {
  const payloads = await readPayloads(app, 'user_id = $1', userId);
  return payloads.filter((payload) => payload.includes(`"stream":"${stream}"`)).length;
}

test('resumes a poll where it stopped if limits interrupt it repeatedly', async () => {
  const one = await connected('oura', 'chen');
  await runPoll(one, { deep: true });
  await runPoll(one);
  const { outcome, calls: whole } = await lastRun(one);
  expect(outcome).toBe('ok');
  const fault = app.lab.faults.on({ kind: 'limited', rate: 0.4, provider: 'oura' });
  let [interruptions, calls] = [0, 0];
  try {
    for (let isDone = false; !isDone; interruptions += isDone ? 0 : 1) {
      await runPoll(one);
      const run = await lastRun(one);
      calls += run.calls;
      isDone = run.outcome === 'ok';
      if (!isDone) expect(run.outcome).toBe('limited');
      // If each poll started with the first stream, hardly one in a thousand would complete.
      expect(calls).toBeLessThan(6 * whole);
    }
  } finally {
    app.lab.faults.off(fault.id);
  }
  expect(interruptions).toBeGreaterThan(2);
  await runPoll(one);
  expect(await lastRun(one)).toEqual({ outcome: 'ok', calls: whole });
});

/** Sets the stored progress of a poll, as a node left it. */
const setProgress = ({ deviceId }: Connected, stored: readonly string[]) =>
  app.admin.query('UPDATE connections SET poll_streams = $2 WHERE device_id = $1', [deviceId, stored]);

async function readProgress({ deviceId }: Connected): Promise<string[]> {
  const { rows } = await app.admin.query('SELECT poll_streams FROM connections WHERE device_id = $1', [
    deviceId,
  ]);
  return rows[0].poll_streams;
}

describe('during an upgrade from version 0.1', () => {
  const progressOfBoth = [
    'deep sleep',
    'deep daily_activity@',
    'vo2_max',
    '{"stream":"workout","depth":"deep","parts":"all"}',
    'unknown form',
  ];
  const streams = findProvider('oura')!.streams.map(({ name }) => name);
  const unread = 'workout';
  let one: Connected;
  beforeAll(async () => {
    one = await connected('oura', 'ada');
    await runPoll(one, { deep: true });
  });

  test.each([
    ['version 0.1', (stream: string) => `deep ${stream}`],
    ['this version', (stream: string) => JSON.stringify({ stream, depth: 'deep', parts: 'all' })],
  ])('resumes a poll that a node of %s started', async (_, format) => {
    await setProgress(
      one,
      streams.filter((stream) => stream !== unread).map((stream) => format(stream)),
    );
    await runPoll(one, { deep: true });
    expect(await lastRun(one)).toEqual({ outcome: 'ok', calls: 1 });
    expect(await readProgress(one)).toEqual([]);
  });

  test('preserves the progress of both versions if the poll is interrupted again', async () => {
    await setProgress(one, progressOfBoth);
    const fault = app.lab.faults.on({ kind: 'limited', rate: 1, provider: 'oura' });
    try {
      await runPoll(one, { deep: true });
    } finally {
      app.lab.faults.off(fault.id);
    }
    expect(await lastRun(one)).toMatchObject({ outcome: 'limited' });
    const stored = await readProgress(one);
    expect(stored.map((element) => JSON.parse(element))).toEqual([
      { stream: 'sleep', depth: 'deep', parts: 'all' },
      { stream: 'vo2_max', depth: 'short', parts: 'all' },
      { stream: 'workout', depth: 'deep', parts: 'all' },
      // Its only part was read, so it is done without a call.
      { stream: 'daily_activity', depth: 'deep', parts: 'all' },
    ]);
  });
});

/** Stores a document that the provider does not have. */
async function makeUp(
  { userId }: Connected,
  provider: string,
  stream: string,
  document: object,
): Promise<void> {
  const batches = packDocuments(findProvider(provider)!, stream, { documents: [document] }).map((packed) => ({
    batchId: app.ctx.newId(),
    createdMs: Date.now() - 3 * dayMs,
    ...packed,
  }));
  await insertDocumentBatches(app.ctx.operator, userId, defaultScopeBits, batches);
}

/** Runs deep polls with this many calls at Strava until one completes. */
async function pollUntilDone(one: Connected, calls: number): Promise<string[]> {
  const outcomes: string[] = [];
  while (outcomes.at(-1) !== 'ok' && outcomes.length < 8) {
    await runPoll(one, { deep: true, calls });
    outcomes.push((await lastRun(one)).outcome);
  }
  return outcomes;
}

test('resumes within a stream if every document costs calls, and skips no day', async () => {
  const one = await connected('strava', 'ben');
  expect(await pollUntilDone(one, 25)).toContain('ok');
  const days = Array.from({ length: 9 }, (_, before) => before);
  for (const day of days)
    await makeUp(one, 'strava', 'activity', {
      activity: {
        id: 1_000 + day,
        sport_type: 'Run',
        start_date: new Date(Date.now() - day * dayMs - 2 * hourMs).toISOString(),
        elapsed_time: 1_800,
      },
      streams: null,
    });
  const countSimulated = async () => {
    await app.processPending();
    const { rows } = await app.admin.query(
      `SELECT FROM device_workouts WHERE user_id = $1 AND start_at IS NOT NULL AND source_id = ANY ($2::text[])`,
      [one.userId, days.map((day) => String(1_000 + day))],
    );
    return rows.length;
  };
  expect(await countSimulated()).toBe(days.length);
  // A list for every second day and a call for each missing document exceed the limit. A poll that started over each time would never complete.
  const outcomes = await pollUntilDone(one, 14);
  expect(outcomes[0]).toBe('limited');
  expect(outcomes).toContain('ok');
  expect(await countSimulated()).toBe(0);
});

test('treats nothing as seen after an interrupted poll that stored documents', async () => {
  const one = await connected('strava', 'gita');
  expect(await pollUntilDone(one, 25)).toContain('ok');
  const seen = async (change = 'seen') => {
    const { rows } = await app.admin.query(
      `UPDATE connection_streams SET seen = ${change} WHERE device_id = $1 RETURNING length(seen) AS bytes`,
      [one.deviceId],
    );
    return rows[0].bytes;
  };
  // As if the newest document had changed since.
  expect(await seen('substring(seen FROM 9)')).toBeGreaterThan(0);
  const storedCount = await countStored(one, 'activity');
  do await runPoll(one, { deep: true, calls: 3 });
  while ((await countStored(one, 'activity')) === storedCount);
  expect(await lastRun(one)).toMatchObject({ outcome: 'limited' });
  expect(await seen()).toBe(0);
});

test('a deep poll detects a deletion that no push announced', async () => {
  const one = await connected('whoop', 'chen');
  await runPoll(one, { deep: true });
  const startMs = Date.now() - 3 * dayMs;
  const [start, end] = [startMs, startMs + hourMs].map((ms) => new Date(ms).toISOString());
  const workout = { id: 'e2a1c5b0-0000-4000-8000-000000000000', start, end, sport_name: 'running' };
  await makeUp(one, 'whoop', 'workout', workout);
  const isThere = async () => {
    await app.processPending();
    const { rows } = await app.admin.query(
      'SELECT start_at IS NOT NULL AS there FROM device_workouts WHERE user_id = $1 AND source_id = $2',
      [one.userId, workout.id],
    );
    return rows[0]?.there;
  };
  expect(await isThere()).toBe(true);
  await runPoll(one);
  expect(await isThere()).toBe(true);
  await runPoll(one, { deep: true });
  expect(await isThere()).toBe(false);
});

test('a deep poll reads the details of sleep sessions since the consent that no push announced, once', async () => {
  const one = await connected('whoop', 'ada');
  await runPoll(one, { deep: true });
  expect(await countStored(one, 'sleep_heart_rate')).toBe(0);
  await app.admin.query(
    `UPDATE connections SET authorized_at = authorized_at - interval '5 days' WHERE device_id = $1`,
    [one.deviceId],
  );
  await runPoll(one);
  expect(await countStored(one, 'sleep_heart_rate')).toBe(0);
  await runPoll(one, { deep: true });
  const storedCount = await countStored(one, 'sleep_heart_rate');
  expect(storedCount).toBeGreaterThan(3);
  await runPoll(one, { deep: true });
  expect(await countStored(one, 'sleep_heart_rate')).toBe(storedCount);
});

test('reads the time missed during a pause of weeks as history', async () => {
  const one = await connected('oura', 'ben');
  await runPoll(one, { deep: true });
  const spanOf = async () => {
    const { rows } = await app.admin.query(
      `SELECT round(extract(epoch FROM tributary_now() - history_from) / 86400)::int AS "fromDays",
         round(extract(epoch FROM tributary_now() - history_to) / 86400)::int AS "toDays", history_due_at IS NOT NULL AS due
       FROM connections WHERE device_id = $1`,
      [one.deviceId],
    );
    return rows[0];
  };
  const pollAfter = async (days: number) => {
    await app.admin.query(
      `UPDATE connections SET deep_at = tributary_now() - $2 * interval '1 day', history_due_at = NULL,
         history_to = history_from + interval '1 day' WHERE device_id = $1`,
      [one.deviceId, days],
    );
    await runPoll(one);
    expect(await lastRun(one)).toMatchObject({ outcome: 'ok' });
    return spanOf();
  };
  expect(await pollAfter(2)).toMatchObject({ due: false });
  // As far back as a poll at that time would have reached.
  expect(await pollAfter(20)).toEqual({ fromDays: 30, toDays: 0, due: true });
});

test('a push about several users and a worker that writes their devices do not deadlock', async () => {
  const people = [await connected('garmin', 'ada'), await connected('garmin', 'ben')];
  const { rows } = await app.admin.query(
    'SELECT device_id AS id, external_id AS person FROM connections WHERE device_id = ANY ($1) ORDER BY external_id',
    [people.map(({ deviceId }) => deviceId)],
  );
  const row = (userId: string) => ({ userId, calendarDate: '2026-11-10', steps: 100 });
  const body = zstdCompressSync(JSON.stringify({ dailies: rows.map(({ person }) => row(person)) }));
  await app.admin.query('DELETE FROM provider_pushes');
  await insertPush(app.ctx.operator, {
    environment: 'sandbox',
    provider: 'garmin',
    headers: {},
    keyId: null,
    body,
  });
  await using worker = await holdTransaction(app.admin);
  const write = (at: number) =>
    worker.query('UPDATE devices SET last_sync_at = tributary_now() WHERE id = $1', [rows[at]!.id]);
  await write(1);
  const working = processPush(app.ctx);
  await Promise.race([working, sleep(500)]);
  await write(0);
  await worker.commit();
  expect(await working).toBe(true);
  for (const one of people) expect(await countStored(one, 'dailies')).toBe(1);
});

describe('a push that cannot be processed', () => {
  const receive = async (body: Buffer) => {
    const { confirm, ...encrypted } = await app.ctx.rawPayloads.encryptPush(body);
    await insertPush(app.ctx.operator, {
      environment: 'sandbox',
      provider: 'garmin',
      headers: {},
      ...encrypted,
    });
    confirm();
    return encrypted.keyId!;
  };
  const waiting = async () =>
    (
      await app.admin.query(
        `SELECT failures, round(extract(epoch FROM retry_at - tributary_now()))::int AS "waitSeconds" FROM provider_pushes`,
      )
    ).rows;
  const makeDue = () => app.admin.query('UPDATE provider_pushes SET retry_at = tributary_now()');

  test('lets later ones and erasures pass, and is retried after longer and longer waits', async () => {
    await app.admin.query('DELETE FROM provider_pushes');
    await receive(Buffer.from('not compressed'));
    await receive(zstdCompressSync('{}'));
    expect(await processPush(app.ctx)).toBe(true);
    expect(await waiting()).toContainEqual({ failures: 1, waitSeconds: 1 });
    expect(await processPush(app.ctx)).toBe(true);
    expect(await processPush(app.ctx)).toBe(false);
    expect(await waiting()).toHaveLength(1);
    await awaitEarlierPushes(app.ctx);
    for (const waitSeconds of [2, 4, 8]) {
      await makeDue();
      expect(await processPush(app.ctx)).toBe(true);
      expect(await waiting()).toMatchObject([{ waitSeconds }]);
    }
    await app.admin.query('UPDATE provider_pushes SET failures = 1000, retry_at = NULL');
    await processPush(app.ctx);
    expect(await waiting()).toEqual([{ failures: 1001, waitSeconds: 600 }]);
    // Another version of the service can read it.
    await app.admin.query('UPDATE provider_pushes SET key_id = NULL, body = $1, retry_at = NULL', [
      zstdCompressSync('{}'),
    ]);
    expect(await processPush(app.ctx)).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  test('is dropped with its key after a week', async () => {
    const keyId = await receive(Buffer.from('not compressed'));
    const keys = async () => (await app.admin.query('SELECT FROM raw_keys WHERE id = $1', [keyId])).rowCount;
    await app.admin.query(
      `UPDATE provider_pushes SET received_at = tributary_now() - interval '6 days 23 hours'`,
    );
    await processPush(app.ctx);
    expect([(await waiting()).length, await keys()]).toEqual([1, 1]);
    await app.admin.query(
      `UPDATE provider_pushes SET received_at = tributary_now() - interval '7 days 1 minute', retry_at = NULL`,
    );
    await processPush(app.ctx);
    expect([(await waiting()).length, await keys()]).toEqual([0, 0]);
  });
});
