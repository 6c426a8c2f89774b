import {
  type Chunk,
  chunkMs,
  dayEndMs,
  dayStartMs,
  emptyDeviceDay,
  encodeChunk,
  encodeDeviceDay,
  encodeMonth,
  findMetric,
  isOptIn,
  firstDayOf,
  formatDay,
  type Metric,
  metrics,
  monthSlices,
  parseDay,
  printMonth,
  setPartial,
  summarize,
} from '@tributary/domain';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';
import { createAccount } from '@tributary/server/testing/accounts';
import { pack } from '@tributary/server/testing/reads';
import { progress, type RunStack } from '@tributary/rig';
import { testActor } from '@tributary/server/testing/database';

/** The last day with data, and the range that requests ask for. */
export const lastDay = parseDay('2026-03-31')!;
export const tenMetrics = [
  'steps',
  'distance',
  'active_calories',
  'resting_heart_rate',
  'heart_rate_variability_rmssd',
  'asleep',
  'deep_sleep',
  'REM',
  'weight',
  'blood_oxygen',
].map((id) => findMetric(id)!);
export const allMetrics = metrics.filter(
  (metric) => metric.form2Surfaces.includes('daily') && !isOptIn(metric),
);

export interface Account {
  uuid: string;
  key: string;
}

/** A user's id follows from its account and number, so that pgbench can generate it, too. */
export const userIdSql = (account: string, number: string) =>
  `overlay(overlay(md5(${account}::uuid::text || '/' || ${number}) placing '7' from 13) placing '8' from 17)::uuid`;

/** Users have different months of data, but only this many variants. */
const variants = 20;

/** Creates accounts with one key each, which has its own rate limit. */
export async function makeAccounts(run: RunStack, count: number): Promise<Account[]> {
  const newId = createIdSource(systemClock);
  const accounts: Account[] = [];
  for (let at = 0; at < count; at += 1) {
    const { account, live } = await createAccount({ operator: run.admin, newId }, testActor, {
      name: `Bench ${at}`,
    });
    accounts.push({ uuid: account.id, key: live.secret });
  }
  return accounts;
}

/** Creates users `from` to `to` of each account, with one watch each. */
export async function makeUsers(
  run: RunStack,
  accounts: readonly Account[],
  from: number,
  to: number,
): Promise<void> {
  for (const { uuid } of accounts) {
    await run.admin.query(
      `INSERT INTO users (id, account_id, environment, reference_id, timezone, last_sync_at)
       SELECT ${userIdSql('$1', 'n')}, $1::uuid, 'live', 'ref-' || n, 'Europe/Berlin', now() FROM generate_series($2::int, $3::int) AS n`,
      [uuid, from, to],
    );
    await run.admin.query(
      `INSERT INTO devices (user_id, device_no, id, provider, stable_id, on_device, kind, status, connected_at, last_sync_at)
       SELECT ${userIdSql('$1', 'n')}, 1, gen_random_uuid(), 'apple_health', 'watch', true, 'watch', 'active', now(), now()
       FROM generate_series($2::int, $3::int) AS n`,
      [uuid, from, to],
    );
  }
}

/** Gives users `from` to `to` of each account daily values of these metrics for a number of days. */
export async function fillDays(
  run: RunStack,
  accounts: readonly Account[],
  { from, to, days, of }: { from: number; to: number; days: number; of: readonly Metric[] },
): Promise<void> {
  progress(
    `${days} days of ${of.length} metrics for ${(accounts.length * (to - from + 1)).toLocaleString('en')} users`,
  );
  await run.admin.query(
    'CREATE TABLE IF NOT EXISTS bench_months (variant int, metric_no int2, month int2, printed text, detail bytea)',
  );
  await run.admin.query('TRUNCATE bench_months');
  const rows = of.flatMap((metric) =>
    Array.from({ length: variants }, (_, variant) => monthsOf(metric, variant, days)).flat(),
  );
  await run.admin.query(
    'INSERT INTO bench_months SELECT * FROM unnest($1::int[], $2::int2[], $3::int2[], $4::text[], $5::bytea[])',
    [
      rows.map(({ variant }) => variant),
      rows.map(({ metricNo }) => metricNo),
      rows.map(({ month }) => month),
      rows.map(({ printed }) => printed),
      rows.map(({ detail }) => detail),
    ],
  );
  for (const { uuid } of accounts) {
    await run.admin.query(
      `INSERT INTO canonical_months (user_id, metric_no, month, printed, detail)
       SELECT ${userIdSql('$1', 'n')}, m.metric_no, m.month, m.printed, m.detail
       FROM generate_series($2::int, $3::int) AS n JOIN bench_months m ON m.variant = n % ${variants}`,
      [uuid, from, to],
    );
  }
}

function monthsOf(metric: Metric, variant: number, days: number) {
  const first = lastDay - days + 1;
  return monthSlices(first, lastDay).map(({ month }) => {
    const start = firstDayOf(month);
    const length = firstDayOf(month + 1) - start;
    const span = Math.min(metric.max, metric.min + 1000) - metric.min;
    const values = Array.from({ length }, (_, at) => {
      const day = start + at;
      const isMissing = day < first || day > lastDay || (day + variant) % 9 === 0;
      const value = metric.min + span * (((day * 7 + variant * 13) % 50) / 50);
      return isMissing ? null : { micros: Math.round(value * 1e6), source: 1, contributors: [] };
    });
    return {
      variant,
      metricNo: metric.no,
      month,
      printed: printMonth(values, metric),
      detail: Buffer.from(encodeMonth(values)),
    };
  });
}

