import { setTimeout as sleep } from 'node:timers/promises';
import { findProvider, piecesOf, type Span } from '@tributary/providers';
import { inTransaction } from '../../store/database.ts';
import { beginRun } from '../../store/due-connections.ts';
import { finishHistory, insertRun } from '../../store/sync-runs.ts';
import { findApp } from '../providers/find-app.ts';
import { keepDocuments } from './keep-documents.ts';
import { attempt, isGranted, openRun, pauseWhenLimited, RunOver, type Run, type SyncContext } from './run.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Days of history that one run reads, at most. */
const mostDays = 14;
const longestRestMs = 2_000;

/**
 * Reads one piece of the days before a connection, the newest that is left. What was read is kept stream by stream, so that a run that is
 * cut off or finds the limits used up goes on where it stopped.
 */
export async function syncHistory(ctx: SyncContext, deviceId: string, signal: AbortSignal): Promise<void> {
  const connection = await beginRun(ctx.operator, deviceId, 'history');
  if (!connection) return;
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, connection.environment, provider));
  const { historyToMs: toMs, historyFromMs } = connection;
  if (!provider || !app) {
    const dueMs = ctx.clock.now() + 60 * minuteMs;
    await finishHistory(ctx.operator, connection, {
      toMs,
      streams: connection.historyStreams,
      days: connection.historyDays,
      dueMs,
    });
    return;
  }
  const access = { environment: connection.environment, provider, app };
  const run = await openRun(ctx, connection, access, { lane: 'history', signal });
  const span = { fromMs: Math.max(historyFromMs, toMs - connection.historyDays * dayMs), toMs };
  try {
    const done = await readPiece(ctx, run, span, restsOf(signal, ctx.config.sync.historyRestShare));
    await finish(ctx, run, span, done);
  } catch (error) {
    if (!(error instanceof RunOver)) throw error;
  }
}

/** Rests for longer than the process was at work since the last rest: most of its time belongs to what is new, however fast the machine is. */
function restsOf(signal: AbortSignal, restShare: number): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async () => {
    const { active: workedMs } = performance.eventLoopUtilization(before);
    await sleep(Math.min(longestRestMs, workedMs * restShare), undefined, { signal }).catch(() => {});
    before = performance.eventLoopUtilization();
  };
}

/** Reads a span of every stream that was not read yet; answers those that are done. */
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
      (await attempt(ctx, run, stream.name, async () => {
        for (const piece of piecesOf(span, stream.pieceDays)) {
          const askedMs = ctx.clock.now();
          if (stream.ask) await stream.ask(run.api, piece);
          for await (const documents of stream.read?.(run.api, piece) ?? []) {
            run.documents += documents.length;
            await keepDocuments(ctx, run, stream.name, { documents, askedMs, isHistory: true });
            await rest();
          }
          await rest();
        }
      }));
    if (!goOn || run.failure?.kind === 'unavailable') break;
    done.push(stream.name);
  }
  return done;
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

/** A piece that the limits do not let through is halved, down to a day, and grows again. */
function nextDays({ connection, failure }: Run, done: readonly string[], isWhole: boolean): number {
  const { historyDays, historyStreams } = connection;
  if (isWhole) return Math.min(mostDays, historyDays * 2);
  const isStuck = failure?.kind === 'limited' && done.length === historyStreams.length;
  return isStuck ? Math.max(1, Math.floor(historyDays / 2)) : historyDays;
}

/** A consent that is refused is the live lane's to find out about. */
function pauseMs(run: Run, nowMs: number): number {
  const { failure } = run;
  if (failure?.kind === 'limited') return pauseWhenLimited(run, nowMs);
  return (failure?.kind === 'unavailable' ? 1 : 15) * minuteMs;
}
