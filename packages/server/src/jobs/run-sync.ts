import type pg from 'pg';
import type { Context } from '../context.ts';
import { syncConnection } from '../services/sync/sync-connection.ts';
import { syncHistory } from '../services/sync/sync-history.ts';
import { tendPushes } from '../services/sync/tend-pushes.ts';
import { workOnPush } from '../services/sync/work-on-push.ts';
import { lockConnection, unlockConnection } from '../store/connection-locks.ts';
import { openSession } from '../store/database.ts';
import { listDueConnections } from '../store/due-connections.ts';
import { countPendingBatches } from '../store/pending-batches.ts';
import { pause } from './lone-session.ts';

/** Connections at work at once on a node, in each lane: history has its own, so that the day's news never wait for it. */
const lanes = { live: 6, history: 2 } as const;
const lookEveryMs = 250;
const candidates = 24;
/** A session that falls silent is ended by the server within seconds, and its locks with it. */
const beatEveryMs = 1_000;
/** History waits while this many batches wait for a worker: they stand in one line with the day's news. */
const mostPending = 32;
const tendEveryMs = 60_000;

/** Reads what providers have, by push and by looking, until disposed of. */
export function runSync(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = Promise.all([
    keepSession(ctx, signal),
    again(ctx, signal, 'pushes not worked on', async () => {
      if (!(await workOnPush(ctx))) await pause(lookEveryMs, signal);
    }),
    again(ctx, signal, 'pushes not tended', async () => {
      await tendPushes(ctx);
      await pause(tendEveryMs, signal);
    }),
  ]);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Does a piece of work again and again; after a failure a little later. */
async function again(
  ctx: Context,
  signal: AbortSignal,
  failed: string,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      ctx.log.error({ err: error }, failed);
      await pause(1_000, signal);
    }
  }
}

/** Holds a session for the locks of connections, and works under it for as long as it lives. */
function keepSession(ctx: Context, signal: AbortSignal): Promise<void> {
  return again(ctx, signal, 'syncing lost its session', async () => {
    const session = await openSession({
      url: ctx.config.secrets.databaseUrl,
      role: 'operator',
      statementTimeoutMs: ctx.config.database.statementTimeoutMs,
      applicationName: `tributary-sync-${ctx.config.nodeName}`,
    });
    const lost = new AbortController();
    const both = AbortSignal.any([signal, lost.signal]);
    const beat = setInterval(() => {
      session.query('SELECT').catch(() => lost.abort());
    }, beatEveryMs);
    try {
      const workers = Object.entries(lanes).flatMap(([lane, count]) =>
        Array.from({ length: count }, () => workLane(ctx, session, lane as keyof typeof lanes, both)),
      );
      await Promise.all(workers);
    } finally {
      clearInterval(beat);
      await session.end().catch(() => {});
    }
  });
}

async function workLane(
  ctx: Context,
  session: pg.Client,
  lane: keyof typeof lanes,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isBusy = false;
    try {
      isBusy = await workOnce(ctx, session, lane, signal);
    } catch (error) {
      ctx.log.error({ err: error, lane }, 'a connection could not be synced; it comes back');
      ctx.metrics.jobFailures.inc({ queue: `sync-${lane}` });
      await pause(1_000, signal);
    }
    if (!isBusy) await pause(lookEveryMs, signal);
  }
}

/** Works on the first connection that is due and free; false when there is none. */
async function workOnce(
  ctx: Context,
  session: pg.Client,
  lane: keyof typeof lanes,
  signal: AbortSignal,
): Promise<boolean> {
  if (lane === 'history' && (await countPendingBatches(ctx.operator, mostPending)) >= mostPending)
    return false;
  for (const deviceId of await listDueConnections(ctx.operator, lane, candidates)) {
    if (signal.aborted) return false;
    if (!(await lockConnection(session, deviceId))) continue;
    try {
      await (lane === 'live' ? syncConnection : syncHistory)(ctx, deviceId, signal);
    } finally {
      await unlockConnection(session, deviceId);
    }
    return true;
  }
  return false;
}
