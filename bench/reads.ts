/** What reads cost against the bare engine, measured by turns in one run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dayEndMs, dayStartMs, formatDay, monthSlices } from '../packages/domain/src/index.ts';
import { formatId } from '../packages/server/src/ids.ts';
import { selectPrinted } from '../packages/server/src/store/daily-reads.ts';
import { floodLightly, type FloodRequest } from './reads/flood.ts';
import { limitRunTime, median, progress, quantile, Report } from './report.ts';
import {
  allMetrics,
  fillDays,
  fillHeartRate,
  lastDay,
  makeAccounts,
  makeUsers,
  tenMetrics,
  userIdSql,
  type Account,
} from './reads/fill.ts';
import { startRunStack } from './service.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run bench:reads [-- --short]\n\nFills 100,000 users (short: 3,200) and compares reads with bare routes and with pgbench, by turns.',
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
/** A key may make 100 requests a second: the load comes from many, each below its limit. */
const accountCount = 160;
const usersPerAccount = short ? 20 : 625;
const rounds = short ? 3 : 7;
const seconds = short ? 2 : 5;
const poolSize = 10;
const connections = 24;
const days = (count: number) => `from_date=${formatDay(lastDay - count + 1)}&to_date=${formatDay(lastDay)}`;
const form1Days = (count: number) =>
  `start_date=${formatDay(lastDay - count + 1)}&end_date=${formatDay(lastDay)}`;
limitRunTime(45);

/** A process that answers, and what processor time an answer took, by list of requests and round. */
interface Served {
  url: string;
  pid: number;
  used: Map<readonly FloodRequest[], number[]>;
}

interface Person {
  account: Account;
  number: number;
  uuid: string;
  path: string;
}

await using run = await startRunStack(1, { DATABASE_POOL_SIZE: String(poolSize), LOG_LEVEL: 'warn' });
const accounts = await makeAccounts(run, accountCount);
progress('users');
await makeUsers(run, accounts, 1, usersPerAccount);
await fillDays(run, accounts, { from: 1, to: usersPerAccount, days: 90, of: tenMetrics });
// Two of some accounts have a year of everything besides, and heart rate.
const rich = accounts.slice(0, short ? 30 : 105);
const others = allMetrics.filter((metric) => !tenMetrics.includes(metric));
await fillDays(run, rich, { from: 1, to: 2, days: 366, of: others });
const people = await listPeople();
const dense = people.filter(({ account, number }) => number <= 2 && rich.includes(account));
await fillHeartRate(
  run,
  dense.slice(10).map(({ uuid }) => uuid),
  7,
);
await fillHeartRate(
  run,
  dense.slice(0, 10).map(({ uuid }) => uuid),
  31,
);
progress('VACUUM and ANALYZE');
await run.admin.query('VACUUM (ANALYZE)');
await run.admin.query('CHECKPOINT');
using bare = await startBare();
const api: Served = { url: run.stack.info.base_url, pid: run.api[0]!.pid!, used: new Map() };
const report = new Report();
const types = tenMetrics.map(({ id }) => id).join(',');
const dailyPath = ({ path }: Person) => `${path}/daily?types=${types}&${days(30)}`;

const daily = people.map((person) => get(person, dailyPath(person)));
const bareDaily = people.map(({ account, uuid }) => ({ path: `/daily/${account.uuid}/${uuid}/30` }));
progress('checking that both answer the same bytes');
await assertSame(daily[5]!, bareDaily[5]!);

