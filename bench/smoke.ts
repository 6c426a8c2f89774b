/**
 * Runs the short form of every benchmark that can share a stack, one after another on one stack. It shows that they work and that nothing
 * is several times slower. Published figures come from the full forms, each on its own stack.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sharing } from './smoke/sharing.ts';
import { progress, renderTable, shareStack, startRunStack } from '@tributary/rig';

await using run = await startRunStack(['api', 'ingest', 'jobs'], {
  LOG_LEVEL: 'warn',
  DATABASE_POOL_SIZE: '10',
});
const env = { ...process.env, ...shareStack(run.stack) };
const rows: string[][] = [];
for (const name of sharing) {
  const startedAt = performance.now();
  // The machine may be shared, so a benchmark with a broken bound runs once more.
  const isWithinBounds = (await measure(name)) || (await measure(name));
  if (!isWithinBounds) process.exitCode = 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  rows.push([name, `${seconds} s`, isWithinBounds ? 'kept' : 'BROKEN']);
}
console.log(`\nShort benchmarks on one stack\n\n${renderTable(['benchmark', 'time', 'result'], rows)}`);

/** Runs the short form of one benchmark. Returns false if a bound was broken. */
async function measure(name: string): Promise<boolean> {
  progress(`bench:${name}`);
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, '--short'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
