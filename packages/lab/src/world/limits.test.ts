import { expect, test } from 'vitest';
import { keepLimits } from './limits.ts';
import type { LimitRule } from '../provider.ts';

const perUser: LimitRule = { calls: 3, windowSeconds: 60, per: 'user' };
const perApp: LimitRule = { calls: 5, windowSeconds: 3600, per: 'app', aligned: true };

function start(now: number) {
  const clock = { now };
  const exceeded: LimitRule[] = [];
  const storm = { on: false };
  const limits = keepLimits({
    now: () => clock.now,
    isStruck: () => storm.on,
    onExceeded: (rule) => exceeded.push(rule),
  });
  return {
    clock,
    exceeded,
    storm,
    take: (user = 'u1', app = 'a1', rules = [perUser]) => limits.take(rules, app, user),
  };
}

test('allows exactly the given number of calls, counted from the first', () => {
  const { clock, exceeded, take } = start(61_000);
  expect([take(), take(), take(), take()].map(([state]) => [state!.used, state!.exceeded])).toEqual([
    [1, false],
    [2, false],
    [3, false],
    [3, true],
  ]);
  expect(exceeded.length).toBe(1);
  clock.now = 61_000 + 59_999;
  expect(take()[0]).toMatchObject({ exceeded: true, resetAtMs: 121_000 });
  clock.now = 121_000;
  expect(take()[0]).toMatchObject({ exceeded: false, used: 1, resetAtMs: 181_000 });
});

test('ends aligned windows at multiples of their length', () => {
  const { clock, take } = start(3_599_000);
  expect(take('u1', 'a1', [perApp])[0]).toMatchObject({ used: 1, resetAtMs: 3_600_000 });
  clock.now = 3_600_000;
  expect(take('u1', 'a1', [perApp])[0]).toMatchObject({ used: 1, resetAtMs: 7_200_000 });
});

test('gives users their own windows and lets them share those of the app', () => {
  const { take } = start(0);
  const rules = [perUser, perApp];
  for (let n = 0; n < 3; n += 1) take('u1', 'a1', rules);
  expect(take('u2', 'a1', rules).map(({ used }) => used)).toEqual([1, 4]);
  expect(take('u2', 'a2', rules).map(({ used }) => used)).toEqual([1, 1]);
});

test('uses up no other limit when a call exceeds one', () => {
  const { take } = start(0);
  const rules = [perUser, perApp];
  for (let n = 0; n < 10; n += 1) take('u1', 'a1', rules);
  expect(take('u2', 'a1', rules).map(({ used, exceeded }) => [used, exceeded])).toEqual([
    [1, false],
    [4, false],
  ]);
});

test('rejects a call while the fault applies, without using up or exceeding a limit', () => {
  const { storm, exceeded, take } = start(0);
  storm.on = true;
  expect(take()[0]).toMatchObject({ exceeded: true, used: 3 });
  storm.on = false;
  expect(take()[0]).toMatchObject({ exceeded: false, used: 1 });
  expect(exceeded).toEqual([]);
});
