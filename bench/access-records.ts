import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type autocannon from 'autocannon';
import { limitRunTime, progress, Report, type RunStack, startRunStack } from '@tributary/rig';
import { estimateMedian, formatEstimate } from './compare/statistics.ts';
import { measure, type Figure } from './frame/measure.ts';
import { fillDays, makeAccounts, makeUsers, tenMetrics } from './reads/fill.ts';
import { listPeople } from './reads/people.ts';

/**
 * The cost of access records: daily reads and 304 responses of a service that records them, against one that does not. Both use the same
 * database and are measured alternately in one run. Afterwards, 10,000 reads are compared with their records.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const rounds = values.short ? 4 : 16;
const seconds = values.short ? 2 : 4;
const connections = 32;
/** The short run only shows that it works: two seconds on a busy machine are no measurement. */
const bound = values.short ? 0.5 : 0.95;
/** A key may make 100 requests a second. */
const accountCount = 150;
const checkedReads = 10_000;
limitRunTime(20);

const env = { LOG_LEVEL: 'warn', DATABASE_POOL_SIZE: '10' };
// Both only serve the API. A process with all roles would also do background work.
await using recording = await startRunStack(['api'], env);
await using silent = await startBeside(recording);
const accounts = await makeAccounts(recording, accountCount);
await makeUsers(recording, accounts, 1, 4);
await fillDays(recording, accounts, { from: 1, to: 4, days: 90, of: tenMetrics });
const people = await listPeople(recording, accounts);
await recording.admin.query('VACUUM (ANALYZE)');

const [recorded, unrecorded] = [recording, silent].map(({ api }) => ({
  url: api[0]!.baseUrl,
  pid: api[0]!.pid!,
})) as [Side, Side];
interface Side {
  url: string;
  pid: number;
}

const types = tenMetrics.map(({ id }) => id).join(',');
const daily = people.map(({ path, account }) => ({
  path: `${path}/daily?types=${types}&from_date=2026-03-01&to_date=2026-03-30`,
  headers: { authorization: `Bearer ${account.key}` },
}));

const report = new Report();
await compare('daily reads of 30 days', daily, 200);
await compare('304 responses', await withTags(daily), 304);
await checkRecords();
report.print(`Access records: ${rounds} rounds of ${seconds} s, alternating, ${connections} connections`);

async function compare(what: string, requests: autocannon.Request[], status: 200 | 304): Promise<void> {
  const run = (side: Side, duration: number) => measure(side, requests, { connections, duration, status });
  progress(`warming up: ${what}`);
  for (const side of [unrecorded, recorded]) await run(side, values.short ? 3 : 12);
  const ratios = { requests: [] as number[], processor: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    // Each goes first in half of the rounds.
    const order = round % 2 === 0 ? [recorded, unrecorded] : [unrecorded, recorded];
    const figures = new Map<Side, Figure>();
    for (const side of order) figures.set(side, await run(side, seconds));
    const [own, other] = [figures.get(recorded)!, figures.get(unrecorded)!];
    ratios.requests.push(own.perSecond / other.perSecond);
    ratios.processor.push(own.cpuMicros / other.cpuMicros);
    progress(`round ${round} of ${rounds}: ${ratios.requests.at(-1)!.toFixed(3)}`);
  }
  const [requestRatio, processorRatio] = [ratios.requests, ratios.processor].map((all) =>
    estimateMedian([all]),
  ) as [ReturnType<typeof estimateMedian>, ReturnType<typeof estimateMedian>];
  report.bound(
    `${what}: rate with records, relative to without`,
    formatEstimate(requestRatio, 3),
    `≥ ${bound}`,
    requestRatio.median >= bound,
  );
  report.note(
    `${what}: processor time of the serving process, with to without`,
    formatEstimate(processorRatio, 3),
  );
}

/** The same requests with the tag of the current response. */
async function withTags(requests: typeof daily): Promise<typeof daily> {
  return Promise.all(
    requests.map(async ({ path, headers }) => {
      const { headers: received } = await fetch(unrecorded.url + path, { headers });
      return { path, headers: { ...headers, 'if-none-match': received.get('etag')! } };
    }),
  );
}

/** Every read has one record, no record has no read, and no record contains anything else. */
async function checkRecords(): Promise<void> {
  progress(`comparing ${checkedReads.toLocaleString('en')} reads with their records`);
  await untilWritten();
  const before = await countRecords();
  const reads = Array.from({ length: checkedReads }, (_, at) => {
    const { account, path } = people[at % people.length]!;
    const day = new Date(Date.UTC(2026, 0, 1) + Math.floor(at / people.length) * 86_400_000)
      .toISOString()
      .slice(0, 10);
    return { account, path, day };
  });
  const statuses = new Map<number, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let read = reads[next++]; read; read = reads[next++]) {
      const { status } = await fetch(
        `${recorded.url}${read.path}/daily?types=steps&from_date=${read.day}&to_date=${read.day}`,
        { headers: { authorization: `Bearer ${read.account.key}` } },
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await untilWritten();
  const { rows } = await recording.admin.query<{ total: string; pairs: string }>(
    `SELECT count(*) AS total, count(DISTINCT (user_id, first_day)) AS pairs FROM access_records
     WHERE operation = 'listDaily' AND first_day = last_day AND first_day >= '2026-01-01'`,
  );
  const after = await countRecords();
  const counts = [Number(rows[0]!.total), Number(rows[0]!.pairs), after - before];
  const { rows: size } = await recording.admin.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'access_records'::regclass`,
  );
  report.note('bytes per record, with indexes', (Number(size[0]!.bytes) / after).toFixed(0));
  report.bound(
    `${checkedReads} reads: returned, recorded, different, new records`,
    [statuses.get(200) ?? 0, ...counts].join(', '),
    'all equal',
    statuses.get(200) === checkedReads && counts.every((count) => count === checkedReads),
  );
}

/** Waits until the service has no record left to write. */
async function untilWritten(): Promise<void> {
  for (let last = -1; ;) {
    await sleep(1_500);
    const current = await countRecords();
    if (current === last) return;
    last = current;
  }
}

async function countRecords(): Promise<number> {
  const { rows } = await recording.admin.query<{ count: string }>('SELECT count(*) FROM access_records');
  return Number(rows[0]!.count);
}

/** A service on the same engines that records nothing. */
function startBeside({ stack }: RunStack): Promise<RunStack> {
  const { databaseUrl, natsUrl, redisUrl } = stack.engines;
  return startRunStack(
    ['api'],
    { ...env, ACCESS_RECORD_RETENTION_DAYS: '0', ENCRYPTION_KEYS: stack.encryptionKeys },
    { existing: { databaseUrl, natsUrl, redisUrl } },
  );
}
