import { dayMs, hourMs, minuteMs } from '@tributary/domain';
import { findProvider } from '@tributary/providers';
import { countRefusal, setDeviceStatus } from '../../store/connections/connections.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { beginRun, findLastNews, type RunningConnection } from '../../store/connections/due.ts';
import { deleteNotices, listNotices } from '../../store/connections/sync-notices.ts';
import { finishRun, insertRun, reopenHistory } from '../../store/connections/sync-runs.ts';
import { touchUser } from '../../store/users/read.ts';
import { expireConnection } from '../connections/expire-connection.ts';
import { findApp } from '../providers/find-app.ts';
import { ensurePush } from './ensure-push.ts';
import { joinNotices } from './join-notices.ts';
import { limitRulesOf } from '../providers/limit-steps.ts';
import { pollPauseMs } from './poll-pause.ts';
import { readNotice } from './read-notice.ts';
import { deepDays, pollStreams } from './read-streams.ts';
import { attempt, openRun, pauseWhenLimited, RunOver, type Run, type SyncContext } from './run.ts';
import { classifySync } from './sync-state.ts';

/** After a longer time without a deep poll, the next one may not cover late data or days that were never polled. */
const longestPauseMs = 3 * dayMs;
const mostNotices = 100;
/** Consecutive refusals after which a consent counts as ended, and the time between them. */
const mostRefusals = 3;
const refusalPauseMs = 5 * minuteMs;
const longestBackoffMs = hourMs;

/**
 * Syncs new data of one connection: first what pushes announced, then, if a poll is due, everything of the last days. Calls `onGiveUp` if it yields
 * because the provider's limits are exhausted.
 */
export async function syncConnection(
  ctx: SyncContext,
  deviceId: string,
  signal: AbortSignal,
  onGiveUp?: () => void,
): Promise<void> {
  const connection = await beginRun(ctx.operator, deviceId, 'live');
  if (!connection) return;
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, connection.environment, provider));
  if (!provider || !app) return putOff(ctx, connection);
  const access = { environment: connection.environment, provider, app };
  const run = await openRun(ctx, connection, access, {
    priority: 'live',
    signal,
    ...(onGiveUp && { onGiveUp }),
  });
  try {
    if (connection.isFirst) await ensurePush(ctx, access);
    const { goOn, cause } = await readNotices(ctx, run);
    const isPolled = goOn && connection.isPollDue && (await pollStreams(ctx, run));
    await finish(ctx, run, { isPolled, cause });
  } catch (error) {
    if (!(error instanceof RunOver)) throw error;
  }
}

/** The provider is no longer configured, so check again later. */
async function putOff(ctx: SyncContext, connection: RunningConnection): Promise<void> {
  const dueMs = ctx.clock.now() + hourMs;
  const result = { ok: false, failure: 'unavailable', isNews: false, isDeep: false, dueMs, pollMs: null };
  await finishRun(ctx.operator, connection, { ...result, pollProgress: connection.pollProgress });
}

async function readNotices(
  ctx: SyncContext,
  run: Run,
): Promise<{ goOn: boolean; cause: 'connected' | 'push' | 'poll' }> {
  const notices = await listNotices(ctx.operator, run.connection.deviceId, mostNotices);
  const cause = run.connection.isFirst ? 'connected' : notices.length > 0 ? 'push' : 'poll';
  const pieceDaysOf = (name: string) => {
    const stream = run.provider.streams.find((one) => one.name === name);
    return stream?.kind === 'listed' ? stream.pieceDays : 0;
  };
  for (const { ids, notice } of joinNotices(notices, pieceDaysOf)) {
    const goOn = await attempt(ctx, run, notice.stream, () => readNotice(ctx, run, notice));
    // Permanently refused notices are dropped. Notices that may succeed later stay.
    if (run.failure?.kind === 'unavailable' || !goOn) return { goOn, cause };
    await deleteNotices(ctx.operator, ids);
  }
  return { goOn: true, cause };
}

