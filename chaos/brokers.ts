/**
 * Messages are only pointers. While users upload, NATS repeatedly loses all its data, and a cluster of three loses the leader of the
 * stream. No acknowledged upload is lost, and pending batches are processed soon after NATS is back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { limitRunTime, newSeed, progress, Random, Report } from '@tributary/rig';
import { startNatsCluster } from './brokers/cluster.ts';
import { mostPointersMs, underLoad, type LoadedRun } from './brokers/under-load.ts';
import { awaitDrain } from './ingest/check/check.ts';
import { explainVerdict, reportHistory, reportVerdict } from './ingest/print-result.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:brokers -- [--short] [--seed <text>]

Wipes NATS under load, then kills the stream leader in a cluster of three, and compares all stored data with all acknowledged uploads.

  --short  3 wipes and 2 leaders instead of 20 and 10
  --seed   reuse a seed to repeat the same uploads and pauses`);
  process.exit(0);
}

const seed = values.seed ?? newSeed();
const wipes = values.short ? 3 : 20;
const leaders = values.short ? 2 : 10;
const stream = 'TRIBUTARY_WORK';
const mostDrainMs = 30_000;
const mostElectionMs = 30_000;

limitRunTime(values.short ? 6 : 20);
progress(`seed ${seed}`);
await wipeNats();
await killLeaders();

async function wipeNats(): Promise<void> {
  const random = new Random(`${seed}/wipes`);
  const drainedMs: number[] = [];
  const result = await underLoad(seed, {}, {}, async ({ stack, admin }) => {
    const { nats } = stack.engines;
    for (let wiped = 1; wiped <= wipes; wiped += 1) {
      nats.signal('SIGKILL');
      await nats.stop();
      await nats.wipe();
      await sleep(random.int(200, 3_000));
      await nats.start();
      const { pending, ms } = await awaitDrain(admin, mostDrainMs);
      drainedMs.push(pending === 0 ? ms : Infinity);
      progress(`NATS wiped ${wiped} of ${wipes}: backlog empty ${(ms / 1000).toFixed(2)} s after restart`);
      await sleep(random.int(500, 2_000));
    }
  });
  const report = new Report();
  report.note('seed', seed);
  report.bound(
    'backlog empty after the restart of NATS',
    `${drainedMs.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
    `≤ ${mostDrainMs / 1000} s`,
    drainedMs.length === wipes && drainedMs.every((ms) => ms <= mostDrainMs),
  );
  print(report, result, `NATS killed and wiped under load, ${wipes} times`);
}

async function killLeaders(): Promise<void> {
  const random = new Random(`${seed}/leaders`);
  await using cluster = await startNatsCluster();
  const electedMs: number[] = [];
  const killed: string[] = [];
  const env = { NATS_REPLICAS: '3' };
  const result = await underLoad(seed, env, { natsUrl: cluster.url }, async () => {
    for (let kill = 1; kill <= leaders; kill += 1) {
      const leader = await cluster.leaderOf(stream, mostElectionMs);
      leader.signal('SIGKILL');
      const startedAt = performance.now();
      killed.push(leader.name);
      const next = await cluster.leaderOf(stream, mostElectionMs);
      electedMs.push(performance.now() - startedAt);
      progress(`leader killed ${kill} of ${leaders}: ${leader.name}, new leader ${next.name}`);
      await sleep(random.int(200, 2_000));
      await leader.start();
      await sleep(random.int(1_000, 3_000));
    }
  });
  const report = new Report();
  report.note('seed', seed);
  report.note('leaders killed', killed.join(', '));
  report.bound(
    'time to elect a new leader',
    `${electedMs.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s`,
    `${leaders} times, ≤ ${mostElectionMs / 1000} s`,
    electedMs.length === leaders,
  );
  print(report, result, `Stream leader killed under load, ${leaders} times, in a cluster of three`);
}

function print(report: Report, { verdict, history, pointersMs, ended }: LoadedRun, title: string): void {
  report.bound('processes that exited unexpectedly', ended.join(', ') || 'none', 'none', ended.length === 0);
  report.bound(
    'time until pointers trigger work again, after the load ended',
    `${(pointersMs / 1000).toFixed(1)} s`,
    `≤ ${mostPointersMs / 1000} s`,
    pointersMs <= mostPointersMs,
  );
  reportHistory(report, history);
  report.note(
    'values acknowledged',
    `${history.acknowledgedValues} in ${history.acknowledgedUploads} uploads`,
  );
  reportVerdict(report, verdict);
  explainVerdict(verdict);
  report.print(title);
}
