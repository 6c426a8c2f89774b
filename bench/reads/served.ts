import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RawRequest } from '@tributary/rig';
import { processorMicrosOf } from '../compare/machine.ts';
import { floodLightly } from './flood.ts';

/** A serving process, and the processor time per response, by list of requests and round. */
export interface Served {
  url: string;
  pid: number;
  used: Map<readonly RawRequest[], number[]>;
}

/** Starts a bare engine. `program` is a file in the bench folder. */
export async function startBare(
  databaseUrl: string,
  poolSize: number,
  program = 'reads/bare.ts',
): Promise<Served & Disposable> {
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [file, databaseUrl, String(poolSize)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // An interrupted or failed run disposes of nothing.
  const killAtExit = (): void => void child.kill();
  process.once('exit', killAtExit);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url,
    pid: child.pid!,
    used: new Map(),
    [Symbol.dispose]() {
      process.off('exit', killAtExit);
      child.kill();
    },
  };
}

/** Responses per second, and the processor time that the serving process used for them. `sent` limits it to some of the requests. */
export async function flood(
  { url, pid, used }: Served,
  requests: readonly RawRequest[],
  seconds: number,
  { status = 200, connections = 24, sent = requests } = {},
): Promise<number> {
  const before = processorMicrosOf(pid);
  const { responseCount, perSecond } = await floodLightly(url, sent, { seconds, connections, status });
  used.set(requests, [...(used.get(requests) ?? []), (processorMicrosOf(pid) - before) / responseCount]);
  return perSecond;
}

/** The peak memory of a process while `work` runs, in megabytes. */
export async function peakMemory({ pid }: Served, work: () => Promise<unknown>): Promise<number> {
  await sleep(500);
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  await work();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** Throws unless both return the same bytes. */
export async function assertSame(
  api: Served,
  ours: RawRequest,
  bare: Served,
  theirs: RawRequest,
): Promise<void> {
  const [a, b] = await Promise.all([
    fetch(api.url + ours.path, { headers: ours.headers ?? {} }),
    fetch(bare.url + theirs.path),
  ]);
  const [one, other] = [await a.text(), await b.text()];
  if (a.status !== 200 || one !== other || one.length < 100)
    throw new Error(`The responses differ: ${one.slice(0, 300)} and ${other.slice(0, 300)}`);
}
