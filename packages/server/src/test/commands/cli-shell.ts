/**
 * Runs `tributary` commands one after the other, as its parent sends them. Loading the program takes longer than running a command, so
 * tests share a process that has loaded it.
 */
import { createProgram } from '../../cli/program.ts';

export interface Command {
  args: string[];
  env: Record<string, string>;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const reallyExit = process.exit.bind(process);
// Commands leave connections open that close only when the process exits.
process.once('disconnect', () => reallyExit());
// An error outside the command ends the process, as it would end the real one.
process.on('message', ({ args, env }: Command) => {
  void run(args, env).then((ended) => process.send!(ended));
});

async function run(args: string[], env: Record<string, string>): Promise<Ended> {
  const ended: Ended = { code: 0, stdout: '', stderr: '' };
  let isOver = false;
  const collect = (name: 'stdout' | 'stderr') => {
    process[name].write = (text: string | Uint8Array, ...rest: unknown[]) => {
      // The real process would have exited.
      if (!isOver) ended[name] += String(text);
      const onWritten = rest.at(-1);
      if (typeof onWritten === 'function') onWritten();
      return true;
    };
  };
  collect('stdout');
  collect('stderr');
  process.env = env;
  process.exitCode = undefined;
  process.exit = (code = process.exitCode ?? 0) => {
    if (!isOver) ended.code = Number(code);
    isOver = true;
    throw new Error('process.exit was called');
  };
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    process.exit();
  } catch (error) {
    if (!isOver) throw error;
  }
  process.exitCode = undefined;
  return ended;
}