progress('warming up');
await flood(bare, bareDaily, 3);
await flood(api, daily, short ? 4 : 15);
const rates = {
  service: [] as number[],
  bare: [] as number[],
  pgbench: [] as number[],
  unchanged: [] as number[],
  year: [] as number[],
};
const unchanged = await holdTags();
const wholeYear = dense.map((person) => get(person, `${person.path}/daily?${days(366)}`));
for (let round = 1; round <= rounds; round += 1) {
  rates.bare.push(await flood(bare, bareDaily, seconds));
  rates.service.push(await flood(api, daily, seconds));
  rates.pgbench.push(await pgbench(seconds));
  rates.unchanged.push(await flood(api, unchanged, seconds, 304));
  rates.year.push(await flood(api, wholeYear, seconds, 200, 4));
  progress(
    `round ${round} of ${rounds}: ${Object.entries(rates)
      .map(([name, all]) => `${name} ${Math.round(all.at(-1)!)}/s`)
      .join(', ')}`,
  );
}
const ofBare = ratios(rates.service, rates.bare);
const ofPgbench = ratios(rates.service, rates.pgbench);
bound('daily, 10 metrics × 30 days: of a bare route', ofBare, 0.6, short ? 0.3 : 0.6);
bound('the same: of pgbench', ofPgbench, 0.2, short ? 0.08 : 0.2);
report.note(
  'processor time of one: service, bare, 304',
  `${[api.used.get(daily), bare.used.get(bareDaily), api.used.get(unchanged)].map((all) => Math.round(median(all!))).join(', ')} µs`,
);
const cells = { month: 10 * 30, year: allMetrics.length * 366 };
const perCell = rates.service.map((rate, at) => (rate * cells.month) / (rates.year[at]! * cells.year));
report.note(
  'daily reads a second: service, bare, pgbench',
  [rates.service, rates.bare, rates.pgbench].map((all) => Math.round(median(all))).join(', '),
);
report.bound(
  `cost of a cell in ${allMetrics.length} metrics × 366 days`,
  `${spread(perCell)} ×`,
  '≤ 0.2 × that of 30 days',
  median(perCell) <= 0.2,
);
bound('304 answers: of the rate of 200 answers', ratios(rates.unchanged, rates.service), 2, short ? 1.3 : 2);

// Samples.
const week = dense
  .slice(10)
  .map((person) => get(person, `${person.path}/timeseries?metrics=heart_rate&${form1Days(7)}`));
const [fromMs, toMs] = [dayStartMs(lastDay - 6, 'Europe/Berlin'), dayEndMs(lastDay, 'Europe/Berlin')];
const bareWeek = dense
  .slice(10)
  .map(({ account, uuid }) => ({ path: `/samples/${account.uuid}/${uuid}?from=${fromMs}&to=${toMs}` }));
await assertSame(week[0]!, bareWeek[0]!);
const samples = { service: [] as number[], bare: [] as number[] };
await flood(bare, bareWeek, 2, 200, 2);
await flood(api, week, 2, 200, 2);
for (let round = 1; round <= rounds; round += 1) {
  samples.bare.push(await flood(bare, bareWeek, seconds, 200, 2));
  samples.service.push(await flood(api, week, seconds, 200, 2));
  progress(
    `samples, round ${round} of ${rounds}: ${samples.service.at(-1)!.toFixed(1)} and ${samples.bare.at(-1)!.toFixed(1)} a second`,
  );
}
bound(
  '7 days of heart rate: of a bare handler',
  ratios(samples.service, samples.bare),
  0.8,
  short ? 0.5 : 0.8,
);
report.note(
  'weeks of heart rate a second: service, bare',
  `${median(samples.service).toFixed(1)}, ${median(samples.bare).toFixed(1)}`,
);

report.note(
  'processor time of one: service, bare',
  `${[api.used.get(week), bare.used.get(bareWeek)].map((all) => (median(all!) / 1000).toFixed(1)).join(', ')} ms`,
);
const flooding = flood(api, week, short ? 4 : 15, 200, 2);
const meanwhile = await arrivals(dailyPath, 50, short ? 3 : 14);
await flooding;
report.bound(
  'other requests meanwhile: p99',
  `${quantile(meanwhile, 0.99).toFixed(1)} ms`,
  `< ${short ? 120 : 30} ms`,
  quantile(meanwhile, 0.99) < (short ? 120 : 30),
);

const peaks = { week: [] as number[], month: [] as number[] };
const month = dense
  .slice(0, 10)
  .map((person) => get(person, `${person.path}/timeseries?metrics=heart_rate&${form1Days(31)}`));
