import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { exclusionOf, explainMethod } from './explain-method.ts';

const deepSleep = findMetric('deep_sleep')!;

test('uses the setting of the group for its members', () => {
  expect(explainMethod({}, deepSleep)).toMatchObject({
    inForce: 'priority',
    chosenBy: 'catalog',
    key: 'sleep_stages',
  });
  const chosen = explainMethod({ metrics: { sleep_stages: { method: 'avg' } } }, deepSleep);
  expect(chosen).toMatchObject({ inForce: 'avg', default: 'priority', chosenBy: 'settings' });
  expect(chosen!.why).toBe(
    "This user's settings use avg for sleep_stages (default: priority). " +
      'This method averages the values of the enabled providers.',
  );
});

test('has no method for derived metrics', () => {
  expect(explainMethod({}, findMetric('pulse_pressure')!)).toBeNull();
});

test('reports a global exclusion before one for a single metric', () => {
  const here = { metrics: { sleep_stages: { providers: { oura: false } } } } as const;
  expect(exclusionOf({}, deepSleep, 'oura')).toBeNull();
  expect(exclusionOf(here, deepSleep, 'oura')).toBe('provider_for_metric');
  expect(exclusionOf(here, deepSleep, 'garmin')).toBeNull();
  expect(exclusionOf({ ...here, providers: { oura: false } }, deepSleep, 'oura')).toBe('provider_everywhere');
});
