import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Pace, WorkLimitError } from './pace.ts';

function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('yields to timers every few milliseconds', async () => {
  const pace = new Pace();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  for (let step = 0; step < 100; step += 1) {
    compute(1);
    await pace.pause();
  }
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

test('ends work at its limit of CPU time, but not while it waits', async () => {
  const pace = new Pace({ cpuMs: 60 });
  await sleep(200);
  await pace.pause();
  const before = process.threadCpuUsage();
  while (process.threadCpuUsage(before).user < 100_000);
  await expect(pace.pause()).rejects.toThrow(WorkLimitError);
});

test('ends work at its time limit', async () => {
  const pace = new Pace({ limitMs: 30 });
  await pace.pause();
  await sleep(40);
  await expect(pace.pause()).rejects.toThrow(WorkLimitError);
});

test('reports long work once', async () => {
  let reports = 0;
  const pace = new Pace({ onLong: async () => void (reports += 1) });
  compute(20);
  await pace.pause();
  expect(reports).toBe(0);
  await sleep(500);
  for (let step = 0; step < 3; step += 1) {
    compute(10);
    await pace.pause();
  }
  expect(reports).toBe(1);
});
