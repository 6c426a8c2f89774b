import { findProvider } from '@tributary/providers';
import { countRefusal, setDeviceStatus } from '../../store/connections.ts';
import { inTransaction, type Queryable } from '../../store/database.ts';
import { beginRun, findLastNews, type RunningConnection } from '../../store/due-connections.ts';
import { deleteNotices, listNotices } from '../../store/sync-notices.ts';
import { finishRun, insertRun } from '../../store/sync-runs.ts';
import { touchUser } from '../../store/user-read.ts';
import { expireConnection } from '../connections/expire-connection.ts';
import { findApp } from '../providers/find-app.ts';
import { ensurePush } from './ensure-push.ts';
import { readNotice } from './read-notice.ts';
import { pollStreams } from './read-streams.ts';
import { attempt, openRun, RunOver, type Run, type SyncContext } from './run.ts';
import { judgeSync } from './sync-state.ts';

const minuteMs = 60_000;
const mostNotices = 100;
/** Refusals in a row after which a consent counts as ended, and the time between them. */
const mostRefusals = 3;
const refusalPauseMs = 5 * minuteMs;
const longestBackoffMs = 60 * minuteMs;

/** Reads what is new of one connection: what pushes told of, then, when it is due, everything of the last days. */
export async function syncConnection(ctx: SyncContext, deviceId: string, signal: AbortSignal): Promise<void> {
  const connection = await beginRun(ctx.operator, deviceId, 'live');
  if (!connection) return;
  const provider = findProvider(connection.provider);
  const app = provider && (await findApp(ctx, ctx.operator, connection.environment, provider));
  if (!provider || !app) return putOff(ctx, connection);
  const access = { environment: connection.environment, provider, app };
  const run = await openRun(ctx, connection, access, 'live', signal);
  try {
    if (connection.isFirst) await ensurePush(ctx, access);
    const { goOn, cause } = await readNotices(ctx, run);
    const isPolled = goOn && connection.isPollDue && (await pollStreams(ctx, run));
    await finish(ctx, run, { isPolled, cause });
  } catch (error) {
    if (!(error instanceof RunOver)) throw error;
  }
}

/** The provider is not configured any more: one looks again now and then. */
async function putOff(ctx: SyncContext, connection: RunningConnection): Promise<void> {
  const dueMs = ctx.clock.now() + 60 * minuteMs;
  const result = { ok: false, failure: 'unavailable', isNews: false, isDeep: false, dueMs, pollMs: null };
  await finishRun(ctx.operator, connection, { ...result, pollStreams: connection.pollStreams });
}

async function readNotices(
  ctx: SyncContext,
  run: Run,
): Promise<{ goOn: boolean; cause: 'connected' | 'push' | 'poll' }> {
  const notices = await listNotices(ctx.operator, run.connection.deviceId, mostNotices);
  const cause = run.connection.isFirst ? 'connected' : notices.length > 0 ? 'push' : 'poll';
  const done = new Set<string>();
  for (const { id, notice } of notices) {
    const key = JSON.stringify(notice);
    const isRepeat = done.has(key);
    const goOn = isRepeat || (await attempt(ctx, run, notice.stream, () => readNotice(ctx, run, notice)));
    // What is refused for good is not asked again; what can be had later stays.
    const isOpen = !isRepeat && (run.failure?.kind === 'unavailable' || !goOn);
    if (isOpen) return { goOn, cause };
    done.add(key);
    await deleteNotices(ctx.operator, [id]);
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
  const pollMs = isPolled && ok ? nowMs + pollPauseMs(run) : null;
  await inTransaction(ctx.operator, async (tx) => {
    const isOurs = await finishRun(tx, connection, {
      ok,
      failure: failure?.kind ?? null,
      isNews: run.news > 0,
      isDeep: isPolled && ok && connection.isDeepDue,
      dueMs: ok ? null : nextTryMs(run, nowMs),
      pollMs,
      pollStreams: pollMs === null ? run.polled : [],
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
    if (isRefused) await noteRefusal(ctx, tx, connection);
    else await noteState(tx, run, nowMs);
  });
  ctx.metrics.syncRuns.inc({ provider: connection.provider, cause, outcome: failure?.kind ?? 'ok' });
}

/** Half to one and a half times what is usual, so that people are not asked for all at once. */
function pollPauseMs({ connection, provider }: Run): number {
  const { pushed, unpushed } = provider.cadence.pollMinutes;
  return (connection.isPushed ? pushed : unpushed) * minuteMs * (0.5 + Math.random());
}

function nextTryMs({ failure, connection }: Run, nowMs: number): number {
  if (failure?.kind === 'limited') return (failure.retryAtMs ?? nowMs + minuteMs) + Math.random() * 5_000;
  if (failure?.kind === 'consent_ended' || failure?.kind === 'unauthorized') return nowMs + refusalPauseMs;
  return (
    nowMs +
    Math.min(longestBackoffMs, 15_000 * 2 ** Math.min(connection.failures, 12)) * (0.5 + Math.random())
  );
}

/** One refusal makes a device suspect; only several in a row end it. */
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
  const verdict = judgeSync(provider, {
    lastNewsMs,
    nowMs,
    failure: failure?.kind ?? null,
    allForbidden: run.forbidden > 0 && run.read === 0,
  });
  // A consent that was refused and works again is good.
  const status = connection.status === 'suspect' && run.read === 0 ? 'suspect' : 'active';
  if (await setDeviceStatus(tx, connection, status, verdict)) await touchUser(tx, connection.userId);
}
