import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { exclusionOf, explainMethod } from './explain-method.ts';

const deepSleep = findMetric('deep_sleep')!;

test('a member of a group follows its group', () => {
  expect(explainMethod({}, deepSleep)).toMatchObject({
    inForce: 'priority',
    chosenBy: 'catalog',
    key: 'sleep_stages',
  });
  const chosen = explainMethod({ metrics: { sleep_stages: { method: 'avg' } } }, deepSleep);
  expect(chosen).toMatchObject({ inForce: 'avg', default: 'priority', chosenBy: 'settings' });
  expect(chosen!.why).toBe(
    'The settings of this user choose avg for sleep_stages; the catalog would choose priority. ' +
      "The arithmetic mean of the enabled providers' values.",
  );
});

test('what is derived has no method', () => {
  expect(explainMethod({}, findMetric('pulse_pressure')!)).toBeNull();
});

test('a provider is left out everywhere before it is for one metric', () => {
  const here = { metrics: { sleep_stages: { providers: { oura: false } } } } as const;
  expect(exclusionOf({}, deepSleep, 'oura')).toBeNull();
  expect(exclusionOf(here, deepSleep, 'oura')).toBe('provider_for_metric');
  expect(exclusionOf(here, deepSleep, 'garmin')).toBeNull();
  expect(exclusionOf({ ...here, providers: { oura: false } }, deepSleep, 'oura')).toBe('provider_everywhere');
});
