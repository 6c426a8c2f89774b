import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { openSession } from '../store/database.ts';
import { tryLoneLock, type LoneWork } from '../store/lone-locks.ts';

/** How often is looked for the place of a session that is gone. */
const takeOverEveryMs = 200;

export interface LoneSession {
  /** Named so in the log and, with the node, among the sessions of the database. */
  name: LoneWork;
  /** Called again and again while another session does the work. */
  onWaiting: () => void;
  /** Works on the session until it breaks or is to stop. */
  work: (session: pg.Client, signal: AbortSignal) => Promise<void>;
}

/** Has one session at a time, over all nodes, do a work until disposed of; when that session is gone, another takes over. */
export function runLoneSession(ctx: Context, lone: LoneSession): AsyncDisposable {
  const stop = new AbortController();
  const running = run(ctx, lone, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(ctx: Context, lone: LoneSession, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await workAlone(ctx, lone, signal);
    } catch (error) {
      ctx.log.warn({ err: error }, `${lone.name} lost its session`);
      await pause(takeOverEveryMs, signal);
    }
  }
}

async function workAlone(
  { config }: Context,
  { name, onWaiting, work }: LoneSession,
  signal: AbortSignal,
): Promise<void> {
  const session = await openSession({
    url: config.secrets.databaseUrl,
    role: 'operator',
    statementTimeoutMs: config.database.statementTimeoutMs,
    applicationName: `tributary-${name}-${config.nodeName}`,
  });
  try {
    while (!signal.aborted && !(await tryLoneLock(session, name))) {
      onWaiting();
      await pause(takeOverEveryMs, signal);
    }
    if (!signal.aborted) await work(session, signal);
  } finally {
    await session.end().catch(() => {});
  }
}

/** Waits, unless it is to stop. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
