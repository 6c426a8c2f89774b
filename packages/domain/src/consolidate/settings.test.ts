import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMetric, metrics } from '../catalog/catalog.ts';
import { consolidationKeys, findConsolidation } from '../catalog/consolidation.ts';
import {
  changeSettings,
  isEnabled,
  isEnabledFor,
  mergesAnything,
  methodFor,
  type ConsolidationSettings,
  type SettingsPatch,
} from './settings.ts';

const metric = (id: string) => findMetric(id)!;

describe('effective method', () => {
  test('uses the default for every metric without an override', () => {
    for (const one of metrics) expect(methodFor({}, one)).toBe(one.defaultMethod);
  });

  test('uses the override of the metric or of its group', () => {
    const settings = { metrics: { steps: { method: 'merge' }, sleep_stages: { method: 'avg' } } } as const;
    expect(methodFor(settings, metric('steps'))).toBe('merge');
    expect(methodFor(settings, metric('deep_sleep'))).toBe('avg');
    expect(methodFor(settings, metric('distance'))).toBe('priority');
  });

  test('is null for derived and session metrics, regardless of overrides', () => {
    const settings = { metrics: { total_energy: { method: 'sum' } } } as const;
    expect(methodFor(settings, metric('total_energy'))).toBeNull();
  });
});

describe('provider exclusion', () => {
  const settings: ConsolidationSettings = {
    providers: { oura: false },
    metrics: { steps: { providers: { garmin: false } }, sleep_stages: { providers: { whoop: false } } },
  };

  test.each([
    ['steps', 'oura', false],
    ['steps', 'garmin', false],
    ['steps', 'whoop', true],
    ['weight', 'oura', false],
    ['weight', 'garmin', true],
    ['REM', 'whoop', false],
    ['REM', 'garmin', true],
    ['total_energy', 'oura', false],
    ['total_energy', 'garmin', true],
  ])('decides for %s whether %s is enabled: %s', (id, provider, expected) => {
    expect(isEnabled(settings, metric(id), provider)).toBe(expected);
  });

  test('enables every provider by default, whatever its name', () => {
    for (const provider of ['oura', 'constructor', 'toString'])
      expect(isEnabledFor({}, 'steps', provider)).toBe(true);
  });
});

test('needs samples only if a metric is merged', () => {
  expect(mergesAnything({})).toBe(false);
  expect(mergesAnything({ metrics: { steps: { method: 'sum' }, weight: {} } })).toBe(false);
  expect(mergesAnything({ metrics: { steps: { method: 'sum' }, distance: { method: 'merge' } } })).toBe(true);
});

describe('settings change', () => {
  const before: ConsolidationSettings = {
    providers: { oura: false },
    metrics: { steps: { method: 'sum', providers: { garmin: false } }, weight: { method: 'avg' } },
  };

  test.each<[string, SettingsPatch, ConsolidationSettings]>([
    ['nothing', {}, before],
    [
      'a method',
      { metrics: { steps: { method: 'merge' } } },
      { ...before, metrics: { ...before.metrics, steps: { method: 'merge', providers: { garmin: false } } } },
    ],
    [
      'a method to null',
      { metrics: { weight: { method: null } } },
      { ...before, metrics: { steps: before.metrics!['steps']! } },
    ],
    [
      "a method to the catalog's",
      { metrics: { steps: { method: 'priority' } } },
      { ...before, metrics: { ...before.metrics, steps: { providers: { garmin: false } } } },
    ],
    ['a provider on', { providers: { oura: true } }, { metrics: before.metrics! }],
    ['a provider on that was off for one metric', { providers: { garmin: true } }, before],
    [
      'a provider off for one metric',
      { metrics: { weight: { providers: { oura: false } } } },
      {
        ...before,
        metrics: { ...before.metrics, weight: { method: 'avg', providers: { oura: false } } },
      },
    ],
  ])('changes only the given settings: %s', (_name, patch, after) => {
    expect(changeSettings(before, patch)).toStrictEqual(after);
  });

  const providers = fc.dictionary(fc.constantFrom('apple_health', 'garmin', 'oura'), fc.boolean());
  const patches: fc.Arbitrary<SettingsPatch> = fc
    .record({
      providers,
      metrics: fc.dictionary(
        fc.constantFrom('steps', 'weight', 'sleep_stages', 'distance'),
        fc.record(
          { method: fc.constantFrom('priority', 'merge', 'max', 'avg', 'sum', null), providers },
          { requiredKeys: [] },
        ),
      ),
    })
    .map((patch) => patch as SettingsPatch);

  test('stores no defaults and gives equal settings the same JSON', () => {
    fc.assert(
      fc.property(fc.array(patches, { maxLength: 6 }), patches, (several, last) => {
        const settings = [...several, last].reduce(changeSettings, {} as ConsolidationSettings);
        const text = JSON.stringify(settings);
        expect(text).not.toMatch(/\{\}(?!$)|true|null/);
        for (const [key, { method }] of Object.entries(settings.metrics ?? {}))
          expect(method).not.toBe(findConsolidation(key)!.defaultMethod);
        // Neither applying the change again nor a store that reorders object keys may change the text.
        expect(JSON.stringify(changeSettings(settings, last))).toBe(text);
        expect(JSON.stringify(changeSettings(reversed(settings), {}))).toBe(text);
      }),
    );
  });

  test('leaves empty settings after everything is reset', () => {
    fc.assert(
      fc.property(patches, (patch) => {
        const on = { apple_health: true, garmin: true, oura: true };
        const back = Object.fromEntries(
          consolidationKeys.map((key) => [key, { method: null, providers: on }]),
        );
        expect(changeSettings(changeSettings({}, patch), { providers: on, metrics: back })).toStrictEqual({});
      }),
    );
  });
});

function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)])) as Value;
}
