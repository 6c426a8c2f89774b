import { describe, expect, test } from 'vitest';
import { positionOffset, positions, priorityOf } from './batch-priority.ts';

/** The first value of the sequence, and one that it reaches after 70 years with a million batches per second. */
const numbers = [1, 2 ** 51];

describe.each(['live', 'history'] as const)('a %s batch', (priority) => {
  const places = numbers.map((number) => positionOffset[priority] + number);

  test('has its priority', () => {
    expect(places.map((position) => priorityOf({ position }))).toEqual([priority, priority]);
  });

  test('has a position that is exact in JavaScript and unchanged since version 0.1', () => {
    for (const position of places) expect(Number.isSafeInteger(position)).toBe(true);
    expect(positionOffset[priority]).toBe(priority === 'live' ? 0 : 4_503_599_627_370_496);
  });

  test.each(['all', 'live', 'history'] as const)('is among the %s positions if they include it', (name) => {
    const { from, to } = positions[name];
    const isIncluded = name === 'all' || name === priority;
    expect(places.map((position) => from <= position && position < to)).toEqual([isIncluded, isIncluded]);
  });
});

test('history sorts after all new data', () => {
  const [first, last] = numbers as [number, number];
  expect(positionOffset.history + first).toBeGreaterThan(positionOffset.live + last);
});
