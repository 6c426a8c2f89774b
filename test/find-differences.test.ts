import { expect, test } from 'vitest';
import { findDifferences } from '../scripts/openapi/find-differences.ts';

test('lists what was added, removed and changed', () => {
  const before = { paths: { '/a': { get: { summary: 'A' } }, '/b': {} }, tags: ['x'] };
  const after = { paths: { '/a': { get: { summary: 'Z' } }, '/c': {} }, tags: ['x', 'y'] };
  expect(findDifferences(before, after)).toEqual([
    '~ paths › /a › get › summary: "A" → "Z"',
    '- paths › /b',
    '+ paths › /c',
    '~ tags: ["x"] → ["x","y"]',
  ]);
});

test('finds nothing in equal documents, whatever the order of their fields', () => {
  expect(findDifferences({ a: 1, b: [null] }, { b: [null], a: 1 })).toEqual([]);
});
