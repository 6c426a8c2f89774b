/** The cost of reads against the bare engine, measured alternately in one run. */
import { limitRunTime, progress, Report, startRunStack } from '@tributary/rig';
import { allMetrics, fillDays, fillHeartRate, makeAccounts, makeUsers, tenMetrics } from './reads/fill.ts';
import { measureDaily } from './reads/measure-daily.ts';
import { measureLatency } from './reads/measure-latency.ts';
import { measureSamples } from './reads/measure-samples.ts';
import { listPeople } from './reads/people.ts';
import { startBare, type Served } from './reads/served.ts';
import type { Setting } from './reads/setting.ts';

const parts = { daily: measureDaily, samples: measureSamples, latency: measureLatency };

if (process.argv.includes('--help')) {
  console.log(
    `npm run bench:reads [-- --short] [--only ${Object.keys(parts).join('|')}]\n\nCreates 100,000 users (short: 8,000) and compares reads with bare routes and with pgbench, alternating.`,
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : null;
if (only !== null && !Object.hasOwn(parts, only ?? ''))
  throw new Error(`--only takes one of ${Object.keys(parts).join(', ')}`);
/** A key may make 100 requests a second, so the load uses many keys, each below its limit. */
const accountCount = 400;
const usersPerAccount = short ? 20 : 250;
const poolSize = 10;
limitRunTime(45);

await using run = await startRunStack(1, { DATABASE_POOL_SIZE: String(poolSize), LOG_LEVEL: 'warn' });
const accounts = await makeAccounts(run, accountCount);
progress('creating users');
await makeUsers(run, accounts, 1, usersPerAccount);
await fillDays(run, accounts, { from: 1, to: usersPerAccount, days: 90, of: tenMetrics });
// Two users in each of some accounts also have a year of all metrics, and heart rate.
const rich = accounts.slice(0, short ? 30 : 105);
const others = allMetrics.filter((metric) => !tenMetrics.includes(metric));
await fillDays(run, rich, { from: 1, to: 2, days: 366, of: others });
const people = await listPeople(run, accounts);
const dense = people.filter(({ account, number }) => number <= 2 && rich.includes(account));
const [withMonth, withWeek] = [dense.slice(0, 10), dense.slice(10)];
const idsOf = (some: typeof dense) => some.map(({ uuid }) => uuid);
await fillHeartRate(run, idsOf(withWeek), 7);
await fillHeartRate(run, idsOf(withMonth), 31);
progress('VACUUM and ANALYZE');
await run.admin.query('VACUUM (ANALYZE)');
await run.admin.query('CHECKPOINT');

using bare = await startBare(run.stack.engines.databaseUrl, poolSize);
const api: Served = { url: run.stack.info.base_url, pid: run.api[0]!.pid!, used: new Map() };
const setting: Setting = {
  short,
  rounds: short ? 2 : 7,
  seconds: short ? 1 : 5,
  poolSize,
  usersPerAccount,
  run,
  accounts,
  people,
  withMonth,
  withWeek,
  api,
  bare,
  report: new Report(),
};
for (const [name, measure] of Object.entries(parts))
  if (only === null || only === name) await measure(setting);
setting.report.print(
  `Reads: ${(accountCount * usersPerAccount).toLocaleString('en')} users, ${setting.rounds} rounds of ${setting.seconds} s, alternating, pool of ${poolSize}`,
);
