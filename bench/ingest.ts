/**
 * Values per second from HTTP to the canonical layer, against the same values upserted directly into PostgreSQL. Then latencies at half
 * that rate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { measureBare } from './ingest/bare.ts';
import { cpuSeconds, limitRunTime, median, progress, quantile, Report, startRunStack } from '@tributary/rig';
import { Driver, type UploadOutcome } from './ingest/driver.ts';
import { createPeople } from './ingest/people.ts';
import { UploadSource, valuesPerUpload, type PreparedUpload } from './ingest/uploads.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run bench:ingest [-- --short]\n\nCompares uploads with bare upserts, alternating, and measures latencies at half the measured rate.',
  );
  process.exit(0);
}
const short = process.argv.includes('--short');
const rounds = short ? 2 : 4;
const bareMs = short ? 2_000 : 4_000;
const uploadsPerRound = short ? 2_500 : 12_000;
const paceSeconds = short ? 4 : 20;
/** The short run has two rounds of seconds on a shared machine, which is no measurement. */
const leastRatio = short ? 2 : 2.5;
const peopleCount = 1_000;
const startMs = Date.now() - 20 * 86_400_000;
limitRunTime(25);

const report = new Report();
await using run = await startRunStack(['api', 'ingest'], { LOG_LEVEL: 'warn', INGEST_BACKLOG_LIMIT: '4000' });
const bareUrl = run.stack.engines.databaseUrl;
const people = await createPeople(run, peopleCount);
const source = new UploadSource(run.api[0]!.baseUrl, people, startMs);
using driver = new Driver(run);

progress('warming up');
await driver.sendAll(prepare(3_000));
await driver.drained();

const bares: number[] = [];
const reached: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const forBare = prepare(3_000);
  const rates: number[] = [];
  for (const width of [2, 4, 8]) rates.push(await measureBare(bareUrl, width, forBare, bareMs / 3));
  bares.push(Math.max(...rates));

  const uploads = prepare(uploadsPerRound);
  const cpuBefore = await cpuSeconds(run);
  const startedAt = performance.now();
  const refused = await driver.sendAll(uploads);
  const sentAt = performance.now();
  await driver.drained();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = await cpuSeconds(run);
  reached.push((uploads.length * valuesPerUpload) / seconds);
  const each = (name: string) =>
    `${name} ${Math.round(((cpu[name]! - cpuBefore[name]!) / uploads.length) * 1e6)}`;
  progress(
    `round ${round}: bare ${thousands(bares.at(-1)!)}, service ${thousands(reached.at(-1)!)} values/s ` +
      `(acknowledged after ${((sentAt - startedAt) / 1000).toFixed(1)} s of ${seconds.toFixed(1)}; refused and retried ${refused}; ` +
      `CPU µs per upload: ${Object.keys(cpu).map(each).join(', ')})`,
  );
}
const ratios = reached.map((rate, at) => rate / bares[at]!);
report.note('bare upserts, values/s', spread(bares));
report.note('uploads to canonical values, values/s', spread(reached));
report.bound(
  'ratio to the bare engine',
  ratios.map((ratio) => ratio.toFixed(2)).join(', '),
  `median ≥ ${leastRatio}`,
  median(ratios) >= leastRatio,
);

const pace = median(reached) / valuesPerUpload / 2;
progress(`half the rate: ${Math.round(pace)} uploads/s for ${paceSeconds} s`);
const { acknowledged, visible } = await measureLatencies(pace);
report.note('uploads/s at half the measured rate', pace.toFixed(0));
// A short run is too noisy for tail latency. It only shows that nothing hangs; the full run checks the goal.
bound('acknowledgement', acknowledged, short ? 5_000 : 75);
bound('visible as a canonical value', visible, short ? 15_000 : 500);

progress('beyond saturation');
const { lagSeconds, refusedShare, mostPending } = await saturate(short ? 5_000 : 15_000);
report.note('beyond saturation: max pending batches', String(mostPending));
report.note('beyond saturation: refused with 503', `${(refusedShare * 100).toFixed(0)}%`);
report.bound(
  'beyond saturation: time until the last one is visible',
  `${lagSeconds.toFixed(1)} s`,
  '≤ 10 s',
  lagSeconds <= 10,
);
report.print('Uploads of 500 heart rate values');

function prepare(count: number): PreparedUpload[] {
  return Array.from({ length: count }, () => source.next());
}

async function measureLatencies(perSecond: number): Promise<{ acknowledged: number[]; visible: number[] }> {
  const acknowledged: number[] = [];
  const visible: number[] = [];
  const open: Promise<void>[] = [];
  const uploads = prepare(Math.ceil(perSecond * paceSeconds));
  const startedAt = performance.now();
  for (let sent = 0; sent < uploads.length;) {
    const due = Math.min(uploads.length, Math.floor(((performance.now() - startedAt) / 1000) * perSecond));
    for (; sent < due; sent += 1) {
      const upload = uploads[sent]!;
      const watched = sent % 20 === 0;
      const done = driver.send(upload).then(async (outcome) => {
        if (outcome.status !== 202) throw new Error(`An upload returned ${outcome.status}.`);
        acknowledged.push(outcome.durationMs);
        if (watched) visible.push(await untilVisible(outcome));
      });
      open.push(done);
    }
    await sleep(2);
  }
  await Promise.all(open);
  return { acknowledged, visible };
}

/** Waits until another session sees the receipt, which is committed with the canonical values. */
async function untilVisible({ upload, durationMs }: UploadOutcome): Promise<number> {
  const since = performance.now() - durationMs;
  for (;;) {
    const { rowCount } = await run.admin.query({
      name: 'visible',
      text: `SELECT FROM receipts WHERE user_id = $1 AND batch_id = $2`,
      values: [upload.userId, upload.batchId],
    });
    if (rowCount) return performance.now() - since;
    await sleep(4);
  }
}

async function saturate(
  forMs: number,
): Promise<{ lagSeconds: number; refusedShare: number; mostPending: number }> {
  const uploads = prepare(short ? 12_000 : 40_000);
  let mostPending = 0;
  const watching = setInterval(
    () => void driver.pending().then((n) => (mostPending = Math.max(mostPending, n))),
    100,
  );
  const { sent, refused } = await driver.flood(uploads, forMs);
  clearInterval(watching);
  const endedAt = performance.now();
  await driver.drained();
  return { lagSeconds: (performance.now() - endedAt) / 1000, refusedShare: refused / sent, mostPending };
}

function bound(what: string, ms: number[], mostMs: number): void {
  const p99 = quantile(ms, 0.99);
  report.bound(
    `${what}, ms`,
    `p50 ${median(ms).toFixed(0)}, p99 ${p99.toFixed(0)} of ${ms.length}`,
    `p99 < ${mostMs}`,
    p99 < mostMs,
  );
}

function thousands(rate: number): string {
  return `${Math.round(rate / 1000)} k`;
}

function spread(rates: number[]): string {
  return `${thousands(median(rates))} (${thousands(Math.min(...rates))} to ${thousands(Math.max(...rates))})`;
}
