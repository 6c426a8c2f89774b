import { expect, test } from 'vitest';
import { changedFields, describeChange } from './changed-fields.ts';

test('returns the names of changed fields and ignores the order of nested keys', () => {
  const before = { name: 'a', goals: { steps: 1, sleep: 2 }, events: ['a', 'b'], limit: 5 };
  const after = { name: 'a', goals: { sleep: 2, steps: 1 }, events: ['b', 'a'], limit: 6 };
  expect(changedFields(before, after)).toEqual(['events', 'limit']);
});

test('treats missing fields as null', () => {
  expect(changedFields({ name: null }, {})).toEqual([]);
  expect(changedFields({}, { name: null })).toEqual([]);
  expect(changedFields({}, { name: '' })).toEqual(['name']);
  expect(changedFields({ name: 'a' }, {})).toEqual(['name']);
});

test('describes only the requested fields', () => {
  const before = { status: 'active', contact: 'a@example.org' };
  expect(describeChange(before, { status: 'suspended', contact: 'b@example.org' }, ['status'])).toEqual({
    before: { status: 'active' },
    after: { status: 'suspended' },
  });
});
