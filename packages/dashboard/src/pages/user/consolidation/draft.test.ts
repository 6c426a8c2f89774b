import type { ConsolidationConfigurationWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { isEmpty, noDraft, patchOf, withMethod, withProvider, withSwitch } from './draft.ts';

const both = [
  { provider: 'oura', enabled: true },
  { provider: 'garmin', enabled: true },
];
const stored: ConsolidationConfigurationWire = {
  providers: both,
  metrics: [
    {
      key: 'steps',
      category: 'Activity',
      default_method: 'max',
      method: 'sum',
      overridden: true,
      providers: both,
    },
  ],
};

test('reverting a change removes it', () => {
  const draft = withMethod(noDraft, stored, 'steps', 'avg');
  expect(patchOf(draft, stored)).toEqual({ metrics: { steps: { method: 'avg' } } });
  expect(isEmpty(withMethod(draft, stored, 'steps', 'sum'))).toBe(true);
  const off = withSwitch(noDraft, stored, { key: 'steps', provider: 'oura' }, false);
  expect(isEmpty(off)).toBe(false);
  expect(isEmpty(withSwitch(off, stored, { key: 'steps', provider: 'oura' }, true))).toBe(true);
});

test("choosing the catalog's method restores the default", () => {
  expect(patchOf(withMethod(noDraft, stored, 'steps', 'max'), stored)).toEqual({
    metrics: { steps: { method: null } },
  });
});

test('combines all changes in one patch', () => {
  let draft = withMethod(noDraft, stored, 'steps', 'avg');
  draft = withSwitch(draft, stored, { key: 'steps', provider: 'garmin' }, false);
  draft = withProvider(draft, stored, 'oura', false);
  expect(patchOf(draft, stored)).toEqual({
    metrics: { steps: { method: 'avg', providers: { garmin: false } } },
    providers: { oura: false },
  });
});
