import { expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

function afterFailures(count: number, now = 0): Breaker {
  const breaker = new Breaker();
  for (let at = 0; at < count; at += 1) breaker.failed(now);
  return breaker;
}

test('stays closed after a few consecutive failures', () => {
  expect(afterFailures(4)).toMatchObject({ isOpen: false, pausedUntil: 0 });
});

test('pauses from the fifth failure on, doubling each pause up to one minute', () => {
  const pauses = [5, 6, 7, 8, 9, 10, 11, 12, 50].map(
    (count) => afterFailures(count, 1_000).pausedUntil - 1_000,
  );
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('closes after one success', () => {
  const breaker = afterFailures(12, 1_000);
  breaker.succeeded();
  expect(breaker).toMatchObject({ isOpen: false, pausedUntil: 0 });
  breaker.failed(2_000);
  expect(breaker.isOpen).toBe(false);
});
