import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, hourMs, minuteMs } from '@tributary/domain';
import { findProvider, piecesOf, type Span, type Stream } from '@tributary/providers';
import { inTransaction } from '../../store/database/database.ts';
import { beginRun } from '../../store/connections/due.ts';
import { finishHistory, insertRun } from '../../store/connections/sync-runs.ts';
import { findApp } from '../providers/find-app.ts';
import { storeDocuments } from './store-documents.ts';
import { attempt, isGranted, openRun, pauseWhenLimited, RunOver, type Run, type SyncContext } from './run.ts';

/** Maximum days of history per run. */
const mostDays = 14;
const longestRestMs = 2_000;

/**
 * Reads the newest unread piece of the history before a connection. Progress is stored per stream, so that an interrupted run or one that exhausts
 * the limits resumes where it stopped.
 */
export async function syncHistory(ctx: SyncContext, deviceId: string, signal: AbortSignal): Promise<void> {
  const connection = await beginRun(ctx.operator, deviceId, 'history');
  if (!connection) return;
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, connection.environment, provider));
  const { historyToMs: toMs, historyFromMs } = connection;
  if (!provider || !app) {
    const dueMs = ctx.clock.now() + hourMs;
    await finishHistory(ctx.operator, connection, {
      toMs,
      streams: connection.historyStreams,
      days: connection.historyDays,
      dueMs,
    });
    return;
  }
  const access = { environment: connection.environment, provider, app };
  const run = await openRun(ctx, connection, access, { priority: 'history', signal });
  const span = { fromMs: Math.max(historyFromMs, toMs - connection.historyDays * dayMs), toMs };
  try {
    const done = await readPiece(ctx, run, span, restsOf(signal, ctx.config.sync.historyRestShare));
    await finish(ctx, run, span, done);
  } catch (error) {
    if (!(error instanceof RunOver)) throw error;
  }
}

/** Pauses for longer than the process was busy since the last pause, so that most of its time goes to new data on any machine. */
function restsOf(signal: AbortSignal, restShare: number): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async () => {
    const { active: activeMs } = performance.eventLoopUtilization(before);
    await sleep(Math.min(longestRestMs, activeMs * restShare), undefined, { signal }).catch(() => {});
    before = performance.eventLoopUtilization();
  };
}

/** Reads a span of every stream that is not done yet. Returns the streams that are done. */
async function readPiece(
  ctx: SyncContext,
  run: Run,
  span: Span,
  rest: () => Promise<void>,
): Promise<string[]> {
  const done = [...run.connection.historyStreams];
  for (const stream of run.provider.streams) {
    if (done.includes(stream.name)) continue;
    const goOn =
      !isGranted(run, stream) ||
      (await attempt(ctx, run, stream.name, () => readStream(ctx, run, stream, span, rest)));
    if (!goOn || run.failure?.kind === 'unavailable') break;
    done.push(stream.name);
  }
  return done;
}

async function readStream(
  ctx: SyncContext,
  run: Run,
  stream: Stream,
  span: Span,
  rest: () => Promise<void>,
): Promise<void> {
  switch (stream.kind) {
    case 'listed':
      for (const piece of piecesOf(span, stream.pieceDays)) {
        const requestedAtMs = ctx.clock.now();
        for await (const documents of stream.read(run.api, piece)) {
          run.documents += documents.length;
          await storeDocuments(ctx, run, stream.name, { documents, requestedAtMs, isHistory: true });
          await rest();
        }
        await rest();
      }
      return;
    case 'pushed':
      for (const piece of piecesOf(span, stream.pieceDays)) {
        await stream.requestHistory?.(run.api, piece);
        await rest();
      }
      return;
    case 'detail':
      // Each document costs a call, so only new ones are read.
      return;
  }
}

async function finish(ctx: SyncContext, run: Run, span: Span, done: readonly string[]): Promise<void> {
  const { connection, failure, provider } = run;
  const nowMs = ctx.clock.now();
  const isWhole = provider.streams.every(({ name }) => done.includes(name));
  const isEnd = isWhole && span.fromMs <= connection.historyFromMs;
  await inTransaction(ctx.operator, async (tx) => {
    const isOurs = await finishHistory(tx, connection, {
      toMs: isWhole ? span.fromMs : span.toMs,
      streams: isWhole ? [] : done,
      days: nextDays(run, done, isWhole),
      dueMs: isEnd ? null : isWhole ? nowMs : nowMs + pauseMs(run, nowMs),
    });
    if (!isOurs) throw new RunOver();
    const outcome = failure?.kind ?? 'ok';
    await insertRun(tx, {
      ...run,
      ...connection,
      id: ctx.newId(),
      cause: 'history',
      outcome: outcome === 'gone' ? 'ok' : outcome,
      span,
    });
  });
  ctx.metrics.syncRuns.inc({
    provider: connection.provider,
    cause: 'history',
    outcome: failure?.kind ?? 'ok',
  });
}

/** Halves a piece that exceeds the limits, down to one day, and doubles it again later. */
function nextDays({ connection, failure }: Run, done: readonly string[], isWhole: boolean): number {
  const { historyDays, historyStreams } = connection;
  if (isWhole) return Math.min(mostDays, historyDays * 2);
  const isStuck = failure?.kind === 'limited' && done.length === historyStreams.length;
  return isStuck ? Math.max(1, Math.floor(historyDays / 2)) : historyDays;
}

/** A refused consent is handled by the live sync. */
function pauseMs(run: Run, nowMs: number): number {
  const { failure } = run;
  if (failure?.kind === 'limited') return pauseWhenLimited(run, nowMs);
  return (failure?.kind === 'unavailable' ? 1 : 15) * minuteMs;
}
