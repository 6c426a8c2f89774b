import { expect, test } from 'vitest';
import { conditionOf, groups, sayKind } from './provider-text.ts';

const states = ['available', 'needs_credentials', 'working', 'slow', 'refusing'] as const;

test('every provider stands in one group', () => {
  for (const kind of ['cloud', 'on_device'] as const)
    for (const state of states)
      expect([kind, state, groups.filter(({ has }) => has({ kind, state })).length]).toEqual([
        kind,
        state,
        1,
      ]);
});

test('only what is unusual is marked', () => {
  expect(states.filter((state) => !conditionOf({ state }).isUsual)).toEqual(['slow', 'refusing']);
});

test('an error that is new is still said', () => {
  expect(sayKind('consent_ended')).toMatch(/only the person/);
  expect(sayKind('invented')).toMatch(/did not expect/);
});
