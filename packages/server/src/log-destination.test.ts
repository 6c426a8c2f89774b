import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogDestination, requestMessage } from './log-destination.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const writes: string[] = [];
  const log = pino(
    { base: null, timestamp: false },
    createLogDestination({ write: (text) => void writes.push(text) }),
  );
  return { log, writes };
}

const linesIn = (writes: readonly string[]) =>
  writes
    .join('')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { at: number }).at);

test('writes the lines of requests together, after a short time', () => {
  const { log, writes } = open();
  for (let at = 0; at < 5; at += 1) log.info({ at }, requestMessage);
  expect(writes).toEqual([]);
  vi.advanceTimersByTime(250);
  expect(writes).toHaveLength(1);
  expect(linesIn(writes)).toEqual([0, 1, 2, 3, 4]);
  vi.advanceTimersByTime(1_000);
  expect(writes).toHaveLength(1);
});

test('writes every other line at once, after the lines before it', () => {
  const { log, writes } = open();
  log.info({ at: 0 }, requestMessage);
  log.warn({ at: 1 }, 'something else');
  expect(linesIn(writes)).toEqual([0, 1]);
});

test('holds a bounded number of lines', () => {
  const { log, writes } = open();
  for (let at = 0; at < 2_000; at += 1) log.info({ at }, requestMessage);
  expect(writes.length).toBeGreaterThan(2);
  expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(17_000);
  vi.advanceTimersByTime(250);
  expect(linesIn(writes)).toEqual(Array.from({ length: 2_000 }, (_, at) => at));
});
