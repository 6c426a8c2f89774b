import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

export interface ProcessEntry {
  pid: number;
  parent: number;
  /** Distinguishes a process from a later one with the same pid. */
  started: string;
}

/** Every process on this machine. */
function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

/** A pid with its start time, or undefined if no such process is alive. */
export function identify(pid: number): ProcessEntry | undefined {
  return listProcesses().find((entry) => entry.pid === pid);
}

export function isAlive(known: Pick<ProcessEntry, 'pid' | 'started'>): boolean {
  return identify(known.pid)?.started === known.started;
}

/** The children of a process, their children, and so on. */
export function descendantsOf(pid: number, processes: readonly ProcessEntry[] = listProcesses()): number[] {
  const children = processes.filter((entry) => entry.parent === pid).map((entry) => entry.pid);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Already gone, so the signal is not needed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Signals a process and all its descendants, because PostgreSQL puts each backend in its own process group. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const target of [pid, ...descendantsOf(pid)]) sendSignal(target, signal);
}

function listFromProc(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readStat(name);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function readStat(pid: string): ProcessEntry | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It exited while the table was read.
    return undefined;
  }
}

/** Parses one /proc/PID/stat line. Zombies count as dead. */
export function parseStat(stat: string): ProcessEntry | undefined {
  // The command name is in parentheses and may itself contain spaces and parentheses.
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), started: rest[17] ?? '' };
}

function listFromPs(): ProcessEntry[] {
  const output = execFileSync('ps', ['-axo', 'pid=,ppid=,lstart='], { encoding: 'utf8' });
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, started] = /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    return started === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), started }];
  });
}
