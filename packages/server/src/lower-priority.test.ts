import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const code = `
  import { readFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  import { lowerPriority } from ${JSON.stringify(new URL('lower-priority.ts', import.meta.url).href)};
  lowerPriority();
  parentPort.postMessage(readFileSync('/proc/thread-self/stat', 'utf8'));`;

/** The nice value in the state of a thread. */
const nicenessIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]);

test.runIf(process.platform === 'linux')(
  'lowers the priority of the calling thread, and of no other',
  async () => {
    const before = nicenessIn(await readFile(`/proc/self/task/${process.pid}/stat`, 'utf8'));
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    const [stat] = (await once(worker, 'message')) as [string];
    await worker.terminate();
    expect(nicenessIn(stat)).toBe(before + 5);
    expect(nicenessIn(await readFile(`/proc/self/task/${process.pid}/stat`, 'utf8'))).toBe(before);
  },
);
