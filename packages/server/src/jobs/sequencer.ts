import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { openSession } from '../store/database.ts';
import { readFeedLagSeconds, sequenceEvents, tendFeed, tryLockSequencer } from '../store/feed.ts';
import { createPointing } from '../stream/pointer-stream.ts';
import { publishSequenced } from '../stream/sequenced-stream.ts';

/** Events sequenced by one statement, at most. */
const mostEvents = 5_000;
/** How often is looked for new events, and how often for the place of a sequencer that is gone. */
const lookEveryMs = 20;
const takeOverEveryMs = 200;
const measureEveryMs = 1_000;
const tendEveryMs = 6 * 3_600_000;
/** No month to put an event into: the time has come for a new one. */
const noPartition = '23514';

/** Gives events their places in the feeds until disposed of. One session at a time does, over all nodes; when it is gone, another takes over. */
export function runSequencer(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const running = run(ctx, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sequence(ctx, signal);
    } catch (error) {
      ctx.log.warn({ err: error }, 'sequencer lost its session');
      await pause(takeOverEveryMs, signal);
    }
  }
}

/** Sequences on one session until it breaks or is to stop. */
async function sequence(ctx: Context, signal: AbortSignal): Promise<void> {
  const { config } = ctx;
  const session = await openSession({
    url: config.secrets.databaseUrl,
    role: 'operator',
    statementTimeoutMs: config.database.statementTimeoutMs,
    applicationName: `tributary-sequencer-${config.nodeName}`,
  });
  try {
    while (!signal.aborted && !(await tryLockSequencer(session))) {
      ctx.metrics.feedLagSeconds.set(0); // whoever has the lock tells
      await pause(takeOverEveryMs, signal);
    }
    const point = createPointing(ctx);
    let sinceXid = '0';
    let isBehind = false;
    let measuredAt = -Infinity;
    let tendedAt = -Infinity;
    while (!signal.aborted) {
      // Before anything that may fail: a sequencer that cannot go on still tells.
      if (performance.now() - measuredAt > measureEveryMs) {
        ctx.metrics.feedLagSeconds.set(await readFeedLagSeconds(session, sinceXid));
        measuredAt = performance.now();
      }
      if (performance.now() - tendedAt > tendEveryMs) {
        await tendFeed(session, config.events.retentionDays);
        tendedAt = performance.now();
      }
      const sequenced = await look(session, config.events.retentionDays, sinceXid);
      sinceXid = sequenced.lastXid ?? sinceXid;
      ctx.metrics.sequencedEvents.inc(sequenced.events);
      if (sequenced.events > 0) point((connection) => publishSequenced(connection, sequenced));
      const wasBehind = isBehind;
      isBehind = sequenced.events === mostEvents;
      if (wasBehind && !isBehind) measuredAt = -Infinity; // told at once
      if (!isBehind) await pause(lookEveryMs, signal);
    }
  } finally {
    await session.end().catch(() => {});
  }
}

async function look(session: pg.Client, retentionDays: number, sinceXid: string) {
  try {
    return await sequenceEvents(session, sinceXid, mostEvents);
  } catch (error) {
    if ((error as { code?: string }).code !== noPartition) throw error;
    await tendFeed(session, retentionDays);
    return sequenceEvents(session, sinceXid, mostEvents);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
