import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMetric, metrics } from './catalog/catalog.ts';
import {
  convertFromCatalogUnit,
  convertToCatalogUnit,
  roundTo,
  toImperial,
  unitCodeOf,
  unitOfCode,
} from './units.ts';
import { conversionsOf } from './units/conversions.ts';
import { unitNumbers } from './units/numbers.ts';
import { spellings } from './units/spellings.ts';

function convert(id: string, value: number, unit: string): number | null {
  return convertToCatalogUnit(findMetric(id)!, value, unit);
}

describe('known conversions', () => {
  test.each([
    ['distance', 1, 'mi', 1.609344],
    ['distance', 5000, 'm', 5],
    ['distance', 1000, 'yd', 0.9144],
    ['distance', 1000, 'ft', 0.3048],
    ['distance', 250_000, 'cm', 2.5],
    ['swimming', 50, 'yd', 45.72],
    ['swimming', 1, 'mi', 1609.344],
    ['elevation_gain', 100, 'ft', 30.48],
    ['height', 1.8, 'm', 180],
    ['height', 70, 'in', 177.8],
    ['height', 6, 'ft', 182.88],
    ['weight', 100, 'lb', 45.359237],
    ['weight', 10, 'st', 63.5029318],
    ['weight', 16, 'oz', 0.45359237],
    ['weight', 72_500, 'g', 72.5],
    ['fruit_vegetables', 1, 'oz', 28.349523125],
    ['body_temperature', 98.6, '°F', 37],
    ['body_temperature', 212, 'degF', 100],
    ['body_temperature', 310.15, 'K', 37],
    ['weather_temperature_c', 32, 'F', 0],
    ['sleep_temperature_deviation', 0.9, '°F', 0.5],
    ['sleep_temperature_deviation', -0.3, 'K', -0.3],
    ['active_calories', 418.4, 'kJ', 100],
    ['active_calories', 4184, 'J', 1],
    ['active_calories', 500, 'Cal', 500],
    ['active_calories', 500_000, 'cal', 500],
    ['basal_metabolic_rate', 4.184, 'W', 86.4],
    ['asleep', 27_000, 's', 450],
    ['asleep', 7.5, 'h', 450],
    ['asleep', 60_000, 'ms', 1],
    ['heart_rate_variability', 0.045, 's', 45],
    ['blood_glucose', 90.091, 'mg/dL', 5],
    ['blood_glucose', 5, 'mmol<180.1558800000541>/L', 5],
    ['blood_oxygen', 0.97, 'ratio', 97],
    ['blood_alcohol', 0.8, '‰', 0.08],
    ['waist_to_height_ratio', 50, '%', 0.5],
    ['water', 1, 'L', 1000],
    ['water', 8, 'fl oz', 236.5882365],
    ['water', 1, 'cup', 236.5882365],
    ['water', 2, 'pt_us', 946.352946],
    ['water', 20, 'fl_oz_imp', 568.26125],
    ['protein', 25_000, 'mg', 25],
    ['sodium', 2.3, 'g', 2300],
    ['sodium', 500, 'µg', 0.5],
    ['vitamin_b12', 0.0024, 'mg', 2.4],
    ['vitamin_d', 400, 'IU', 10],
    ['walking_speed', 1.5, 'm/s', 5.4],
    ['walking_speed', 10, 'mph', 16.09344],
    ['stair_ascent_speed', 3.6, 'km/h', 1],
    ['stair_ascent_speed', 1, 'mph', 0.44704],
    ['stair_ascent_speed', 1, 'ft/s', 0.3048],
    ['avg_pace_seconds_per_km', 5, 'min/km', 300],
    ['avg_pace_seconds_per_km', 8.04672, 'min/mi', 300],
    ['heart_rate', 1, 'Hz', 60],
    ['heart_rate', 61, 'count/min', 61],
    ['respiratory_rate', 0.25, 'Hz', 15],
    ['respiratory_rate', 14, 'brpm', 14],
    ['running_cadence', 170, 'spm', 170],
    ['blood_pressure_systolic', 13.3322387415, 'kPa', 100],
    ['blood_pressure_systolic', 133.322387415, 'Pa', 1],
    ['blood_pressure_systolic', 4, 'inHg', 101.6],
    ['blood_pressure_systolic', 133.322387415, 'cmH2O', 98.0665],
    ['forced_vital_capacity', 4200, 'mL', 4.2],
    ['peak_expiratory_flow', 8, 'L/s', 480],
    ['cycling_power', 0.25, 'kW', 250],
    ['electrodermal_activity', 2.5, 'µS', 2.5],
    ['electrodermal_activity', 2.5, 'mcS', 2.5],
    ['environmental_audio_exposure', 70, 'dBASPL', 70],
    ['vo2_max', 45, 'mL/min·kg', 45],
    ['body_mass_index', 22, 'kg/m²', 22],
    ['met_minutes', 2, 'MET-h', 120],
    ['oxygen_desaturation_index', 5, 'count/hr', 5],
    ['steps', 120, 'steps', 120],
  ])('converts %s: %d %s is %d', (id, value, unit, expected) => {
    const converted = convert(id, value, unit)!;
    expect(Math.abs(converted - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-9);
  });
});

test('preserves whole miles, feet and degrees', () => {
  const [distance, elevation, temperature] = ['distance', 'elevation_gain', 'body_temperature'].map((id) =>
    findMetric(id)!,
  );
  for (let value = 1; value <= 100; value += 1) {
    const miles = convertFromCatalogUnit(distance!, convertToCatalogUnit(distance!, value, 'mi')!, 'mi')!;
    const feet = convertFromCatalogUnit(elevation!, convertToCatalogUnit(elevation!, value, 'ft')!, 'ft')!;
    expect([roundTo(miles, 9), roundTo(feet, 9)]).toEqual([value, value]);
    expect(toImperial(temperature!, convertToCatalogUnit(temperature!, value, '°F')!)).toBeCloseTo(value, 12);
  }
});

test('accepts the catalog unit, UCUM code and imperial unit of every metric', () => {
  for (const metric of metrics) {
    expect(convertToCatalogUnit(metric, 42, metric.unit), metric.id).toBe(42);
    expect(convertToCatalogUnit(metric, 42, metric.ucumUnit), metric.id).toBe(42);
    const shown = convertToCatalogUnit(metric, toImperial(metric, 42), metric.imperial.unit)!;
    expect(shown, metric.id).toBeCloseTo(42, 10);
  }
});

test.each([
  ['distance', 'kg'],
  ['weight', ''],
  ['weight', 'm'],
  ['blood_ketones', 'mg/dL'],
  ['blood_lactate', 'mg/dL'],
  ['vitamin_a', 'IU'],
  ['asleep', 'm'],
  ['steps', 'floors'],
  ['active_calories', 'CAL'],
  ['heart_rate', 'ms'],
  ['heart_rate', '__proto__'],
  ['heart_rate', 'constructor'],
  ['heart_rate', 'b'.repeat(1000)],
])('rejects %s in %j', (id, unit) => {
  expect(convert(id, 1, unit)).toBeNull();
  expect(unitCodeOf(findMetric(id)!, unit)).toBeNull();
  expect(convertFromCatalogUnit(findMetric(id)!, 1, unit)).toBeNull();
});

test.each([
  ['weight', 'KG'],
  ['weight', ' kg '],
  ['weight', 'Kilograms'],
  ['water', 'ml'],
  ['water', 'ML'],
  ['body_temperature', '℃'],
  ['selenium', '\u00b5g'],
  ['selenium', '\u03bcg'],
  ['heart_rate', 'BPM'],
  ['active_calories', 'Kcal'],
])('accepts %s in %j', (id, unit) => expect(convert(id, 3, unit)).toBe(3));

const anyMetricAndUnit = fc
  .constantFrom(...metrics)
  .chain((metric) => fc.tuple(fc.constant(metric), fc.constantFrom(...conversionsOf(metric).keys())));

test('converts values to the catalog unit and back without loss', () => {
  const anyValue = fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(anyMetricAndUnit, anyValue, ([metric, unit], value) => {
      const there = convertToCatalogUnit(metric, value, unit)!;
      const back = convertFromCatalogUnit(metric, there, unit)!;
      return Math.abs(back - value) <= 1e-9 * Math.max(1, Math.abs(value));
    }),
    { numRuns: 20_000 },
  );
});

