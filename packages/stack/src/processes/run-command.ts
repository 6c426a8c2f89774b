import { text } from 'node:stream/consumers';
import { describeExit, indentLines, spawnChild, type Launch, type Supervision } from './child.ts';
import { StackError } from '../errors.ts';
import { tailLog } from './log-file.ts';
import { signalTree } from './process-table.ts';

interface RunOptions {
  input?: string;
  timeoutMs?: number;
}

/** Runs a command to completion and returns its output. Its standard error goes to its log. */
export async function runCommand(
  supervision: Supervision,
  launch: Launch,
  { input = '', timeoutMs = 120_000 }: RunOptions = {},
): Promise<string> {
  const child = await spawnChild(supervision, launch, { pipe: true });
  const { stdin, stdout } = child.process;
  // A command that exits without reading its input reports that by its exit code.
  stdin?.on('error', () => {});
  stdin?.end(input);
  const timeout = AbortSignal.timeout(timeoutMs);
  const giveUp = AbortSignal.any([supervision.signal, timeout]);
  const kill = (): void => signalTree(child.pid, 'SIGKILL');
  giveUp.addEventListener('abort', kill);
  const [exit, printed] = await Promise.all([child.exited, stdout === null ? '' : text(stdout)]);
  giveUp.removeEventListener('abort', kill);

  supervision.signal.throwIfAborted();
  if (exit.code === 0) return printed;
  const reason = timeout.aborted ? `timed out after ${timeoutMs / 1000} s` : describeExit(exit);
  const lines = tailLog(child.log) || printed.trimEnd().split('\n').slice(-15).join('\n');
  throw new StackError(`${launch.name} failed (${reason}):\n${indentLines(lines)}`);
}
