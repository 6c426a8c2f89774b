/** The audit log keeps up with 10,000 entries a second, verifies ten times that rate, and returns pages in constant time at any length. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createIdSource, parseId, systemClock } from '@tributary/server/testing/ids';
import { openPool } from '@tributary/server/testing/database';
import { append, createBareTables, type Appended, type Shape } from './audit/append.ts';
import { fill, measurePages } from './audit/read.ts';
import { limitRunTime, median, progress, Report, type RunAccount, startRunStack } from '@tributary/rig';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    entries: { type: 'string' },
  },
});
if (values.help) {
  console.log(`Usage: npm run bench:audit -- [--short] [--entries <number>]

Records entries in many small and in few large transactions, alternately with the same statements into a bare table that is not chained.
Then fills a chain, verifies it, and reads pages of it.

  --short    3 rounds of 2 s and 40,000 entries instead of 7 of 8 s and 1,000,000
  --entries  number of entries in the chain that is verified and read`);
  process.exit(0);
}

const rounds = values.short ? 3 : 7;
const roundMs = values.short ? 2_000 : 8_000;
const entries = Number(values.entries ?? (values.short ? 40_000 : 1_000_000));
const shapes: Shape[] = [
  { title: '500 per transaction', perTransaction: 500, connections: 4 },
  { title: 'one per transaction', perTransaction: 1, connections: 16 },
];
/** CI machines are shared. The short run only shows that nothing is stuck; the full run measures throughput. */
const leastPerSecond = values.short ? 3_000 : 10_000;
/** The short run has few entries, so starting the command takes most of the time. */
const leastVerified = values.short ? 8_000 : 100_000;

const report = new Report();
limitRunTime(values.short ? 5 : 20);
await using run = await startRunStack(['jobs'], { LOG_LEVEL: 'warn' });
await createBareTables(run);
const url = run.stack.engines.databaseUrl;
const options = { role: 'operator', max: 16, statementTimeoutMs: 30_000, applicationName: 'bench' } as const;
const chained = openPool({ ...options, url });
const bare = openPool({ ...options, url: `${url}?options=-c%20search_path%3Dbare%2Cpublic` });
await using _pools = {
  [Symbol.asyncDispose]: async () => void (await Promise.all([chained.end(), bare.end()])),
};
const newId = createIdSource(systemClock);
const accounts = Array.from({ length: 20 }, newId);

for (const shape of shapes) {
  progress(shape.title);
  const results: { bare: Appended; chained: Appended }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const ms = round < 0 ? 1_000 : roundMs;
    const result = {
      bare: await append(run, bare, accounts, shape, ms),
      chained: await append(run, chained, accounts, shape, ms),
    };
    if (round >= 0) results.push(result);
  }
  const ratios = results.map((result) => result.chained.perSecond / result.bare.perSecond);
  const rate = median(results.map((result) => result.chained.perSecond));
  report.note(
    `${shape.title}: entries per second, bare`,
    spread(results.map((result) => result.bare.perSecond)),
  );
  const figure = spread(results.map((result) => result.chained.perSecond));
  if (shape.perTransaction > 1)
    report.bound(
      `${shape.title}: entries per second, recorded and chained`,
      figure,
      `≥ ${leastPerSecond}`,
      rate >= leastPerSecond,
    );
  else report.note(`${shape.title}: entries per second, recorded and chained`, figure);
  report.note(`${shape.title}: ratio to the bare insert`, spread(ratios, 2));
  report.note(
    `${shape.title}: max backlog, time until the last was chained`,
    `${Math.max(...results.map((result) => result.chained.mostWaiting))}, ${Math.max(...results.map((result) => result.chained.drainedMs)).toFixed(0)} ms`,
  );
}

progress(`filling a chain with ${entries} entries`);
const { account_id } = await run.tributary<RunAccount>('account', 'create', '--name', 'Long');
const long = parseId('acc', account_id)!;
await fill(run, long, entries);
const filledAt = performance.now();
const before = await countWaiting();
while ((await countWaiting()) > 0) await sleep(20);
const seconds = (performance.now() - filledAt) / 1000;
report.note('processing a backlog, entries per second', `${(before / seconds).toFixed(0)} of ${before}`);
await run.admin.query('VACUUM (ANALYZE) audit_log');

progress('verifying');
const chains: { entries: number }[] = [];
const verifyFrom = performance.now();
const verified = await run.tributary<{ sound: boolean; chains: { entries: number }[] }>('audit', 'verify');
const verifySeconds = (performance.now() - verifyFrom) / 1000;
chains.push(...verified.chains);
const total = chains.reduce((sum, chain) => sum + chain.entries, 0);
report.bound('the log verifies', String(verified.sound), 'true', verified.sound);
report.bound(
  'verification, entries per second, including command start',
  `${(total / verifySeconds).toFixed(0)} of ${total}`,
  `≥ ${leastVerified}`,
  total / verifySeconds >= leastVerified,
);
await measurePages(report, run, long, entries, { samples: values.short ? 50 : 200, isTimed: !values.short });
report.print(`Audit log: ${rounds} rounds of ${roundMs / 1000} s each, alternating`);

async function countWaiting(): Promise<number> {
  const { rows } = await run.admin.query<{ n: number }>('SELECT count(*)::int AS n FROM audit_intake');
  return rows[0]!.n;
}

function spread(numbers: readonly number[], digits = 0): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) => number.toFixed(digits));
  return `${median(numbers).toFixed(digits)} (${least} to ${most})`;
}
