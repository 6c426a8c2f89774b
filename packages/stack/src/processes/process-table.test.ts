import { describe, expect, test } from 'vitest';
import { descendantsOf, identify, isAlive, parseStat } from './process-table.ts';

const stat = (state: string): string =>
  `4321 (odd) name) (x) ${state} 17 4321 4321 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 1000 200`;

describe('parseStat', () => {
  test('finds its fields after any command name', () => {
    expect(parseStat(stat('S'))).toEqual({ pid: 4321, parent: 17, started: '987654' });
  });

  test('counts a zombie as dead', () => {
    expect(parseStat(stat('Z'))).toBeUndefined();
  });
});

describe('descendantsOf', () => {
  test('includes children of children and no others', () => {
    const table = [
      { pid: 1, parent: 0, started: '' },
      { pid: 10, parent: 1, started: '' },
      { pid: 11, parent: 10, started: '' },
      { pid: 12, parent: 11, started: '' },
      { pid: 13, parent: 1, started: '' },
    ];
    expect(descendantsOf(10, table)).toEqual([11, 12]);
  });
});

describe('isAlive', () => {
  test('recognizes this process, and treats a reused pid as another process', () => {
    const self = identify(process.pid);
    expect(self?.parent).toBe(process.ppid);
    expect(isAlive({ pid: process.pid, started: self?.started ?? '' })).toBe(true);
    expect(isAlive({ pid: process.pid, started: 'another time' })).toBe(false);
  });
});
