import {
  describeExit,
  describeUnexpectedExit,
  indentLines,
  spawnChild,
  terminate,
  type Child,
  type Launch,
  type Supervision,
} from '../processes/child.ts';
import { StackError } from '../errors.ts';
import { tailLog } from '../processes/log-file.ts';
import { sendSignal, signalTree } from '../processes/process-table.ts';
import { waitUntil } from '../processes/wait-until.ts';

const FATAL_SIGNALS = new Set<NodeJS.Signals>([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGHUP',
  'SIGABRT',
]);
const WHOLE_TREE_SIGNALS = new Set<NodeJS.Signals>(['SIGKILL', 'SIGSTOP', 'SIGCONT']);

/** A process that can be stopped, killed, paused and started again. */
export interface Service {
  readonly name: string;
  /** The running process, or undefined. */
  readonly pid: number | undefined;
  /** Starts it unless it runs, and waits until it is ready. */
  start: () => Promise<void>;
  /** Stops it gracefully, or by force after a grace period. */
  stop: () => Promise<void>;
  /** Sends a signal. SIGKILL, SIGSTOP and SIGCONT reach its child processes too. */
  signal: (signal: NodeJS.Signals) => void;
}

export interface ServiceOptions {
  launch: Launch;
  isReady: (pid: number) => Promise<boolean>;
  readyTimeoutMs: number;
  graceMs: number;
  /** Whether a start that failed with these log lines should be retried. */
  isPassing?: (lastLines: string) => boolean;
}

export function createService(supervision: Supervision, options: ServiceOptions): Service {
  const { launch, isReady, readyTimeoutMs, graceMs, isPassing = () => false } = options;
  const { name, stopSignal = 'SIGTERM' } = launch;
  let child: Child | undefined;
  let endExpected = false;

  async function start(): Promise<void> {
    if (child?.exit === null && !endExpected) return;
    await child?.exited;
    const deadline = performance.now() + readyTimeoutMs;
    while (!(await attempt(deadline)))
      await waitUntil(() => false, { timeoutMs: 200, signal: supervision.signal });
  }

  async function attempt(deadline: number): Promise<boolean> {
    const started = await spawnChild(supervision, launch);
    child = started;
    endExpected = false;
    let ready = false;
    void started.exited.then(() => {
      if (ready && !endExpected) supervision.onUnexpectedExit(describeUnexpectedExit(started));
    });
    ready = await waitUntil(async () => started.exit !== null || (await isReady(started.pid)), {
      timeoutMs: deadline - performance.now(),
      signal: supervision.signal,
    });
    if (started.exit === null && ready) return true;
    ready = false;
    const lastLines = tailLog(started.log);
    if (started.exit !== null && isPassing(lastLines) && performance.now() < deadline) return false;
    const reason =
      started.exit === null ? `not ready after ${readyTimeoutMs / 1000} s` : describeExit(started.exit);
    throw new StackError(
      `${name} did not start (${reason}). Last lines of ${started.log.file}:\n${indentLines(lastLines)}`,
    );
  }

  async function stop(): Promise<void> {
    endExpected = true;
    if (child !== undefined)
      await terminate(child, { signal: stopSignal, graceMs, hurry: supervision.hurry });
  }

  function signal(sent: NodeJS.Signals): void {
    if (child === undefined || child.exit !== null) throw new StackError(`${name} is not running.`);
    if (FATAL_SIGNALS.has(sent)) endExpected = true;
    if (WHOLE_TREE_SIGNALS.has(sent)) signalTree(child.pid, sent);
    else sendSignal(child.pid, sent);
  }

  return {
    name,
    get pid() {
      return child?.exit === null ? child.pid : undefined;
    },
    start,
    stop,
    signal,
  };
}
