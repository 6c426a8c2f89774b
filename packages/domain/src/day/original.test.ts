import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { toMicros } from '../samples/micros.ts';
import { convertToCatalogUnit, unitCodeOf } from '../units.ts';
import { originalOf } from './original.ts';

function there(id: string, value: number, unit: string) {
  const metric = findMetric(id)!;
  return originalOf(metric, toMicros(convertToCatalogUnit(metric, value, unit)!), unitCodeOf(metric, unit)!);
}

test.each([
  ['weight', 180.5, 'lb'],
  ['weight', 81.87, 'kg'],
  ['weight', 12.5, 'st'],
  ['active_calories', 2510.4, 'kJ'],
  ['distance', 5.02, 'mi'],
  ['distance', 12_345, 'm'],
  ['distance', 1_234_567, 'cm'],
  ['body_temperature', 98.6, '°F'],
  ['blood_glucose', 101, 'mg/dL'],
])('returns %s in its original unit: %d %s', (id, value, unit) => {
  expect(there(id, value, unit)).toEqual({ value, unit });
});

test('preserves pounds with one decimal', () => {
  const tenths = fc.integer({ min: 100, max: 9000 });
  fc.assert(fc.property(tenths, (tenth) => there('weight', tenth / 10, 'lb').value === tenth / 10));
});
