import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '../context.ts';
import type { Loop } from '../loops.ts';
import { openSession } from '../store/database/database.ts';
import { trySingletonLock, type SingletonTask } from '../store/database/singleton-locks.ts';

/** How often a standby session tries to take over. */
const takeOverEveryMs = 200;

export interface SingletonSession {
  /** Used in log messages and, with the node name, as the application name of the session. */
  name: SingletonTask;
  /** How long the session may be silent before the process counts as not ready, if not as long as other loops. */
  longestSilenceMs?: number;
  /** Called repeatedly while another session does the work. */
  onWaiting: () => void;
  /** Runs on the session until it breaks or the signal aborts. */
  work: (session: pg.Client, signal: AbortSignal) => Promise<void>;
}

/** Runs a task on one session at a time across all nodes, until disposed. Another session takes over when it ends. */
export function runSingletonSession(ctx: Context, singleton: SingletonSession): AsyncDisposable {
  const stop = new AbortController();
  const running = run(ctx, singleton, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(ctx: Context, singleton: SingletonSession, signal: AbortSignal): Promise<void> {
  using loop = ctx.loops.start(singleton.name, singleton.longestSilenceMs);
  while (!signal.aborted) {
    try {
      await runExclusively(ctx, singleton, loop, signal);
    } catch (error) {
      ctx.log.warn({ err: error }, `${singleton.name} lost its database session`);
      await pause(takeOverEveryMs, signal);
    }
  }
}

async function runExclusively(
  { config }: Context,
  { name, onWaiting, work }: SingletonSession,
  loop: Loop,
  signal: AbortSignal,
): Promise<void> {
  const session = await openSession({
    url: config.secrets.database.direct,
    role: 'operator',
    statementTimeoutMs: config.database.statementTimeoutMs,
    applicationName: `tributary-${name}-${config.nodeName}`,
    onResponse: loop.beat,
  });
  try {
    while (!signal.aborted && !(await trySingletonLock(session, name))) {
      onWaiting();
      await pause(takeOverEveryMs, signal);
    }
    if (!signal.aborted) await work(session, signal);
  } finally {
    await session.end().catch(() => {});
  }
}

/** Waits, or returns early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {});
}
