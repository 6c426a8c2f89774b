/**
 * Runs commands of `tributary` one after the other, as its parent sends them. Loading the program takes a command longer than its work, so tests
 * share a process that has loaded it.
 */
import { createProgram } from '../cli/program.ts';

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
// Commands leave connections behind that only the end of a process closes.
process.once('disconnect', () => reallyExit());
// What goes wrong beside the command ends the process, as it would end the real one.
process.on('message', ({ args, env }: Command) => {
  void run(args, env).then((ended) => process.send!(ended));
});

async function run(args: string[], env: Record<string, string>): Promise<Ended> {
  const ended: Ended = { code: 0, stdout: '', stderr: '' };
  let isOver = false;
  const collect = (name: 'stdout' | 'stderr') => {
    process[name].write = (text: string | Uint8Array) => {
      // The real process would be gone.
      if (!isOver) ended[name] += String(text);
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
    throw new Error('this is where the process ends');
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
