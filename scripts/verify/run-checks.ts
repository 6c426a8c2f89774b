import { spawn } from 'node:child_process';

export interface Check {
  name: string;
  /** The program and its arguments. */
  command: readonly [string, ...string[]];
}

/**
 * Runs checks in parallel, at most `limit` at a time, in the given order. Prints the time of each, and the output of those that fail.
 * Returns the names of the failed checks.
 */
export async function runChecks(
  checks: readonly Check[],
  limit: number,
  print: (text: string) => void,
): Promise<string[]> {
  const waiting = [...checks];
  const failed: string[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now();
      const { code, output } = await run(check.command);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (code === 0) {
        print(`✓ ${check.name} (${seconds} s)`);
        continue;
      }
      failed.push(check.name);
      print(`✗ ${check.name} (${seconds} s)\n${output.trimEnd()}`);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return failed;
}

function run([program, ...parameters]: Check['command']): Promise<{ code: number | null; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>();
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => resolve({ code: null, output: error.message }));
  child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  return promise;
}
