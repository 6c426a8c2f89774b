import { minuteMs } from '@tributary/domain';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { syncConnection } from '../services/sync/sync-connection.ts';
import { syncHistory } from '../services/sync/sync-history.ts';
import { maintainPushes } from '../services/sync/maintain-pushes.ts';
import { ProviderGate } from '../services/sync/provider-gate.ts';
import { processPush } from '../services/sync/process-push.ts';
import { lockConnection, unlockConnection } from '../store/connections/locks.ts';
import { openSession } from '../store/database/database.ts';
import { listDueConnections, type DueConnection } from '../store/connections/due.ts';
import { countPendingBatches, takes } from '../store/uploads/pending-batches.ts';
import { pause } from './singleton-session.ts';

/** Connections synced concurrently per node and priority. History has its own workers, so that new data never waits for it. */
const workersPerPriority = { live: 6, history: 2 } as const;
const candidates = 24;
/** The server ends a silent session within seconds and releases its locks. */
const beatEveryMs = 1_000;
/** History waits while this many batches are pending, its own included. Otherwise data would be read faster than it is processed and pile up. */
const mostPending = 32;
const maintainIntervalMs = minuteMs;
/** A push, or a subscription to pushes, waits for the provider. */
const longestSilenceMs = 3 * minuteMs;

/** Syncs data from providers by push and by polling, until disposed. */
export function runSync(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const pushes = ctx.loops.start('pushes', longestSilenceMs);
  const subscriptions = ctx.loops.start('push-subscriptions', longestSilenceMs);
  const running = Promise.all([
    keepSession(ctx, signal),
    again(ctx, signal, 'failed to process pushes', async () => {
      pushes.beat();
      if (!(await processPush(ctx))) await pause(ctx.config.sync.pollIntervalMs, signal);
    }),
    again(ctx, signal, 'failed to maintain push subscriptions', async () => {
      subscriptions.beat();
      await maintainPushes(ctx);
      await pause(maintainIntervalMs, signal);
    }),
  ]);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      for (const loop of [pushes, subscriptions]) loop[Symbol.dispose]();
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
async function keepSession(ctx: Context, signal: AbortSignal): Promise<void> {
  using loop = ctx.loops.start('sync');
  await again(ctx, signal, 'sync lost its database session', async () => {
    const session = await openSession({
      url: ctx.config.secrets.database.direct,
      role: 'operator',
      statementTimeoutMs: ctx.config.database.statementTimeoutMs,
      applicationName: `tributary-sync-${ctx.config.nodeName}`,
      onResponse: loop.beat,
    });
    const lost = new AbortController();
    const both = AbortSignal.any([signal, lost.signal]);
    const beat = setInterval(() => {
      session.query('SELECT').catch(() => lost.abort());
    }, beatEveryMs);
    try {
      const workers = Object.entries(workersPerPriority).flatMap(([name, count]) => {
        const priority = openPriority(ctx, name as keyof typeof workersPerPriority);
        return Array.from({ length: count }, () => runWorker(ctx, session, priority, both));
      });
      await Promise.all(workers);
    } finally {
      clearInterval(beat);
      await session.end().catch(() => {});
    }
  });
}

interface SyncPriority {
  name: keyof typeof workersPerPriority;
  /** Due connections, most urgent first. */
  poll: () => Promise<DueConnection[]>;
  /** Syncs one connection. Returns false if its provider has no free slot. */
  work: (due: DueConnection, signal: AbortSignal) => Promise<boolean>;
}

/** Polls for all workers of a priority at once. When one has just found nothing, the others skip their query. */
function openPriority(ctx: Context, name: keyof typeof workersPerPriority): SyncPriority {
  const gate = new ProviderGate();
  let pendingPoll: Promise<DueConnection[]> | null = null;
  let emptyUntil = 0;
  const list = async (): Promise<DueConnection[]> => {
    if (
      name === 'history' &&
      (await countPendingBatches(ctx.operator, mostPending, takes.all)) >= mostPending
    )
      return [];
    return listDueConnections(ctx.operator, name, candidates, gate.blockedProviders());
  };
  return {
    name,
    async poll() {
      if (performance.now() < emptyUntil) return [];
      pendingPoll ??= list().finally(() => (pendingPoll = null));
      const due = await pendingPoll;
      if (due.length === 0) emptyUntil = performance.now() + ctx.config.sync.pollIntervalMs / 2;
      return due;
    },
    async work({ deviceId, limits }, signal) {
      // History yields by itself, with smaller chunks.
      if (name === 'history') {
        await syncHistory(ctx, deviceId, signal);
        return true;
      }
      using slot = gate.take(limits);
      if (slot) await syncConnection(ctx, deviceId, signal, () => gate.recordExhausted(limits));
      return slot !== null;
    },
  };
}

async function runWorker(
  ctx: Context,
  session: pg.Client,
  priority: SyncPriority,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isBusy = false;
    try {
      isBusy = await workOnce(session, priority, signal);
    } catch (error) {
      ctx.log.error({ err: error, priority: priority.name }, 'failed to sync a connection; will be retried');
      ctx.metrics.jobFailures.inc({ queue: `sync-${priority.name}` });
      await pause(1_000, signal);
    }
    if (!isBusy) await pause(ctx.config.sync.pollIntervalMs, signal);
  }
}

/** Syncs the first connection that is due and unlocked. Returns false if there is none. */
async function workOnce(session: pg.Client, priority: SyncPriority, signal: AbortSignal): Promise<boolean> {
  for (const due of await priority.poll()) {
    if (signal.aborted) return false;
    if (!(await lockConnection(session, due.deviceId))) continue;
    try {
      if (await priority.work(due, signal)) return true;
    } finally {
      await unlockConnection(session, due.deviceId);
    }
  }
  return false;
}
