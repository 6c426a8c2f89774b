import { describe, expect, test } from 'vitest';
import { normal, shortHash, uniform } from './hashed-numbers.ts';

describe('hashed numbers', () => {
  test('match the numbers that other languages derive from the same key', () => {
    expect(uniform('demo|1')).toBe(0.3795871488574054);
    expect(normal('demo|1')).toBeCloseTo(-0.0614598116, 9);
  });

  test('are computed from keys of any length in UTF-8', () => {
    expect(uniform('Zoë|1')).toBe(0.732188130852607);
    expect(uniform('k'.repeat(400))).toBe(0.5160588993018693);
    expect(uniform('demo|1')).toBe(0.3795871488574054);
  });

  test('follow the expected distributions', () => {
    const uniforms = Array.from({ length: 4000 }, (_, at) => uniform(`spread|${at}`));
    const normals = Array.from({ length: 4000 }, (_, at) => normal(`spread|${at}`));
    const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    expect(Math.min(...uniforms)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...uniforms)).toBeLessThan(1);
    expect(mean(uniforms)).toBeCloseTo(0.5, 1);
    expect(mean(normals)).toBeCloseTo(0, 1);
    expect(mean(normals.map((one) => one ** 2))).toBeCloseTo(1, 1);
  });
});

test('keeps leading zeros in a short hash', () => {
  expect(shortHash('abc')).toBe('ba7816bf');
  expect(shortHash('user-399')).toBe('0004316f');
});
