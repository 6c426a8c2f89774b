/** A read costs the same with 1,000,000 users in the database as with 1,000. */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDay } from '@tributary/domain';
import { formatId } from '@tributary/server/testing/ids';
import {
  Client,
  limitRunTime,
  median,
  progress,
  quantile,
  renderTable,
  Report,
  type RunStack,
  startRunStack,
} from '@tributary/rig';
import {
  fillDays,
  fillHeartRate,
  fillSessions,
  lastDay,
  makeAccounts,
  makeUsers,
  tenMetrics,
} from './reads/fill.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run bench:reads-flat [-- --short]\n\nCompares each read in a database with 1,000 users and with 1,000,000 (short: 20,000), alternating.',
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const accountCount = short ? 10 : 20;
const small = 1_000;
const large = short ? 20_000 : 1_000_000;
const samples = short ? 60 : 500;
const most = short ? 2 : 1.2;
limitRunTime(60);

const days = `from_date=${formatDay(lastDay - 29)}&to_date=${formatDay(lastDay)}`;
const oneDay = `start_date=${formatDay(lastDay)}&end_date=${formatDay(lastDay)}`;
const reads: Record<string, (user: Target) => string> = {
  'daily, 10 metrics × 30 days': ({ path }) =>
    `${path}/daily?types=${tenMetrics.map(({ id }) => id).join(',')}&${days}`,
  'daily, all metrics × 30 days': ({ path }) => `${path}/daily?${days}`,
  'daily with sources': ({ path }) => `${path}/daily?types=steps&${days}&include_sources=true`,
  sleep: ({ path }) => `${path}/sleep?${days}`,
  workouts: ({ path }) => `${path}/workouts?${days}`,
  'one workout': ({ path, workout }) => `${path}/workouts/${workout}`,
  'one day of heart rate': ({ path }) => `${path}/timeseries?metrics=heart_rate&${oneDay}`,
  'consolidation settings': ({ path }) => `${path}/consolidation`,
  'daily explanation': ({ path }) => `${path}/daily/explain?metric=heart_rate&date=${formatDay(lastDay)}`,
};

interface Target {
  key: string;
  path: string;
  workout: string;
}

interface Side {
  run: RunStack;
  targets: Target[];
  times: Map<string, number[]>;
}

const stacks = new AsyncDisposableStack();
const sides = [await prepare(small), await prepare(large)] as const;
using client = new Client();
for (let round = -20; round < samples; round += 1) {
  for (const [title, pathOf] of Object.entries(reads)) {
    // Alternate the order, so that other load on the machine affects both sides equally.
    for (const side of round % 2 ? sides : sides.toReversed()) {
      const target = side.targets[Math.floor(Math.random() * side.targets.length)]!;
      const outcome = await client.send({
        node: side.run.stack.info.base_url,
        path: pathOf(target),
        key: target.key,
      });
      if (outcome.status !== 200)
        throw new Error(`${title}: ${outcome.status} ${outcome.body.slice(0, 300)}`);
      if (round >= 0) side.times.get(title)!.push(outcome.durationMs);
    }
  }
  if (round % 50 === 0) progress(`${round} of ${samples} samples`);
  await sleep(5);
}
const report = new Report();
const [few, many] = sides;
const rows = Object.keys(reads).map((title) => {
  const [a, b] = [few.times.get(title)!, many.times.get(title)!];
  const ratio = median(b) / median(a);
  report.bound(
    `${title}: ${large.toLocaleString('en')} vs. ${small.toLocaleString('en')} users`,
    `${ratio.toFixed(2)} ×`,
    `≤ ${most} ×`,
    ratio <= most,
  );
  return [title, describe(a), describe(b)];
});
console.log(
  `\n${renderTable(['median (p90), ms', small.toLocaleString('en'), large.toLocaleString('en')], rows)}`,
);
report.print(`Reads: ${samples} samples of each, sequential, alternating`);
await stacks.disposeAsync();

function describe(ms: readonly number[]): string {
  return `${median(ms).toFixed(2)} (${quantile(ms, 0.9).toFixed(2)})`;
}

async function prepare(users: number): Promise<Side> {
  const run = stacks.use(await startRunStack(1, { LOG_LEVEL: 'warn' }));
  const accounts = await makeAccounts(run, accountCount);
  const each = users / accountCount;
  progress(`creating ${users.toLocaleString('en')} users`);
  await makeUsers(run, accounts, 1, each);
  await fillDays(run, accounts, { from: 1, to: each, days: 30, of: tenMetrics });
  await fillSessions(run);
  const { rows } = await run.admin.query<{ id: string; account_id: string; workout: string }>(
    `SELECT u.id, u.account_id, (SELECT w.id FROM canonical_workouts w WHERE w.user_id = u.id) AS workout FROM users u
     ORDER BY md5(u.id::text) LIMIT 500`,
  );
  await fillHeartRate(
    run,
    rows.map(({ id }) => id),
    1,
  );
  progress('VACUUM and ANALYZE');
  await run.admin.query('VACUUM (ANALYZE)');
  await run.admin.query('CHECKPOINT');
  const keys = new Map(accounts.map(({ uuid, key }) => [uuid, key]));
  const targets = rows.map(({ id, account_id, workout }) => ({
    key: keys.get(account_id)!,
    path: `/v1/users/${formatId('user', id)}`,
    workout: formatId('wko', workout),
  }));
  return { run, targets, times: new Map(Object.keys(reads).map((title) => [title, []])) };
}
