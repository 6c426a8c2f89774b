import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('limits concurrency and runs the rest in order, also after a failure', async () => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (number: number) => async () => {
    begun.push(number);
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    if (number % 3 === 0) throw new Error(`${number} failed`);
    return number;
  };
  const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => semaphore(work(at))));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(2);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
  expect(await semaphore(work(8))).toBe(8);
});

test('refuses a task when the queue is full', async () => {
  const semaphore = createSemaphore(1, { mostWaiting: 1, createRefusal: () => new Error('too many') });
  const { promise, resolve } = Promise.withResolvers<void>();
  const tasks = [semaphore(() => promise), semaphore(() => promise)];
  await expect(semaphore(() => promise)).rejects.toThrow('too many');
  resolve();
  await Promise.all(tasks);
  expect(await semaphore(async () => 'again')).toBe('again');
});
