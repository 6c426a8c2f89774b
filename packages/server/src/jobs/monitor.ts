import { minuteMs } from '@tributary/domain';
import type pg from 'pg';
import type { Context } from '../context.ts';
import {
  measureBatches,
  measureConnections,
  measureErasures,
  measurePushes,
  measureRenewals,
  measureScores,
  type QueueState,
} from '../store/backlog/measure.ts';
import { pause, runSingletonSession } from './singleton-session.ts';

const measureEveryMs = 5_000;
/** The server ends a session that is silent for a few seconds. */
const beatEveryMs = 1_000;
/** Nothing depends on a measurement, so a slow one does not make the process unready at once. */
const longestSilenceMs = minuteMs;

/** How each queue is measured, by its label. */
export const backlogQueues = {
  uploads: (db) => measureBatches(db, 'live'),
  'history-documents': (db) => measureBatches(db, 'history'),
  'provider-pushes': measurePushes,
  syncs: (db) => measureConnections(db, 'live'),
  'history-imports': (db) => measureConnections(db, 'history'),
  scores: measureScores,
  erasures: measureErasures,
  'token-renewals': measureRenewals,
} as const satisfies Record<
  string,
  (db: pg.Client) => Promise<QueueState & { largestAccountItems?: number }>
>;

/**
 * Measures how much work waits, until disposed. One session at a time does so across all nodes, so the cost depends neither on their number nor on how
 * often they are scraped. The others report no value.
 */
export function runMonitor(ctx: Context): AsyncDisposable {
  return runSingletonSession(ctx, {
    name: 'monitor',
    longestSilenceMs,
    onWaiting: () => {},
    async work(session, signal) {
      while (!signal.aborted) {
        for (const name of Object.keys(backlogQueues)) await measureQueue(ctx, session, name as QueueName);
        await rest(session, signal);
      }
    },
  });
}

async function rest(session: pg.Client, signal: AbortSignal): Promise<void> {
  for (let restedMs = 0; restedMs < measureEveryMs && !signal.aborted; restedMs += beatEveryMs) {
    await pause(beatEveryMs, signal);
    await session.query('SELECT');
  }
}

type QueueName = keyof typeof backlogQueues;

async function measureQueue({ log, metrics }: Context, session: pg.Client, queue: QueueName): Promise<void> {
  const { backlogItems, backlogAgeSeconds, backlogLargestAccountItems } = metrics;
  try {
    const measure: (db: pg.Client) => Promise<QueueState & { largestAccountItems?: number }> =
      backlogQueues[queue];
    const { items, ageSeconds, largestAccountItems } = await measure(session);
    backlogItems.set({ queue }, items);
    backlogAgeSeconds.set({ queue }, ageSeconds);
    if (largestAccountItems !== undefined) backlogLargestAccountItems.set({ queue }, largestAccountItems);
  } catch (error) {
    // The other queues are measured anyway, and no old value remains. A lost session fails the next statement, too.
    log.warn({ err: error, queue }, 'failed to measure a queue');
    for (const gauge of [backlogItems, backlogAgeSeconds, backlogLargestAccountItems])
      gauge.set({ queue }, Number.NaN);
    await session.query('SELECT');
  }
}
