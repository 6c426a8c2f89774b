import { expect, test } from 'vitest';
import { isTooDeep } from './json-body.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('accepts 32 levels and rejects 33', () => {
  expect(isTooDeep(nested(32))).toBe(false);
  expect(isTooDeep(nested(33))).toBe(true);
  expect(isTooDeep('{"a":'.repeat(33))).toBe(true);
});

test('ignores brackets in strings, and escapes do not end a string', () => {
  expect(isTooDeep(JSON.stringify({ text: '['.repeat(100) }))).toBe(false);
  expect(isTooDeep(JSON.stringify({ text: `\\"${'['.repeat(100)}` }))).toBe(false);
});

test('does not add up siblings', () => {
  expect(isTooDeep(`[${Array.from({ length: 100 }, () => '[]').join(',')}]`)).toBe(false);
});
