import { defaultScopes, scopes } from '@tributary/contract';
import { expect, test } from 'vitest';
import { defaultScopeBits, scopeBits, scopesOf } from './scope-bits.ts';

test('stores scopes by their position, which never changes', () => {
  const positions = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition', 'scores'];
  expect(scopes).toEqual([...positions, 'reproductive_health']);
  expect(scopeBits(['activity'])).toBe(1);
  expect(scopeBits(['scores', 'reproductive_health'])).toBe(64 + 128);
  for (const scope of scopes) expect(scopesOf(scopeBits([scope]))).toEqual([scope]);
});

test('has the defaults of the columns in the schema, without opt-in scopes', () => {
  expect(defaultScopeBits).toBe(127);
  expect(scopesOf(127)).toEqual(defaultScopes);
});

test('ignores bits of a later version', () => {
  expect(scopesOf(256 + 2)).toEqual(['sleep']);
});