async function finish(
  ctx: SyncContext,
  run: Run,
  { isPolled, cause }: { isPolled: boolean; cause: 'connected' | 'push' | 'poll' },
): Promise<void> {
  const { connection, failure } = run;
  const isRefused = failure?.kind === 'consent_ended' || failure?.kind === 'unauthorized';
  const ok =
    !failure || failure.kind === 'forbidden' || failure.kind === 'gone' || failure.kind === 'refused';
  const nowMs = ctx.clock.now();
  const isDeep = isPolled && ok && connection.isDeepDue;
  const pollMs =
    isPolled && ok
      ? nowMs +
        pollPauseMs(
          { ...run.provider, limits: limitRulesOf(ctx.config, run.provider) },
          { ...run, isPushed: connection.isPushed },
        )
      : null;
  await inTransaction(ctx.operator, async (tx) => {
    const isOurs = await finishRun(tx, connection, {
      ok,
      failure: failure?.kind ?? null,
      isNews: run.news > 0,
      isDeep,
      dueMs: ok ? null : nextTryMs(run, nowMs),
      pollMs,
      pollProgress: pollMs === null ? run.progress : [],
    });
    if (!isOurs) throw new RunOver();
    await insertRun(tx, {
      ...run,
      ...connection,
      id: ctx.newId(),
      cause,
      outcome: failure?.kind === 'gone' ? 'ok' : (failure?.kind ?? 'ok'),
      span: null,
    });
    if (isDeep) await closeGap(tx, run, nowMs);
    if (isRefused) await noteRefusal(ctx, tx, connection);
    else await noteState(tx, run, nowMs);
  });
  ctx.metrics.syncRuns.inc({ provider: connection.provider, cause, outcome: failure?.kind ?? 'ok' });
}

/** After a long pause, or a poll that limits delayed for days, reads the time between the last deep poll and this one as history. */
async function closeGap(tx: Queryable, { connection, provider }: Run, nowMs: number): Promise<void> {
  const sinceMs = connection.deepMs ?? connection.authorizedMs;
  if (nowMs - sinceMs <= longestPauseMs) return;
  const fromMs = Math.max(sinceMs - deepDays * dayMs, nowMs - provider.historyDays * dayMs);
  if (fromMs < nowMs) await reopenHistory(tx, connection, { fromMs, toMs: nowMs });
}

function nextTryMs(run: Run, nowMs: number): number {
  const { failure, connection } = run;
  if (failure?.kind === 'limited') return nowMs + pauseWhenLimited(run, nowMs);
  if (failure?.kind === 'consent_ended' || failure?.kind === 'unauthorized') return nowMs + refusalPauseMs;
  return (
    nowMs +
    Math.min(longestBackoffMs, 15_000 * 2 ** Math.min(connection.failures, 12)) * (0.5 + Math.random())
  );
}

/** One refusal makes a device suspect. Only several in a row expire it. */
async function noteRefusal(ctx: SyncContext, tx: Queryable, connection: RunningConnection): Promise<void> {
  const refusals = await countRefusal(tx, connection.deviceId);
  if (refusals >= mostRefusals) return expireConnection(ctx, tx, connection);
  const changed = await setDeviceStatus(tx, connection, 'suspect', {
    state: 'late',
    reason: 'consent_refused',
  });
  if (changed) await touchUser(tx, connection.userId);
}

async function noteState(tx: Queryable, run: Run, nowMs: number): Promise<void> {
  const { connection, provider, failure } = run;
  const lastNewsMs = await findLastNews(tx, connection.deviceId);
  const verdict = classifySync(provider, {
    lastNewsMs,
    nowMs,
    failure: failure?.kind ?? null,
    allForbidden: run.forbidden > 0 && run.read === 0,
  });
  // A consent that was refused and works again is valid.
  const status = connection.status === 'suspect' && run.read === 0 ? 'suspect' : 'active';
  if (await setDeviceStatus(tx, connection, status, verdict)) await touchUser(tx, connection.userId);
}
