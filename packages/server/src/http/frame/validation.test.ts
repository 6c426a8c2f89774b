import { expect, test } from 'vitest';
import { convertQuery } from './validation.ts';

const typed = [
  ['limit', 'integer'],
  ['flag', 'boolean'],
] as const;

test.each([
  ['5', 5],
  ['-3', -3],
  ['007', 7],
  ['1e3', '1e3'],
  ['0x10', '0x10'],
  ['1.5', '1.5'],
  ['', ''],
  [' 5', ' 5'],
  ['9'.repeat(16), '9'.repeat(16)],
])('converts the integer %j to %j', (input, expected) => {
  const query: Record<string, unknown> = { limit: input };
  convertQuery(query, typed);
  expect(query['limit']).toBe(expected);
});

test.each([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['False', false],
  ['fAlSe', false],
  ['1', '1'],
  ['yes', 'yes'],
  ['', ''],
  [' true', ' true'],
  ['true\n', 'true\n'],
])('converts the boolean %j to %j', (input, expected) => {
  const query: Record<string, unknown> = { flag: input };
  convertQuery(query, typed);
  expect(query['flag']).toBe(expected);
});

test('converts exactly two words to booleans, keeps text, and leaves lists to be rejected', () => {
  const query: Record<string, unknown> = { flag: 'true', text: '5', limit: ['1', '2'] };
  convertQuery(query, typed);
  expect(query).toEqual({ flag: true, text: '5', limit: ['1', '2'] });
});
