import type pg from 'pg';
import type { Context } from '../context.ts';
import { syncConnection } from '../services/sync/sync-connection.ts';
import { syncHistory } from '../services/sync/sync-history.ts';
import { tendPushes } from '../services/sync/tend-pushes.ts';
import { Turns } from '../services/sync/turns.ts';
import { workOnPush } from '../services/sync/work-on-push.ts';
import { lockConnection, unlockConnection } from '../store/connection-locks.ts';
import { openSession } from '../store/database.ts';
import { listDueConnections, type DueConnection } from '../store/due-connections.ts';
import { countPendingBatches, takes } from '../store/pending-batches.ts';
import { pause } from './lone-session.ts';

/** Connections at work at once on a node, in each lane: history has its own, so that the day's news never wait for it. */
const lanes = { live: 6, history: 2 } as const;
const candidates = 24;
/** A session that falls silent is ended by the server within seconds, and its locks with it. */
const beatEveryMs = 1_000;
/** History waits while this many batches wait for a worker, its own included: what is read faster than it is worked on would pile up. */
const mostPending = 32;
const tendEveryMs = 60_000;

/** Reads what providers have, by push and by looking, until disposed of. */
export function runSync(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = Promise.all([
    keepSession(ctx, signal),
    again(ctx, signal, 'pushes not worked on', async () => {
      if (!(await workOnPush(ctx))) await pause(ctx.config.sync.pollIntervalMs, signal);
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
      const workers = Object.entries(lanes).flatMap(([name, count]) => {
        const lane = openLane(ctx, name as keyof typeof lanes);
        return Array.from({ length: count }, () => workLane(ctx, session, lane, both));
      });
      await Promise.all(workers);
    } finally {
      clearInterval(beat);
      await session.end().catch(() => {});
    }
  });
}

interface SyncLane {
  name: keyof typeof lanes;
  /** Connections with something to do, the first that should be worked on first. */
  look: () => Promise<DueConnection[]>;
  /** Works on one of them; false when it is not its turn. */
  work: (due: DueConnection, signal: AbortSignal) => Promise<boolean>;
}

/** Looks for all workers of a lane at once: where one has just found nothing, no other has to ask. */
function openLane(ctx: Context, name: keyof typeof lanes): SyncLane {
  const turns = new Turns();
  let looking: Promise<DueConnection[]> | null = null;
  let emptyUntil = 0;
  const list = async (): Promise<DueConnection[]> => {
    if (
      name === 'history' &&
      (await countPendingBatches(ctx.operator, mostPending, takes.all)) >= mostPending
    )
      return [];
    return listDueConnections(ctx.operator, name, candidates, turns.taken());
  };
  return {
    name,
    async look() {
      if (performance.now() < emptyUntil) return [];
      looking ??= list().finally(() => (looking = null));
      const due = await looking;
      if (due.length === 0) emptyUntil = performance.now() + ctx.config.sync.pollIntervalMs / 2;
      return due;
    },
    async work({ deviceId, limits }, signal) {
      // History gives way by itself, with smaller pieces.
      if (name === 'history') {
        await syncHistory(ctx, deviceId, signal);
        return true;
      }
      using turn = turns.take(limits);
      if (turn) await syncConnection(ctx, deviceId, signal, () => turns.giveWay(limits));
      return turn !== null;
    },
  };
}

async function workLane(
  ctx: Context,
  session: pg.Client,
  lane: SyncLane,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isBusy = false;
    try {
      isBusy = await workOnce(session, lane, signal);
    } catch (error) {
      ctx.log.error({ err: error, lane: lane.name }, 'a connection could not be synced; it comes back');
      ctx.metrics.jobFailures.inc({ queue: `sync-${lane.name}` });
      await pause(1_000, signal);
    }
    if (!isBusy) await pause(ctx.config.sync.pollIntervalMs, signal);
  }
}

/** Works on the first connection that is due and free; false when there is none. */
async function workOnce(session: pg.Client, lane: SyncLane, signal: AbortSignal): Promise<boolean> {
  for (const due of await lane.look()) {
    if (signal.aborted) return false;
    if (!(await lockConnection(session, due.deviceId))) continue;
    try {
      if (await lane.work(due, signal)) return true;
    } finally {
      await unlockConnection(session, due.deviceId);
    }
  }
  return false;
}
