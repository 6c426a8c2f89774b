import type pg from 'pg';
import type { Context } from '../context.ts';
import { syncConnection } from '../services/sync/sync-connection.ts';
import { syncHistory } from '../services/sync/sync-history.ts';
import { tendPushes } from '../services/sync/tend-pushes.ts';
import { Turns } from '../services/sync/turns.ts';
import { workOnPush } from '../services/sync/work-on-push.ts';
import { lockConnection, unlockConnection } from '../store/connections/locks.ts';
import { openSession } from '../store/database/database.ts';
import { listDueConnections, type DueConnection } from '../store/connections/due.ts';
import { countPendingBatches, takes } from '../store/uploads/pending-batches.ts';
import { pause } from './lone-session.ts';

/** Connections synced concurrently per node and priority. History has its own workers, so that new data never waits for it. */
const lanes = { live: 6, history: 2 } as const;
const candidates = 24;
/** The server ends a silent session within seconds and releases its locks. */
const beatEveryMs = 1_000;
/** History waits while this many batches are pending, its own included. Otherwise data would be read faster than it is processed and pile up. */
const mostPending = 32;
const tendEveryMs = 60_000;

/** Syncs data from providers by push and by polling, until disposed. */
export function runSync(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = Promise.all([
    keepSession(ctx, signal),
    again(ctx, signal, 'failed to process pushes', async () => {
      if (!(await workOnPush(ctx))) await pause(ctx.config.sync.pollIntervalMs, signal);
    }),
    again(ctx, signal, 'failed to maintain push subscriptions', async () => {
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

/** Repeats a task until the signal aborts, with a pause after a failure. */
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

/** Holds a session for connection locks and runs the workers while it lives. */
function keepSession(ctx: Context, signal: AbortSignal): Promise<void> {
  return again(ctx, signal, 'sync lost its database session', async () => {
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
  /** Due connections, most urgent first. */
  look: () => Promise<DueConnection[]>;
  /** Syncs one connection. Returns false if its provider has no free slot. */
  work: (due: DueConnection, signal: AbortSignal) => Promise<boolean>;
}

/** Polls for all workers of a priority at once. When one has just found nothing, the others skip their query. */
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
      // History yields by itself, with smaller chunks.
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
      ctx.log.error({ err: error, lane: lane.name }, 'failed to sync a connection; will be retried');
      ctx.metrics.jobFailures.inc({ queue: `sync-${lane.name}` });
      await pause(1_000, signal);
    }
    if (!isBusy) await pause(ctx.config.sync.pollIntervalMs, signal);
  }
}

/** Syncs the first connection that is due and unlocked. Returns false if there is none. */
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