test('encodes and decodes units as numbers without loss', () => {
  for (const metric of metrics) {
    for (const [unit, { times, over, zero }] of conversionsOf(metric)) {
      const code = unitCodeOf(metric, unit)!;
      const printed = unitOfCode(metric, code);
      if (times === over && zero === 0) expect([code, printed]).toEqual([0, metric.unit]);
      else expect(printed, metric.id).toBe(unit);
      expect(unitCodeOf(metric, printed)).toBe(code);
    }
  }
});

test('rejects a number that is not a unit of the metric', () => {
  expect(() => unitOfCode(findMetric('weight')!, unitNumbers['mi']!)).toThrow('weight');
  expect(() => unitOfCode(findMetric('weight')!, 999)).toThrow('999');
});

test('has spellings only for units that a metric accepts', () => {
  const acceptedUnits = new Set(metrics.flatMap((metric) => [...conversionsOf(metric).keys()]));
  expect(Object.keys(spellings).filter((unit) => !acceptedUnits.has(unit))).toEqual([]);
  expect(Object.keys(unitNumbers).filter((unit) => !acceptedUnits.has(unit))).toEqual([]);
});

/** In numeric order from 1. Databases store these numbers, so new units are only added at the end. */
const unitsByNumber =
  'm,km,cm,mm,in,ft,yd,mi,kg,g,mg,ug,ng,lb,oz,st,°F,K,cal,kJ,J,kJ/d,W,kW,s,ms,us,h,d,km/h,m/s,cm/s,ft/s,mph,' +
  's/m,s/mi,min/km,min/mi,Hz,/min,/h,Pa,hPa,kPa,cmH2O,inHg,umol/L,mg/dL,%,‰,ratio,L,dL,cL,mL,fl oz,fl oz (imp),' +
  'cup,cup (imp),pt,pt (imp),L/s,mL/min,MET-h,IU,nS,mS,S';

test('never changes the number of a unit', () => {
  const expected = unitsByNumber.split(',').map((unit, index) => [unit, index + 1]);
  expect(Object.entries(unitNumbers).toSorted((a, b) => a[1] - b[1])).toEqual(expected);
});
