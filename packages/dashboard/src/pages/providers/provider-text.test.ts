import { expect, test } from 'vitest';
import { conditionOf, groups, describeErrorKind } from './provider-text.ts';

const states = ['available', 'needs_credentials', 'working', 'slow', 'refusing'] as const;

test('every provider is in exactly one group', () => {
  for (const kind of ['cloud', 'on_device'] as const)
    for (const state of states)
      expect([kind, state, groups.filter(({ has }) => has({ kind, state })).length]).toEqual([
        kind,
        state,
        1,
      ]);
});

test('marks only unusual states', () => {
  expect(states.filter((state) => !conditionOf({ state }).isUsual)).toEqual(['slow', 'refusing']);
});

test('describes an unknown error kind too', () => {
  expect(describeErrorKind('consent_ended')).toMatch(/Only the user/);
  expect(describeErrorKind('invented')).toMatch(/Unexpected/);
});