for (let round = 0; round < rounds; round += 1) {
  peaks.week.push(await peakMemory(() => flood(api, week, seconds, 200, 2)));
  peaks.month.push(await peakMemory(() => flood(api, month, seconds, 200, 2)));
}
const growth = median(peaks.month) - median(peaks.week);
report.bound(
  'memory: 31 days above 7 days',
  `${growth.toFixed(0)} MB (${median(peaks.week).toFixed(0)} and ${median(peaks.month).toFixed(0)})`,
  '≤ 20 MB; bodies of 10 and 46 MB',
  growth <= 20,
);

// Latency at a steady rate, whatever the answers do.
const latency = { noop: [] as number[], daily: [] as number[] };
for (let round = 1; round <= rounds; round += 1) {
  latency.noop.push(quantile(await arrivals(() => '/healthz', 500, seconds), 0.99));
  latency.daily.push(quantile(await arrivals(dailyPath, 500, seconds), 0.99));
  progress(
    `arrivals, round ${round} of ${rounds}: p99 ${latency.noop.at(-1)!.toFixed(1)} and ${latency.daily.at(-1)!.toFixed(1)} ms`,
  );
}
const above = median(latency.daily) - median(latency.noop);
report.bound(
  'p99 at 500 arrivals a second: above a route that does nothing',
  `${above.toFixed(1)} ms (${median(latency.daily).toFixed(1)} and ${median(latency.noop).toFixed(1)})`,
  `≤ ${short ? 300 : 15} ms`,
  above <= (short ? 300 : 15),
);
report.print(
  `Reads: ${(accountCount * usersPerAccount).toLocaleString('en')} users, ${rounds} rounds of ${seconds} s by turns, pool of ${poolSize}`,
);

function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((rate, at) => rate / theirs[at]!);
}

function spread(numbers: readonly number[]): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function bound(what: string, all: readonly number[], goal: number, least: number): void {
  report.bound(
    what,
    spread(all),
    least === goal ? `≥ ${goal}` : `≥ ${least} (goal ${goal})`,
    median(all) >= least,
  );
}

async function listPeople(): Promise<Person[]> {
  const byId = new Map(accounts.map((account) => [account.uuid, account]));
  const { rows } = await run.admin.query<{ id: string; account_id: string; number: number }>(
    `SELECT id, account_id, substr(reference_id, 5)::int AS number FROM users`,
  );
  // Mixed, so that every stretch of the list is spread over all keys, which have limits.
  return shuffle(
    rows.map(({ id, account_id, number }) => ({
      account: byId.get(account_id)!,
      number,
      uuid: id,
      path: `/v1/users/${formatId('user', id)}`,
    })),
  );
}

function get({ account }: Person, path: string, headers: Record<string, string> = {}) {
  return { path, headers: { authorization: `Bearer ${account.key}`, ...headers } };
}

/** The tags of some answers, asked for within the limits of the keys. */
async function holdTags() {
  const tagged = [];
  for (let at = 0; at < people.length && tagged.length < 1000; at += Math.ceil(people.length / 1000)) {
    const person = people[at]!;
    const answer = await fetch(`${api.url}${dailyPath(person)}`, {
      headers: { authorization: `Bearer ${person.account.key}` },
    });
    await answer.arrayBuffer();
    tagged.push(get(person, dailyPath(person), { 'if-none-match': answer.headers.get('etag')! }));
  }
  return tagged;
}

async function assertSame(
  ours: { path: string; headers: Record<string, string> },
  theirs: { path: string },
): Promise<void> {
  const [a, b] = await Promise.all([
    fetch(api.url + ours.path, { headers: ours.headers }),
    fetch(bare.url + theirs.path),
  ]);
  const [one, other] = [await a.text(), await b.text()];
  if (a.status !== 200 || one !== other || one.length < 100)
    throw new Error(`not the same: ${one.slice(0, 300)} and ${other.slice(0, 300)}`);
}

