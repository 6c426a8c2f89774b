import { expect, test } from 'vitest';
import { machineShares, parseMachineTime, probeSpeed, processorMicrosOf } from './machine.ts';

const stat = 'cpu  100 5 50 700 20 1 4 20 3 0\ncpu0 50 2 25 350 10 0 2 10 1 0\nintr 7\n';

test('reads total, idle and steal of all cores and counts guests once', () =>
  expect(parseMachineTime(stat)).toEqual({ total: 900, idle: 720, steal: 20 }));

test('computes shares of the time between two readings', () =>
  expect(machineShares({ total: 900, idle: 720, steal: 20 }, { total: 1100, idle: 770, steal: 70 })).toEqual({
    steal: 0.25,
    idle: 0.25,
  }));

test.runIf(process.platform === 'linux')('counts the processor time of a process', () => {
  const before = processorMicrosOf(process.pid);
  const startedAt = performance.now();
  const until = process.cpuUsage().user + 60_000;
  while (process.cpuUsage().user < until && performance.now() - startedAt < 20_000);
  expect(processorMicrosOf(process.pid) - before).toBeGreaterThan(40_000);
});

test('takes time for every step of the probe', () => {
  const speeds = Array.from({ length: 5 }, probeSpeed);
  expect(Math.max(...speeds)).toBeGreaterThan(0.1);
  expect(Math.max(...speeds)).toBeLessThan(1000);
});
