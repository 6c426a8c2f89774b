import { describe, expect, test } from 'vitest';
import { metrics } from '../catalog/catalog.ts';
import { consolidationKeys, findConsolidation } from '../catalog/consolidation.ts';
import { methods } from '../catalog/metric.ts';
import { forbiddenMethodsOf, providersNamedIn, unknownKeysOf } from './patch-faults.ts';

describe('keys', () => {
  test('accepts all keys of the catalog', () => {
    expect(unknownKeysOf({ metrics: Object.fromEntries(consolidationKeys.map((key) => [key, {}])) })).toEqual(
      [],
    );
  });

  test('rejects members of a group and names the group', () => {
    const unknown = unknownKeysOf({ metrics: Object.fromEntries(metrics.map(({ id }) => [id, {}])) });
    expect(unknown.length).toBeGreaterThan(50);
    for (const { key, group } of unknown) {
      if (group === null)
        expect(consolidationKeys.some((one) => findConsolidation(one)!.members.includes(key))).toBe(false);
      else expect(findConsolidation(group)!.members).toContain(key);
    }
    expect(unknownKeysOf({ metrics: { REM: {} } })).toEqual([{ key: 'REM', group: 'sleep_stages' }]);
  });

  test.each(['constructor', '__proto__', 'STEPS', 'steps ', ''])('rejects "%s" as unknown', (key) => {
    const change = Object.fromEntries([[key, {}]]);
    expect(unknownKeysOf({ metrics: change })).toEqual([{ key, group: null }]);
  });
});

test('rejects exactly the methods that the catalog does not allow', () => {
  for (const key of consolidationKeys) {
    const { allowedMethods } = findConsolidation(key)!;
    for (const method of methods)
      expect(forbiddenMethodsOf({ metrics: { [key]: { method } } })).toEqual(
        allowedMethods.includes(method) ? [] : [{ key, method, allowedMethods }],
      );
    expect(forbiddenMethodsOf({ metrics: { [key]: { method: null } } })).toEqual([]);
    expect(forbiddenMethodsOf({ metrics: { [key]: {} } })).toEqual([]);
  }
});

test('collects all providers once', () => {
  const patch = {
    providers: { oura: true, garmin: false },
    metrics: { steps: { providers: { whoop: false, oura: false } }, weight: {} },
  };
  expect(providersNamedIn(patch)).toEqual(['garmin', 'oura', 'whoop']);
  expect(providersNamedIn({})).toEqual([]);
});