const heartRate = findMetric('heart_rate')!;

/** Gives these users heart rate every five seconds for a number of days up to the last. Their time zone is Berlin's. */
export async function fillHeartRate(run: RunStack, userIds: readonly string[], days: number): Promise<void> {
  progress(`${days} days of heart rate every five seconds for ${userIds.length} users`);
  const timezone = 'Europe/Berlin';
  const first = lastDay - days + 1;
  const startMs = dayStartMs(first, timezone);
  const endMs = dayEndMs(lastDay, timezone);
  const chunks = new Map<number, Chunk>();
  for (let chunk = Math.floor(startMs / chunkMs); chunk * chunkMs < endMs; chunk += 1)
    chunks.set(chunk, heartRateOf(chunk, startMs, endMs));
  const dayRows = Array.from({ length: days }, (_, at) => {
    const day = first + at;
    const content = emptyDeviceDay();
    for (const [chunk, readings] of chunks)
      setPartial(
        content,
        heartRate.no,
        chunk,
        summarize(
          readings,
          chunk * chunkMs,
          dayStartMs(day, timezone),
          dayEndMs(day, timezone),
          heartRate.aggregation,
        ),
      );
    return { day: formatDay(day), data: Buffer.from(pack(encodeDeviceDay(content, day))) };
  });
  await run.admin.query(
    `INSERT INTO sample_chunks (user_id, metric_no, device_no, chunk, data)
     SELECT u, $2, 1, c.chunk, c.data FROM unnest($1::uuid[]) AS u, unnest($3::int4[], $4::bytea[]) AS c (chunk, data)`,
    [
      userIds,
      heartRate.no,
      [...chunks.keys()],
      [...chunks].map(([chunk, readings]) => Buffer.from(pack(encodeChunk(readings, chunk)))),
    ],
  );
  await run.admin.query(
    `INSERT INTO device_days (user_id, day, device_no, data)
     SELECT u, d.day, 1, d.data FROM unnest($1::uuid[]) AS u, unnest($2::date[], $3::bytea[]) AS d (day, data)`,
    [userIds, dayRows.map(({ day }) => day), dayRows.map(({ data }) => data)],
  );
}

/** A random walk around sixty beats, every five seconds. */
function heartRateOf(chunk: number, fromMs: number, toMs: number): Chunk {
  const times: number[] = [];
  for (let time = 0; time < chunkMs; time += 5000) {
    const at = chunk * chunkMs + time;
    if (at >= fromMs && at < toMs) times.push(time);
  }
  let beats = 60;
  const values = times.map((time, at) => {
    beats = Math.min(180, Math.max(45, beats + (((at * 7919 + chunk * 31 + time) % 7) - 3)));
    return beats * 1e6;
  });
  const owners = [{ createdMs: toMs, batchId: new Uint8Array(16), utcOffsetMinutes: null, unitCode: 0 }];
  return {
    times: Int32Array.from(times),
    values: Float64Array.from(values),
    durations: null,
    ownerOf: new Uint16Array(times.length),
    owners,
  };
}

/** Gives every user a night and a run on the last day, and one chunk of samples from long ago. */
export async function fillSessions(run: RunStack): Promise<void> {
  progress('one night and one run for every user');
  const day = `date '${formatDay(lastDay)}'`;
  const sleep = JSON.stringify({
    asleepMinutes: 420,
    deepMinutes: 80,
    lightMinutes: 250,
    remMinutes: 90,
    awakeMinutes: 30,
    inBedMinutes: 450,
    efficiencyPercent: 93.3,
    vitals: {},
  });
  const workout = JSON.stringify({
    sport: 'running',
    name: 'Run',
    values: { distance: 5, active_calories: 400 },
    trace: null,
    histogram: [],
  });
  const deviceWorkout = JSON.stringify({
    utcOffsetMinutes: null,
    sport: 'running',
    name: 'Run',
    values: {},
    heartRate: { offsetsMs: [], bpm: [] },
  });
  await run.admin.query(
    `INSERT INTO canonical_sleep (user_id, id, day, is_main, device_no, source_id, start_at, end_at, content)
     SELECT id, gen_random_uuid(), ${day}, true, 1, 'night', ${day} - interval '2 hours', ${day} + interval '6 hours', '${sleep}' FROM users`,
  );
  await run.admin.query(
    `INSERT INTO canonical_workouts (user_id, id, day, device_no, source_id, start_at, end_at, content)
     SELECT id, overlay(overlay(md5(id::text) placing '8' from 13) placing '8' from 17)::uuid, ${day}, 1, 'run',
       ${day} + interval '9 hours', ${day} + interval '10 hours', '${workout}' FROM users`,
  );
  await run.admin.query(
    `INSERT INTO device_workouts (user_id, device_no, source_id, created_at, batch_id, start_at, end_at, content)
     SELECT id, 1, 'run', now(), gen_random_uuid(), ${day} + interval '9 hours', ${day} + interval '10 hours', '${deviceWorkout}' FROM users`,
  );
  await run.admin.query(
    `INSERT INTO sample_chunks (user_id, metric_no, device_no, chunk, data) SELECT id, 1, 1, 100000, '\\x00' FROM users`,
  );
}
