import { expect, test } from 'vitest';
import { isTooDeep } from './json-body.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('32 levels pass and 33 do not', () => {
  expect(isTooDeep(nested(32))).toBe(false);
  expect(isTooDeep(nested(33))).toBe(true);
  expect(isTooDeep('{"a":'.repeat(33))).toBe(true);
});

test('brackets in strings do not count, and escapes do not end a string', () => {
  expect(isTooDeep(JSON.stringify({ text: '['.repeat(100) }))).toBe(false);
  expect(isTooDeep(JSON.stringify({ text: `\\"${'['.repeat(100)}` }))).toBe(false);
});

test('siblings do not add up', () => {
  expect(isTooDeep(`[${Array.from({ length: 100 }, () => '[]').join(',')}]`)).toBe(false);
});
