import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ProviderFailure } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { RenewAnswer, RenewRequest } from './keeper-messages.ts';

const program = fileURLToPath(new URL('./keeper-process.ts', import.meta.url));
/** It holds next to nothing; without a word, the engine would take memory for more. */
const engineOptions = ['--max-semi-space-size=1', '--max-old-space-size=128'];
/** More than a provider, the lock and the commit may take together. */
const answerMs = 60_000;
/** One that nobody needs gives its memory back. */
const idleMs = 5 * 60_000;
/** A node that stops waits so long for a refresh under way; after that the keeper finishes alone. */
const finishMs = 3_000;

/**
 * Renews tokens in a process of its own. Between the moment at which a provider replaces a refresh token and our commit, the new one exists
 * in memory alone: a node may be killed then, and the keeper brings it home.
 */
export interface TokenKeeper extends AsyncDisposable {
  /** Ends when the tokens in the database are newer than those seen. Throws `ProviderFailure`, `unavailable` where the keeper itself is gone. */
  renew: (wanted: Omit<RenewRequest, 'ticket'>, signal?: AbortSignal) => Promise<void>;
}

export interface TokenKeeperOptions extends Pick<Context, 'log'> {
  /** What the keeper is configured by; what this process was, unless given. */
  env?: NodeJS.ProcessEnv;
}

/** Starts the process when it is first needed, and another when it was lost. */
export function openTokenKeeper({ log, env }: TokenKeeperOptions): TokenKeeper {
  let current: KeeperProcess | null = null;
  let isStopped = false;
  let idle: NodeJS.Timeout | undefined;

  function start(): KeeperProcess {
    const started = startProcess(log, env);
    void started.ended.then(() => {
      if (current === started) current = null;
    });
    return started;
  }

  function leaveIdle(keeper: KeeperProcess): void {
    if (current !== keeper || keeper.isBusy()) return;
    current = null;
    keeper.dismiss();
  }

  return {
    async renew(wanted, signal) {
      if (isStopped || signal?.aborted) throw gone('this node is stopping');
      const keeper = (current ??= start());
      clearTimeout(idle);
      try {
        await keeper.ask(wanted, signal);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => leaveIdle(keeper), idleMs).unref();
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
      if (isLate) log.warn('a provider has not answered yet; the token keeper finishes alone');
      last.abandon();
    },
  };
}

interface KeeperProcess {
  ask: (wanted: Omit<RenewRequest, 'ticket'>, signal: AbortSignal | undefined) => Promise<void>;
  isBusy: () => boolean;
  /** Lets it finish what it has begun, and end. */
  dismiss: () => void;
  /** Does not keep this process alive for it. */
  abandon: () => void;
  ended: Promise<void>;
}

function startProcess(log: Context['log'], env: NodeJS.ProcessEnv | undefined): KeeperProcess {
  // A group of its own: what ends this process and all around it shall not end the keeper.
  const child = fork(program, {
    detached: true,
    execArgv: engineOptions,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(env && { env }),
  });
  const waiting = new Map<number, (answer: RenewAnswer | Error) => void>();
  let tickets = 0;
  let isDismissed = false;
  child.on('error', () => {}); // told to who waits for an answer, or for the end
  child.on('message', (answer: RenewAnswer) => waiting.get(answer.ticket)?.(answer));
  const ended = endOf(child).then((how) => {
    if (!isDismissed) log.warn({ how }, 'the token keeper was lost; another one is started when needed');
    for (const settle of waiting.values()) settle(gone('the token keeper was lost'));
  });
  return {
    ended,
    isBusy: () => waiting.size > 0,
    async ask(wanted, signal) {
      const ticket = (tickets += 1);
      const { promise, resolve } = Promise.withResolvers<RenewAnswer | Error>();
      waiting.set(ticket, resolve);
      const late = setTimeout(() => resolve(gone('the token keeper does not answer')), answerMs);
      const stop = () => resolve(gone('given up on our side'));
      signal?.addEventListener('abort', stop, { once: true });
      child.send({ ticket, ...wanted } satisfies RenewRequest, (error) => {
        if (error) resolve(gone('the token keeper cannot be reached'));
      });
      const answer = await promise;
      signal?.removeEventListener('abort', stop);
      clearTimeout(late);
      waiting.delete(ticket);
      throwFailure(answer);
    },
    dismiss() {
      isDismissed = true;
      if (child.connected) child.disconnect();
    },
    abandon: () => child.unref(),
  };
}

/** How a process ended, or that it could not even be started. */
async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return String(error);
  }
}

function throwFailure(answer: RenewAnswer | Error): void {
  if (answer instanceof Error) throw answer;
  const { failure } = answer;
  if (failure === null) return;
  if (failure === 'unexpected')
    throw new Error('tokens could not be renewed; the log of the keeper says why');
  throw new ProviderFailure(failure.kind, failure.message, { retryAtMs: failure.retryAtMs });
}

/** A provider that was not asked, or whose answer was not heard, has refused nothing. */
function gone(why: string): ProviderFailure {
  return new ProviderFailure('unavailable', why);
}
