import { expect, test } from 'vitest';
import { describeSettingsChange } from './describe-settings-change.ts';

test('describes new switches, and methods before and after', () => {
  const before = {
    providers: { oura: false },
    metrics: {
      steps: { method: 'max' },
      heart_rate: { providers: { oura: false } },
      weight: { method: 'avg' },
    },
  } as const;
  const after = {
    providers: { garmin: false },
    metrics: { steps: { method: 'sum', providers: { garmin: false } }, weight: { method: 'avg' } },
  } as const;
  expect(describeSettingsChange(before, after)).toEqual({
    providers: { garmin: false, oura: true },
    metrics: {
      heart_rate: { providers: { oura: true } },
      steps: { method: { before: 'max', after: 'sum' }, providers: { garmin: false } },
    },
  });
});

test('uses null for the method of the catalog', () => {
  const set = { metrics: { steps: { method: 'max' } } } as const;
  expect(describeSettingsChange({}, set)).toEqual({
    metrics: { steps: { method: { before: null, after: 'max' } } },
  });
  expect(describeSettingsChange(set, {})).toEqual({
    metrics: { steps: { method: { before: 'max', after: null } } },
  });
});

test('omits unchanged settings', () => {
  const settings = { providers: { oura: false }, metrics: { steps: { method: 'max' } } } as const;
  expect(describeSettingsChange(settings, settings)).toEqual({});
});
