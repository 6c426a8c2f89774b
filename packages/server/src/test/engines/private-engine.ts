import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A folder with configuration, secrets and certificates of a test. */
export interface TestFolder extends Disposable {
  /** Writes a file, in one step as Kubernetes does, and returns its path. */
  write(name: string, text: string): string;
  path(name: string): string;
}

export function createTestFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-engine-'));
  return {
    path: (name) => join(folder, name),
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      return path;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server with its own configuration, for tests that need other settings than the shared engines. */
interface PrivateEngine extends AsyncDisposable {
  readonly port: number;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
}

/** Starts a server that is ready when it accepts connections. */
export async function startPrivateEngine(
  program: string,
  args: readonly string[],
  port: number,
): Promise<PrivateEngine> {
  const env = { PATH: `${process.env['PATH']}:/usr/sbin`, LC_ALL: 'C' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4_000)));
  const exited = once(child, 'exit').catch((error: Error) => void (output = error.message));
  while (!(await accepts(port))) {
    if (hasEnded(child)) throw new Error(`${program} did not start: ${output}`);
    await sleep(20);
  }
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { port, signal: (signal) => void child.kill(signal), kill, [Symbol.asyncDispose]: kill };
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
