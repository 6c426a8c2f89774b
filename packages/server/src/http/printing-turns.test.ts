import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nextPrintingTurn } from './printing-turns.ts';

/** Prints so many pieces under this name. */
async function print(name: string, pieces: number, log: string[]): Promise<void> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    await nextPrintingTurn();
    log.push(`${name}${piece}`);
  }
}

test('those who print go by turns, whoever waited longest first', async () => {
  const log: string[] = [];
  await Promise.all([print('a', 3, log), print('b', 1, log), print('c', 2, log)]);
  expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('one piece is printed in a turn of the event loop, however many print', async () => {
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

test('who comes after a pause gets a turn again', async () => {
  const log: string[] = [];
  await print('a', 1, log);
  await nextLoopTurn();
  await print('b', 1, log);
  expect(log).toEqual(['a1', 'b1']);
});
