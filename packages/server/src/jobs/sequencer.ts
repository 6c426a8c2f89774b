import type pg from 'pg';
import type { Context } from '../context.ts';
import { readFeedLagSeconds, sequenceEvents, tendFeed } from '../store/feed.ts';
import { createPointing } from '../stream/pointer-stream.ts';
import { publishSequenced } from '../stream/sequenced-stream.ts';
import { pause, runLoneSession } from './lone-session.ts';

/** Events sequenced by one statement, at most. */
const mostEvents = 5_000;
/** How often is looked for new events. */
const lookEveryMs = 20;
const measureEveryMs = 1_000;
const tendEveryMs = 6 * 3_600_000;
/** No month to put an event into: the time has come for a new one. */
const noPartition = '23514';

/** Gives events their places in the feeds until disposed of. One session at a time does, over all nodes; when it is gone, another takes over. */
export function runSequencer(ctx: Context): AsyncDisposable {
  return runLoneSession(ctx, {
    name: 'sequencer',
    onWaiting: () => ctx.metrics.feedLagSeconds.set(0), // whoever has the lock tells
    work: (session, signal) => sequence(ctx, session, signal),
  });
}

async function sequence(ctx: Context, session: pg.Client, signal: AbortSignal): Promise<void> {
  const { retentionDays } = ctx.config.events;
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
      await tendFeed(session, retentionDays);
      tendedAt = performance.now();
    }
    const sequenced = await look(session, retentionDays, sinceXid);
    sinceXid = sequenced.lastXid ?? sinceXid;
    ctx.metrics.sequencedEvents.inc(sequenced.events);
    if (sequenced.events > 0) point((connection) => publishSequenced(connection, sequenced));
    const wasBehind = isBehind;
    isBehind = sequenced.events === mostEvents;
    if (wasBehind && !isBehind) measuredAt = -Infinity; // told at once
    if (!isBehind) await pause(lookEveryMs, signal);
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
