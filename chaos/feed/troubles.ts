import { setTimeout as sleep } from 'node:timers/promises';
import { type FeedTenant, type Ledger, type Random, readMetrics, type RunStack } from '@tributary/rig';
import type { StackNode } from '@tributary/stack';
import { writeTransaction } from './write-transaction.ts';

const lagMetric = 'tributary_feed_lag_seconds';
/** A feed that keeps up lags by some hundredths of a second. A higher lag means that an event is waiting. */
const noLagSeconds = 0.5;
const mostWaitMs = 60_000;
/** Writers in disturbances are numbered after the regular writers. */
const firstWriter = 100;

export interface Scene {
  run: RunStack;
  /** The writers' sessions. */
  sessions: RunStack['admin'];
  ledger: Ledger;
  tenants: readonly FeedTenant[];
  random: Random;
}

/** How an open transaction affected the lag that the jobs processes report. */
export interface Hold {
  /** The highest lag reported before the transaction ended. */
  reportedLagSeconds: number;
  /** Time from its end until no process reported lag. */
  recoveryMs: number;
}

/** The kill of the sequencing process. */
export interface Kill {
  name: string;
  killedAt: number;
}

/** Writes overlapping transactions that take half a second to two seconds. Every third is rolled back. */
export async function writeLong({ sessions, ledger, tenants, random }: Scene, count: number): Promise<void> {
  const write = async (at: number): Promise<void> => {
    await sleep(at * 200);
    const session = await sessions.connect();
    try {
      await writeTransaction(session, ledger, tenants, {
        writer: firstWriter + at,
        tenants: tenants.map((_, tenant) => tenant),
        pauseMs: random.int(500, 2_000),
        rollsBack: at % 3 === 2,
      });
    } finally {
      session.release();
    }
  };
  await Promise.all(Array.from({ length: count }, (_, at) => write(at)));
}

/** Holds a transaction with a write open. */
export async function holdOpen({ run, sessions, ledger, tenants }: Scene, ms: number): Promise<Hold> {
  const session = await sessions.connect();
  let maxLagSeconds = 0;
  try {
    // The service would end an idle transaction after thirty seconds.
    await session.query('SET idle_in_transaction_session_timeout = 0');
    const ended = new AbortController();
    const watching = (async () => {
      while (!ended.signal.aborted) {
        maxLagSeconds = Math.max(maxLagSeconds, await readLagSeconds(run));
        await sleep(100);
      }
    })();
    await writeTransaction(session, ledger, tenants, {
      writer: firstWriter - 1,
      tenants: tenants.map((_, tenant) => tenant),
      pauseMs: ms,
      rollsBack: false,
    });
    ended.abort();
    const endedAt = performance.now();
    await watching;
    while ((await readLagSeconds(run)) > noLagSeconds && performance.now() - endedAt < mostWaitMs)
      await sleep(20);
    return { reportedLagSeconds: maxLagSeconds, recoveryMs: performance.now() - endedAt };
  } finally {
    session.release(true);
  }
}

async function readLagSeconds(run: RunStack): Promise<number> {
  const lags = await Promise.all(
    jobsOf(run).map(async (node) => (await readMetrics(node)).get(lagMetric) ?? 0),
  );
  return Math.max(...lags);
}

/** Kills the sequencing process and restarts it once another process has taken over. */
export async function killSequencer({ run }: Scene): Promise<Kill> {
  const name = await findSequencer(run);
  const victim = jobsOf(run).find((node) => node.name === name);
  if (!victim) throw new Error(`the sequencer is not a jobs process but ${name}`);
  victim.signal('SIGKILL');
  const killedAt = performance.now();
  while (performance.now() - killedAt < mostWaitMs) {
    await sleep(50);
    const next = await findSequencer(run);
    if (next !== null && next !== name) break;
  }
  await victim.start();
  return { name: victim.name, killedAt };
}

/** The name of the process whose session holds the sequencer's lock. */
async function findSequencer({ admin }: RunStack): Promise<string | null> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT substr(a.application_name, length('tributary-sequencer-') + 1) AS name
     FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
     WHERE a.application_name LIKE 'tributary-sequencer-%'`,
  );
  return rows[0]?.name ?? null;
}

function jobsOf({ stack }: RunStack): StackNode[] {
  return stack.nodes.filter((node) => node.role === 'jobs' && node.pid !== undefined);
}
