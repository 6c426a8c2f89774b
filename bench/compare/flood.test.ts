import { expect, test } from 'vitest';
import { KeyRotation, leastGapMs } from './flood.ts';

function keysUsed(gapMs: number, requests: number): number[] {
  const rotation = new KeyRotation(100);
  return Array.from({ length: requests }, (_, sent) => rotation.next(sent * gapMs)!.key);
}

test('uses few keys on a slow machine and many on a fast one', () => {
  expect(new Set(keysUsed(20, 50)).size).toBe(1);
  expect(new Set(keysUsed(1, 500)).size).toBe(leastGapMs);
});

test('reuses no key before it has rested', () => {
  const lastAt = new Map<number, number>();
  for (const [sent, key] of keysUsed(0.7, 2000).entries()) {
    const at = sent * 0.7;
    expect(at - (lastAt.get(key) ?? -Infinity)).toBeGreaterThanOrEqual(leastGapMs);
    lastAt.set(key, at);
  }
});

test('counts how often a key was chosen, and returns null while all rest', () => {
  const rotation = new KeyRotation(1);
  expect(rotation.next(0)).toEqual({ key: 0, uses: 0 });
  expect(rotation.next(leastGapMs - 1)).toBeNull();
  expect(rotation.next(leastGapMs)).toEqual({ key: 0, uses: 1 });
});