/** Answers a second, and the processor time that the serving process took for them. */
async function flood(
  { url, pid, used }: Served,
  requests: readonly FloodRequest[],
  duration: number,
  status = 200,
  atOnce = connections,
): Promise<number> {
  const before = cpuMicrosOf(pid);
  const { answers, perSecond } = await floodLightly(url, requests, {
    seconds: duration,
    connections: atOnce,
    status,
  });
  note(used, requests, (cpuMicrosOf(pid) - before) / answers);
  return perSecond;
}

function note(used: Served['used'], requests: readonly FloodRequest[], cpuMicros: number): void {
  used.set(requests, [...(used.get(requests) ?? []), cpuMicros]);
}

/** User and system time of a process. Linux counts it in hundredths of a second; elsewhere it is not shown. */
function cpuMicrosOf(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function shuffle<T>(list: readonly T[]): T[] {
  return list
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Milliseconds from when each request was due: requests that wait for a stalled one count their waiting. */
async function arrivals(
  pathOf: (person: Person) => string,
  perSecond: number,
  duration: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const times: number[] = [];
  const startedAt = performance.now();
  const open: Promise<void>[] = [];
  const total = perSecond * duration;
  for (let sent = 0; sent < total;) {
    const now = performance.now() - startedAt;
    for (; sent < total && (sent * 1000) / perSecond <= now; sent += 1) {
      const dueAt = startedAt + (sent * 1000) / perSecond;
      const person = people[(sent * 7919) % people.length]!;
      open.push(
        new Promise((resolve, reject) => {
          const outgoing = request(`${api.url}${pathOf(person)}`, {
            agent,
            headers: { authorization: `Bearer ${person.account.key}` },
          });
          outgoing.on('error', reject);
          outgoing.on('response', (response) => {
            if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
            response.resume();
            response.on('end', () => {
              times.push(performance.now() - dueAt);
              resolve();
            });
          });
          outgoing.end();
        }),
      );
    }
    await sleep(1);
  }
  await Promise.all(open);
  agent.destroy();
  return times;
}

/** The statement of the daily read, bare, by PostgreSQL's own load generator: transactions a second. */
async function pgbench(duration: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-reads-'));
  const months = monthSlices(lastDay - 29, lastDay);
  const values = (account: string) => [
    `'${account}'`,
    `'live'`,
    userIdSql(`'${account}'`, ':n'),
    `'{${tenMetrics.map(({ no }) => no).join(',')}}'`,
    String(months[0]!.month),
    String(months.at(-1)!.month),
  ];
  const files = await Promise.all(
    accounts.slice(0, 20).map(async ({ uuid }, at) => {
      const given = values(uuid);
      const sql = selectPrinted.text.replaceAll(/\$(\d)/g, (_, number: string) => given[Number(number) - 1]!);
      const file = join(folder, `${at}.sql`);
      await writeFile(file, `\\set n random(1, ${usersPerAccount})\n${sql.replaceAll(/\s+/g, ' ')};\n`);
      return file;
    }),
  );
  const child = spawn(
    'pgbench',
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(poolSize),
      '-j',
      '2',
      '-T',
      String(duration),
      ...files.flatMap((file) => ['-f', file]),
      run.stack.engines.databaseUrl,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PGOPTIONS: '-c role=tributary_service -c jit=off -c TimeZone=UTC' },
    },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  const [, rate] = /tps = ([\d.]+)/.exec(text) ?? [];
  if (rate === undefined) throw new Error(`pgbench said: ${text}`);
  return Number(rate);
}

/** The most memory that the service held while `work` ran, in megabytes. */
async function peakMemory(work: () => Promise<unknown>): Promise<number> {
  await sleep(500);
  await writeFile(`/proc/${api.pid}/clear_refs`, '5');
  await work();
  const status = await readFile(`/proc/${api.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
}

async function startBare(): Promise<Served & Disposable> {
  const program = fileURLToPath(new URL('./reads/bare.ts', import.meta.url));
  const child = spawn(process.execPath, [program, run.stack.engines.databaseUrl, String(poolSize)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, pid: child.pid!, used: new Map(), [Symbol.dispose]: () => void child.kill() };
}
