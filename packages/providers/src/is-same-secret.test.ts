import { expect, test } from 'vitest';
import { isSameSecret } from './is-same-secret.ts';

test.each<[one: string | Buffer, other: string | Buffer, isSame: boolean]>([
  ['secret', 'secret', true],
  ['secret', 'Secret', false],
  ['secret', 'secret1', false],
  ['secret', '', false],
  ['', '', true],
  ['ü', 'u1', false],
  [Buffer.from('secret'), 'secret', true],
  [Buffer.from([0xff]), Buffer.from([0xff]), true],
  [Buffer.from([0xff]), Buffer.from([0xff, 0]), false],
])('compares %j with %j', (one, other, isSame) => {
  expect(isSameSecret(one, other)).toBe(isSame);
});
