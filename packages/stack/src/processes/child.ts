import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from '../errors.ts';
import type { Guard } from './guard.ts';
import { openLog, tailLog, type LogPosition } from './log-file.ts';
import { sendSignal, signalTree } from './process-table.ts';
import type { SystemUser } from '../engines/system-user.ts';

/** State shared by all processes of one stack. */
export interface Supervision {
  dir: string;
  guard: Guard;
  /** Aborted to cancel a start. Nothing is spawned from then on. */
  signal: AbortSignal;
  /** Aborted to kill running processes at once, without a grace period. */
  hurry: AbortSignal;
  onUnexpectedExit: (exit: UnexpectedExit) => void;
}

export interface UnexpectedExit {
  name: string;
  /** How it ended, for display: "exit code 1", "signal SIGKILL". */
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

/** Starts a process in its own group, so that Ctrl-C in a terminal reaches only the stack. */
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
    throw new StackError(`${name} failed to start: ${String(error)}`);
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

/** Asks a process to exit, and kills it after the grace period or when hurried. */
export async function terminate(
  child: Child,
  { signal, graceMs, hurry }: { signal: NodeJS.Signals; graceMs: number; hurry: AbortSignal },
): Promise<void> {
  if (child.exit !== null) return;
  // A process paused with SIGSTOP cannot handle the signal.
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
  return `${name} exited unexpectedly (${reason}). Last lines of ${logFile}:\n${indentLines(lastLines)}`;
}

/** Log lines indented to set them off from the message. */
export function indentLines(lines: string): string {
  return lines === '' ? '  (no output)' : lines.replaceAll(/^/gm, '  ');
}
