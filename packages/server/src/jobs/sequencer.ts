import { hourMs } from '@tributary/domain';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { readFeedLagSeconds, sequenceEvents, maintainFeed } from '../store/events/feed.ts';
import { createPointing } from '../stream/pointer-stream.ts';
import { publishSequenced } from '../stream/sequenced-stream.ts';
import { pause, runSingletonSession } from './singleton-session.ts';

/** Maximum events sequenced by one statement. */
const mostEvents = 5_000;
/** How often to poll for new events. */
const pollIntervalMs = 20;
const measureEveryMs = 1_000;
const maintainIntervalMs = 6 * hourMs;
/** PostgreSQL found no partition for an event: a new month has begun. */
const noPartition = '23514';

/** Gives events their positions in the feeds until disposed. One session at a time does so across all nodes; another takes over when it ends. */
export function runSequencer(ctx: Context): AsyncDisposable {
  return runSingletonSession(ctx, {
    name: 'sequencer',
    onWaiting: () => ctx.metrics.feedLagSeconds.set(0), // the session that holds the lock reports it
    work: (session, signal) => sequence(ctx, session, signal),
  });
}

async function sequence(ctx: Context, session: pg.Client, signal: AbortSignal): Promise<void> {
  const { retentionDays } = ctx.config.events;
  const point = createPointing(ctx);
  let sinceXid = '0';
  let isBehind = false;
  let measuredAt = -Infinity;
  let maintainedAt = -Infinity;
  while (!signal.aborted) {
    // Measured before anything that may fail, so that a stuck sequencer still reports its lag.
    if (performance.now() - measuredAt > measureEveryMs) {
      ctx.metrics.feedLagSeconds.set(await readFeedLagSeconds(session, sinceXid));
      measuredAt = performance.now();
    }
    if (performance.now() - maintainedAt > maintainIntervalMs) {
      await maintainFeed(session, retentionDays);
      maintainedAt = performance.now();
    }
    const sequenced = await sequenceNext(session, retentionDays, sinceXid);
    sinceXid = sequenced.lastXid ?? sinceXid;
    ctx.metrics.sequencedEvents.inc(sequenced.events);
    if (sequenced.events > 0) point((connection) => publishSequenced(connection, sequenced));
    const wasBehind = isBehind;
    isBehind = sequenced.events === mostEvents;
    if (wasBehind && !isBehind) measuredAt = -Infinity; // report the new lag immediately
    if (!isBehind) await pause(pollIntervalMs, signal);
  }
}

async function sequenceNext(session: pg.Client, retentionDays: number, sinceXid: string) {
  try {
    return await sequenceEvents(session, sinceXid, mostEvents);
  } catch (error) {
    if ((error as { code?: string }).code !== noPartition) throw error;
    await maintainFeed(session, retentionDays);
    return sequenceEvents(session, sinceXid, mostEvents);
  }
}
