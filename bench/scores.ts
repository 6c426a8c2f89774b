/** What scoring costs beside bringing the same data in, and how fast users of the sandbox come to life. */
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

People with two weeks of data live one more day by a clock of their own: their devices report every fifteen minutes, and scores follow as
they do in production. Compares the processor time of scoring with that of bringing the data in, counts days scored a second and core, and
creates fifty sandbox users at once.`,
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const peopleCount = short ? 30 : 100;
/** The goal is 5 s; the short form allows for a machine that others use too. */
const mostReadyMs = short ? 12_000 : 5_000;
const historyDays = 14;
const minuteMs = 60_000;
/** How often devices report: what the Mobile SDK does unless told otherwise. */
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

progress(`${historyDays} days of ${peopleCount} people`);
await moveClock(startMs);
await driver.sendAll(uploadsOf(baseUrl, people, { ...person, fromMs: 0, toMs: startMs }));
await driver.drained();
await scored();
// All of it once more, now that nothing else goes on.
await run.admin.query({
  text: `INSERT INTO stale_scores (user_id, due_at, days) SELECT id, tributary_now(), int4multirange(int4range($1, $2)) FROM users
         ON CONFLICT (user_id) DO UPDATE SET due_at = excluded.due_at, days = excluded.days`,
  values: [day - historyDays, day],
});
const history = await processorTime(scored);
report.note(
  'history: user-days scored a second and core',
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
report.note('uploads, and score runs that followed', `${uploaded}, ${runs}`);
report.note('score runs of a user and day', (runs / peopleCount).toFixed(1));
report.note('processor time of an upload', `${((spent.ingest / uploaded) * 1e3).toFixed(2)} ms`);
report.note('processor time of a score run', `${((spent.scores / runs) * 1e3).toFixed(2)} ms`);
report.note('today: user-days scored a second and core', (runs / spent.scores).toFixed(0));
// With few people, what runs anyway weighs more: the short form shows that nothing got out of hand, the full one the goal.
const mostShare = short ? 0.4 : 0.25;
report.bound(
  'scoring: share of bringing the same data in',
  share.toFixed(2),
  `≤ ${mostShare}`,
  share <= mostShare,
);

progress('fifty sandbox users at once');
const account = await run.tributary<RunAccount>('account', 'create', '--name', 'sandbox');
const tookMs = await Promise.all(Array.from({ length: 50 }, (_, at) => createSandboxUser(at)));
report.bound(
  'sandbox users, fifty at once: ready after',
  `p50 ${(median(tookMs) / 1000).toFixed(1)}, p95 ${(quantile(tookMs, 0.95) / 1000).toFixed(1)} s`,
  `p95 ≤ ${mostReadyMs / 1000} s`,
  quantile(tookMs, 0.95) <= mostReadyMs,
);
report.print('Scores');

/** Sets the time of the service, and waits until all of it follows. */
async function moveClock(toMs: number): Promise<void> {
  await run.admin.query({
    text: `INSERT INTO clock_offset (offset_ms) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET offset_ms = $1`,
    values: [toMs - Date.now()],
  });
  await sleep(150);
}

/** Processor seconds of the service and its engines while something goes on. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const before = await cpuSeconds(run);
  await work();
  const after = await cpuSeconds(run);
  return Object.keys(after)
    .filter((part) => part !== 'load')
    .reduce((total, part) => total + after[part]! - before[part]!, 0);
}

/** Waits until everything is scored that is due. */
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
  if (response.status !== 201) throw new Error(`a user was answered with ${response.status}`);
  // One that is answered before it is ready counts as late.
  return body.score_status === 'ready' ? performance.now() - startedAt : Infinity;
}
