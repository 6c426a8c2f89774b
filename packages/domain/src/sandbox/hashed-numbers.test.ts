import { describe, expect, test } from 'vitest';
import { normal, shortHash, uniform } from './hashed-numbers.ts';

describe('hashed numbers', () => {
  test('are those that the same key gives in other languages', () => {
    expect(uniform('demo|1')).toBe(0.3795871488574054);
    expect(normal('demo|1')).toBeCloseTo(-0.0614598116, 9);
  });

  test('read a key as UTF-8, however long it is', () => {
    expect(uniform('Zoë|1')).toBe(0.732188130852607);
    expect(uniform('k'.repeat(400))).toBe(0.5160588993018693);
    expect(uniform('demo|1')).toBe(0.3795871488574054);
  });

  test('spread as they should', () => {
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

test('a short hash keeps its leading zeros', () => {
  expect(shortHash('abc')).toBe('ba7816bf');
  expect(shortHash('user-399')).toBe('0004316f');
});
