import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Prints the given number of pieces under this name. */
async function print(name: string, pieces: number, log: string[]): Promise<void> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    await yieldToEventLoop();
    log.push(`${name}${piece}`);
  }
}

test('alternates between writers, longest waiting first', async () => {
  const log: string[] = [];
  await Promise.all([print('a', 3, log), print('b', 1, log), print('c', 2, log)]);
  expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('prints one piece per event loop iteration, regardless of the number of writers', async () => {
  const log: string[] = [];
  const printing = Array.from({ length: 20 }, (_, at) => print(`${at}:`, 2, log));
  const printed: number[] = [];
  while (log.length < 40) {
    const before = log.length;
    await nextLoopTurn();
    printed.push(log.length - before);
  }
  await Promise.all(printing);
  expect(Math.max(...printed)).toBe(1);
});

test('admits a writer again after a pause', async () => {
  const log: string[] = [];
  await print('a', 1, log);
  await nextLoopTurn();
  await print('b', 1, log);
  expect(log).toEqual(['a1', 'b1']);
});
