import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startClock } from './clock.ts';

test('stands still until it is moved, and only moves forward', async () => {
  const clock = startClock(1000);
  await sleep(5);
  expect(clock.now()).toBe(1000);
  await clock.advance(500);
  expect(clock.now()).toBe(1500);
  await expect(clock.moveTo(1499)).rejects.toThrow('only moves forward');
  await clock.moveTo(1600);
  expect(clock.now()).toBe(1600);
});

test('keeps the time of receivers when it is moved ahead of real time', async () => {
  const clock = startClock();
  try {
    await clock.advance(20 * 3_600_000);
    expect(clock.now() - Date.now()).toBeGreaterThan(19 * 3_600_000);
    expect(Math.abs(clock.receiverNow() - Date.now())).toBeLessThan(1000);
  } finally {
    clock.stop();
  }
  const still = startClock(1000);
  await still.advance(500);
  expect(still.receiverNow()).toBe(1500);
});

test('runs due tasks in order, each at its time', async () => {
  const clock = startClock(0);
  const done: [string, number][] = [];
  const put = (name: string, at: number) =>
    clock.at(at, async () => {
      await sleep(1);
      done.push([name, clock.now()]);
    });
  put('late', 300);
  put('early', 100);
  put('first of two', 200);
  put('second of two', 200);
  put('never', 1001);
  clock.at(100, async () => put('from within', 250));
  await clock.moveTo(1000);
  expect(done).toEqual([
    ['early', 100],
    ['first of two', 200],
    ['second of two', 200],
    ['from within', 250],
    ['late', 300],
  ]);
});

test('notifies listeners before each move, once per period', async () => {
  const clock = startClock(0);
  const moves: [number, number][] = [];
  clock.onMove((from, to) => {
    moves.push([from, to]);
    clock.at(to - 1, async () => void moves.push([clock.now(), -1]));
  });
  await Promise.all([clock.moveTo(10), clock.moveTo(20)]);
  expect(moves).toEqual([
    [0, 10],
    [9, -1],
    [10, 20],
    [19, -1],
  ]);
});

test('continues after a failed task and reports the failure to the caller', async () => {
  const clock = startClock(0);
  clock.at(1, async () => {
    throw new Error('broken');
  });
  let done = false;
  clock.at(2, async () => {
    done = true;
  });
  await expect(clock.advance(3)).rejects.toThrow('broken');
  expect([done, clock.now()]).toEqual([true, 3]);
  await clock.advance(1);
});

test('follows real time without a start time, and can still be moved', async () => {
  const clock = startClock();
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(100);
  await clock.advance(3_600_000);
  const moved = clock.now();
  expect(moved - Date.now()).toBeGreaterThan(3_599_000);
  let due = false;
  clock.at(moved + 10, async () => {
    due = true;
  });
  await sleep(1300);
  expect(clock.now()).toBeGreaterThan(moved + 1000);
  expect(due).toBe(true);
  clock.stop();
});
