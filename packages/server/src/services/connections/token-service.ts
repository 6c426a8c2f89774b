import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { minuteMs } from '@tributary/domain';
import { ProviderFailure } from '@tributary/providers';
import type { Core } from '../../core.ts';
import type { RenewReply, RenewRequest } from './token-messages.ts';

const program = fileURLToPath(new URL('./token-process.ts', import.meta.url));
/** The process needs little memory. Without these options, V8 would reserve more. */
const engineOptions = ['--max-semi-space-size=1', '--max-old-space-size=128'];
/** More than a provider's response, the lock and the commit can take together. */
const replyTimeoutMs = minuteMs;
/** An idle process exits after this time to free its memory. */
const idleMs = 5 * minuteMs;
/** How long a stopping node waits for a running refresh. After that, the token service finishes on its own. */
const finishMs = 3_000;

/**
 * Refreshes tokens in a separate process. After a provider replaces a refresh token, the new one exists only in memory until it is committed. If the
 * node is killed at that moment, the token service still commits it.
 */
export interface TokenService extends AsyncDisposable {
  /**
   * Resolves once the tokens in the database are newer than those seen. Throws `ProviderFailure`, with the kind `unavailable` if the token service
   * itself is gone.
   */
  renew: (wanted: Omit<RenewRequest, 'ticket'>, signal?: AbortSignal) => Promise<void>;
}

export interface TokenServiceOptions extends Pick<Core, 'log'> {
  /** The environment of the token service. Defaults to that of this process. */
  env?: NodeJS.ProcessEnv;
}

/** Starts the process on first use, and again if it exits. */
export function openTokenService({ log, env }: TokenServiceOptions): TokenService {
  let current: TokenServiceProcess | null = null;
  let isStopped = false;
  let idle: NodeJS.Timeout | undefined;

  function start(): TokenServiceProcess {
    const started = startProcess(log, env);
    void started.ended.then(() => {
      if (current === started) current = null;
    });
    return started;
  }

  function leaveIdle(serviceProcess: TokenServiceProcess): void {
    if (current !== serviceProcess || serviceProcess.isBusy()) return;
    current = null;
    serviceProcess.dismiss();
  }

  return {
    async renew(wanted, signal) {
      if (isStopped || signal?.aborted) throw unavailableFailure('this node is stopping');
      const serviceProcess = (current ??= start());
      clearTimeout(idle);
      try {
        await serviceProcess.request(wanted, signal);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => leaveIdle(serviceProcess), idleMs).unref();
      }
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(idle);
      const last = current;
      if (!last) return;
      last.dismiss();
      const done = new AbortController();
      const isLate = await Promise.race([
        last.ended.then(() => false),
        sleep(finishMs, true, { signal: done.signal }).catch(() => false),
      ]);
      done.abort();
      if (isLate)
        log.warn('a provider has not responded yet; the token service finishes the refresh on its own');
      last.abandon();
    },
  };
}

interface TokenServiceProcess {
  request: (wanted: Omit<RenewRequest, 'ticket'>, signal: AbortSignal | undefined) => Promise<void>;
  isBusy: () => boolean;
  /** Lets the process finish running refreshes and exit. */
  dismiss: () => void;
  /** Stops keeping this process alive for the child. */
  abandon: () => void;
  ended: Promise<void>;
}

function startProcess(log: Core['log'], env: NodeJS.ProcessEnv | undefined): TokenServiceProcess {
  // Detached into its own process group, so that a signal to the group of the node does not reach the token service.
  const child = fork(program, {
    detached: true,
    execArgv: engineOptions,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(env && { env }),
  });
  const waiting = new Map<number, (reply: RenewReply | Error) => void>();
  let tickets = 0;
  let isDismissed = false;
  child.on('error', () => {}); // `endOf` and the `send` callback report the error
  child.on('message', (reply: RenewReply) => waiting.get(reply.ticket)?.(reply));
  const ended = endOf(child).then((how) => {
    if (!isDismissed) log.warn({ how }, 'the token service exited; a new one starts when needed');
    for (const resolve of waiting.values()) resolve(unavailableFailure('the token service exited'));
  });
  return {
    ended,
    isBusy: () => waiting.size > 0,
    async request(wanted, signal) {
      const ticket = (tickets += 1);
      const { promise, resolve } = Promise.withResolvers<RenewReply | Error>();
      waiting.set(ticket, resolve);
      const late = setTimeout(
        () => resolve(unavailableFailure('the token service is not responding')),
        replyTimeoutMs,
      );
      const stop = () => resolve(unavailableFailure('the service canceled the request'));
      signal?.addEventListener('abort', stop, { once: true });
      child.send({ ticket, ...wanted } satisfies RenewRequest, (error) => {
        if (error) resolve(unavailableFailure('the token service is unreachable'));
      });
      const reply = await promise;
      signal?.removeEventListener('abort', stop);
      clearTimeout(late);
      waiting.delete(ticket);
      throwFailure(reply);
    },
    dismiss() {
      isDismissed = true;
      if (child.connected) child.disconnect();
    },
    abandon: () => child.unref(),
  };
}

/** The exit code or signal of a process, or why it could not start. */
async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return String(error);
  }
}

function throwFailure(reply: RenewReply | Error): void {
  if (reply instanceof Error) throw reply;
  const { failure } = reply;
  if (failure === null) return;
  if (failure === 'unexpected') throw new Error('failed to renew tokens; see the log of the token service');
  throw new ProviderFailure(failure.kind, failure.message, { retryAtMs: failure.retryAtMs });
}

/** `unavailable`, because a provider that received no request, or whose response was lost, has rejected nothing. */
function unavailableFailure(why: string): ProviderFailure {
  return new ProviderFailure('unavailable', why);
}
