import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from './errors.ts';
import type { Guard } from './guard.ts';
import { openLog, tailLog, type LogPosition } from './log-file.ts';
import { sendSignal, signalTree } from './process-table.ts';
import type { SystemUser } from './system-user.ts';

/** What every process of one stack shares. */
export interface Supervision {
  dir: string;
  guard: Guard;
  /** Aborted to give up a start: nothing is spawned from then on. */
  signal: AbortSignal;
  /** Aborted to end what runs at once, without time to finish. */
  hurry: AbortSignal;
  onUnexpectedExit: (exit: UnexpectedExit) => void;
}

export interface UnexpectedExit {
  name: string;
  /** How it ended, for people: "exit code 1", "signal SIGKILL". */
  reason: string;
  logFile: string;
  lastLines: string;
}

export interface Launch {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  user?: SystemUser | undefined;
  stopSignal?: NodeJS.Signals;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly process: ChildProcess;
  readonly log: LogPosition;
  readonly exited: Promise<Exit>;
  readonly exit: Exit | null;
}

/** Starts a process in a group of its own, so that Ctrl-C in a terminal reaches the stack alone. */
export async function spawnChild(
  { dir, guard, signal }: Supervision,
  { name, command, args, env, cwd, user, stopSignal = 'SIGTERM' }: Launch,
  { pipe = false }: { pipe?: boolean } = {},
): Promise<Child> {
  signal.throwIfAborted();
  const log = openLog(dir, name);
  const stdio: StdioOptions = pipe ? ['pipe', 'pipe', log.fd] : ['ignore', log.fd, log.fd];
  const process = spawn(command, args, { cwd: cwd ?? dir, env, detached: true, stdio, ...user });
  closeSync(log.fd);
  const { pid } = process;
  if (pid === undefined) {
    const [error] = await once(process, 'error');
    throw new StackError(`${name} could not be started: ${String(error)}`);
  }
  guard.watch(pid, stopSignal);
  let exit: Exit | null = null;
  const exited = new Promise<Exit>((resolve) => {
    process.once('exit', (code, exitSignal) => {
      guard.forget(pid, stopSignal);
      exit = { code, signal: exitSignal };
      resolve(exit);
    });
  });
  return {
    name,
    pid,
    process,
    log,
    exited,
    get exit() {
      return exit;
    },
  };
}

/** Asks a process to end, and ends it after the time of grace or when in a hurry. */
export async function terminate(
  child: Child,
  { signal, graceMs, hurry }: { signal: NodeJS.Signals; graceMs: number; hurry: AbortSignal },
): Promise<void> {
  if (child.exit !== null) return;
  // A process that was stopped with SIGSTOP could not hear the request.
  signalTree(child.pid, 'SIGCONT');
  sendSignal(child.pid, signal);
  const ended = new AbortController();
  const grace = sleep(graceMs, undefined, { signal: AbortSignal.any([ended.signal, hurry]) }).catch(() => {});
  await Promise.race([child.exited, grace]);
  ended.abort();
  if (child.exit === null) signalTree(child.pid, 'SIGKILL');
  await child.exited;
}

export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

export function describeUnexpectedExit({ name, exit, log }: Child): UnexpectedExit {
  const reason = exit === null ? 'still running' : describeExit(exit);
  return { name, reason, logFile: log.file, lastLines: tailLog(log) };
}

export function renderUnexpectedExit({ name, reason, logFile, lastLines }: UnexpectedExit): string {
  return `${name} ended by itself (${reason}). The last lines of ${logFile}:\n${indentLines(lastLines)}`;
}

/** Log lines set off from the message around them. */
export function indentLines(lines: string): string {
  return lines === '' ? '  (it wrote nothing)' : lines.replaceAll(/^/gm, '  ');
}
