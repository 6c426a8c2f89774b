import { describe, expect, test } from 'vitest';
import { consolidationKeys, findConsolidation } from '../catalog/consolidation.ts';
import { effectiveSettings } from './effective-settings.ts';

const inForce = (settings: Parameters<typeof effectiveSettings>[0], key: string) =>
  effectiveSettings(settings, ['garmin', 'oura']).metrics.find((one) => one.key === key)!;

describe('effective settings', () => {
  test('lists every key in catalog order with its defaults', () => {
    const { metrics } = effectiveSettings({}, []);
    expect(metrics.map(({ key }) => key)).toEqual(consolidationKeys);
    for (const { key, category, method, overridden } of metrics) {
      const { defaultMethod, category: expected } = findConsolidation(key)!;
      expect([category, method, overridden]).toEqual([expected, defaultMethod, false]);
    }
  });

  test('counts a method as an override only if it differs from the catalog', () => {
    const settings = { metrics: { steps: { method: 'sum' }, distance: { method: 'priority' } } } as const;
    expect(inForce(settings, 'steps')).toMatchObject({
      defaultMethod: 'priority',
      method: 'sum',
      overridden: true,
    });
    expect(inForce(settings, 'distance')).toMatchObject({ method: 'priority', overridden: false });
  });

  test('disables a provider for a metric if it is off for the metric or everywhere', () => {
    const settings = {
      providers: { garmin: false },
      metrics: { steps: { providers: { oura: false } } },
    } as const;
    const switches = (key: string) => inForce(settings, key).providers.map(({ enabled }) => enabled);
    expect(switches('steps')).toEqual([false, false]);
    expect(switches('weight')).toEqual([false, true]);
    expect(effectiveSettings(settings, ['garmin', 'oura']).providers).toEqual([
      { provider: 'garmin', enabled: false },
      { provider: 'oura', enabled: true },
    ]);
  });

  test('omits providers that are not connected', () => {
    expect(effectiveSettings({ providers: { garmin: false } }, ['oura']).providers).toEqual([
      { provider: 'oura', enabled: true },
    ]);
  });
});
