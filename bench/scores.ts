/** The cost of scoring relative to ingesting the same data, and how fast new sandbox users get their data. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf, dayStartMs } from '@tributary/domain';
import {
  cpuSeconds,
  limitRunTime,
  median,
  progress,
  quantile,
  readMetrics,
  Report,
  type RunAccount,
  startRunStack,
} from '@tributary/rig';
import { Driver } from './ingest/driver.ts';
import { createPeople } from './ingest/people.ts';
import { uploadsOf } from './scores/lives.ts';

if (process.argv.includes('--help')) {
  console.log(
    `npm run bench:scores [-- --short]

Simulates one more day for users with two weeks of data: their devices report every fifteen minutes, and scores follow as in production.
Compares the CPU time of scoring with that of ingesting the same data, counts days scored per second and core, and creates fifty sandbox
users at once.`,
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const peopleCount = short ? 15 : 100;
/** The goal is 5 s. The short run allows for a shared machine. */
const mostReadyMs = short ? 12_000 : 5_000;
const historyDays = 14;
const minuteMs = 60_000;
/** How often devices report: the default of the Mobile SDK. */
const reportMs = 15 * minuteMs;
const debounceMs = 5 * minuteMs;
const rounds = (24 * 60 * minuteMs) / reportMs;
const timezone = 'Europe/Berlin';
limitRunTime(25);

const report = new Report();
await using run = await startRunStack(['api', 'ingest', 'jobs'], { LOG_LEVEL: 'warn', TEST_CLOCK: 'true' });
const baseUrl = run.api[0]!.baseUrl;
const jobs = run.stack.nodes.find(({ role }) => role === 'jobs')!;
const people = await createPeople(run, peopleCount, timezone);
using driver = new Driver(run);
const day = dayOf(Date.now(), timezone) - 1;
const startMs = dayStartMs(day, timezone);
const person = { timezone, firstDay: day - historyDays };

progress(`${historyDays} days for ${peopleCount} users`);
await moveClock(startMs);
await driver.sendAll(uploadsOf(baseUrl, people, { ...person, fromMs: 0, toMs: startMs }));
await driver.drained();
await scored();
// Score everything once more, now that nothing else is running.
await run.admin.query({
  text: `INSERT INTO stale_scores (user_id, due_at, days) SELECT id, tributary_now(), int4multirange(int4range($1, $2)) FROM users
         ON CONFLICT (user_id) DO UPDATE SET due_at = excluded.due_at, days = excluded.days`,
  values: [day - historyDays, day],
});
const history = await processorTime(scored);
report.note(
  'history: user-days scored per second and core',
  ((peopleCount * historyDays) / history).toFixed(0),
);

progress('one more day');
const runsBefore = await countRuns();
const spent = { ingest: 0, scores: 0 };
let uploaded = 0;
for (let round = 1; round <= rounds; round += 1) {
  const toMs = startMs + round * reportMs;
  await moveClock(toMs);
  spent.scores += await processorTime(scored);
  const uploads = uploadsOf(baseUrl, people, { ...person, fromMs: toMs - reportMs, toMs });
  uploaded += uploads.length;
  spent.ingest += await processorTime(async () => {
    await driver.sendAll(uploads);
    await driver.drained();
  });
  await moveClock(toMs + debounceMs + 1_000);
  spent.scores += await processorTime(scored);
}
const runs = (await countRuns()) - runsBefore;
const share = spent.scores / spent.ingest;
report.note('uploads, resulting score runs', `${uploaded}, ${runs}`);
report.note('score runs per user and day', (runs / peopleCount).toFixed(1));
report.note('CPU time per upload', `${((spent.ingest / uploaded) * 1e3).toFixed(2)} ms`);
report.note('CPU time per score run', `${((spent.scores / runs) * 1e3).toFixed(2)} ms`);
report.note('today: user-days scored per second and core', (runs / spent.scores).toFixed(0));
// With few users, fixed costs weigh more. The short run only checks for large regressions; the full run checks the goal.
const mostShare = short ? 0.4 : 0.25;
report.bound(
  'CPU time of scoring, relative to ingesting the same data',
  share.toFixed(2),
  `≤ ${mostShare}`,
  share <= mostShare,
);

progress('fifty sandbox users at once');
const account = await run.tributary<RunAccount>('account', 'create', '--name', 'sandbox');
const tookMs = await Promise.all(Array.from({ length: 50 }, (_, at) => createSandboxUser(at)));
report.bound(
  'fifty sandbox users at once: time until ready',
  `p50 ${(median(tookMs) / 1000).toFixed(1)}, p95 ${(quantile(tookMs, 0.95) / 1000).toFixed(1)} s`,
  `p95 ≤ ${mostReadyMs / 1000} s`,
  quantile(tookMs, 0.95) <= mostReadyMs,
);
report.print('Scores');

/** Sets the service's clock, and waits until all processes follow. */
async function moveClock(toMs: number): Promise<void> {
  await run.admin.query({
    text: `INSERT INTO clock_offset (offset_ms) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET offset_ms = $1`,
    values: [toMs - Date.now()],
  });
  await sleep(150);
}

/** Processor seconds that the service and its engines use during a task. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const before = await cpuSeconds(run);
  await work();
  const after = await cpuSeconds(run);
  return Object.keys(after)
    .filter((part) => part !== 'load')
    .reduce((total, part) => total + after[part]! - before[part]!, 0);
}

/** Waits until everything that is due is scored. */
async function scored(): Promise<void> {
  for (;;) {
    const { rows } = await run.admin.query<{ n: number }>({
      text: 'SELECT count(*) AS n FROM stale_scores WHERE due_at <= tributary_now()',
    });
    if (rows[0]!.n === 0) return;
    await sleep(20);
  }
}

async function countRuns(): Promise<number> {
  return (await readMetrics(jobs)).get('tributary_score_runs_total') ?? 0;
}

async function createSandboxUser(at: number): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}/v1/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.sandbox_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ external_ref: `sandbox-${at}`, timezone }),
  });
  const body = (await response.json()) as { score_status?: string };
  if (response.status !== 201) throw new Error(`Creating a user returned ${response.status}.`);
  // A user that the API returns before it is ready counts as late.
  return body.score_status === 'ready' ? performance.now() - startedAt : Infinity;
}
