import { describe, expect, test } from 'vitest';
import { findMetric, metricOf, metrics } from './catalog.ts';
import { healthConnect } from './codes/health-connect.ts';
import { healthkit } from './codes/healthkit.ts';
import { loinc } from './codes/loinc.ts';
import { openMhealth } from './codes/open-mhealth.ts';
import { activityDescriptions } from './descriptions/activity.ts';
import { bodyCompositionDescriptions } from './descriptions/body-composition.ts';
import { energyDescriptions } from './descriptions/energy.ts';
import { nutritionDescriptions } from './descriptions/nutrition.ts';
import { reproductiveHealthDescriptions } from './descriptions/reproductive-health.ts';
import { scoreDescriptions } from './descriptions/scores.ts';
import { sleepDescriptions } from './descriptions/sleep.ts';
import { vitalsDescriptions } from './descriptions/vitals.ts';
import { workoutDescriptions } from './descriptions/workouts.ts';
import { categories, methods, type Metric } from './metric.ts';
import { isOptIn, scopeOf } from './scope.ts';
import { surfaces } from './surfaces.ts';

function idsWhere(condition: (metric: Metric) => boolean): string[] {
  return metrics.filter(condition).map((metric) => metric.id);
}

test('has 244 metrics with unique IDs and numbers', () => {
  expect(metrics).toHaveLength(244);
  expect(new Set(metrics.map((metric) => metric.id)).size).toBe(244);
  expect(new Set(metrics.map((metric) => metric.no)).size).toBe(244);
});

test('has the documented number of metrics in each category', () => {
  const sizes = categories.map((category) => idsWhere((metric) => metric.category === category).length);
  expect(Object.fromEntries(categories.map((category, index) => [category, sizes[index]]))).toEqual({
    Activity: 71,
    Energy: 9,
    'Body Composition': 18,
    Sleep: 39,
    Vitals: 49,
    Nutrition: 46,
    'Reproductive Health': 6,
    Scores: 6,
  });
});

test('finds metrics by exact ID and by number', () => {
  expect(findMetric('REM')?.displayName).toBe('REM sleep');
  expect(findMetric('rem')).toBeUndefined();
  expect(findMetric('__proto__')).toBeUndefined();
  for (const metric of metrics) {
    expect(findMetric(metric.id)).toBe(metric);
    expect(metricOf(metric.no)).toBe(metric);
  }
  expect(() => metricOf(0)).toThrow('unknown metric number 0');
  expect(() => metricOf(245)).toThrow();
});

describe('every metric', () => {
  test.each(metrics.map((metric) => [metric.id, metric] as const))('%s', (_, metric) => {
    expect(metric.id).toMatch(/^(REM|[a-z][a-z0-9_]*)$/);
    expect(metric.displayName).not.toBe('');
    expect(metric.description).toMatch(/^[A-Z].*\.$/);
    expect(metric.ucumUnit).toBeDefined();
    expect(metric.min).toBeLessThan(metric.max);
    for (const decimals of [metric.precision, metric.imperial.precision]) {
      expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 3).toBe(true);
    }
    expect(metric.imperial.factor).toBeGreaterThan(0);
    expect(metric.allowedMethods).toEqual(methods.filter((one) => metric.allowedMethods.includes(one)));
    if (metric.defaultMethod === null) expect(metric.allowedMethods).toEqual([]);
    else expect(metric.allowedMethods).toContain(metric.defaultMethod);
    if (metric.maxPerMinute !== null) expect(metric.aggregation).toBe('sum');
    if (metric.allowedMethods.includes('merge')) expect(metric.maxPerMinute).not.toBeNull();
  });
});

test('has a method for every metric except derived metrics, scores and session metrics', () => {
  expect(idsWhere((metric) => metric.defaultMethod === null)).toEqual(
    idsWhere((metric) => metric.origin !== 'measured' || metric.kind === 'session'),
  );
});

test('allows totals from 0, because the current day is partial', () => {
  expect(idsWhere((metric) => metric.kind === 'daily_total' && metric.min !== 0)).toEqual(['energy_balance']);
});

test('has 224 daily IDs and six scores in Form 2, of which only stress is both', () => {
  const daily = idsWhere((metric) => metric.form2Surfaces.includes('daily'));
  const scores = idsWhere((metric) => metric.form2Surfaces.includes('scores'));
  expect(daily).toHaveLength(224);
  expect(daily).toContain('stress_score');
  expect(scores).toEqual([
    'recovery_score',
    'strain_score',
    'sleep_score',
    'nutrition_score',
    'energy_reserve_score',
    'stress_score',
  ]);
  expect(scores.filter((id) => daily.includes(id))).toEqual(['stress_score']);
});

test('has six scores in Form 1', () => {
  expect(idsWhere((metric) => metric.form1Surfaces.includes('scores'))).toEqual(
    idsWhere((metric) => metric.origin === 'score'),
  );
  expect(idsWhere((metric) => metric.origin === 'score')).toHaveLength(6);
});

test('has seven metrics with a time series', () => {
  expect(idsWhere((metric) => metric.timeseries).toSorted()).toEqual([
    'active_calories',
    'blood_oxygen',
    'heart_rate',
    'heart_rate_variability',
    'heart_rate_variability_rmssd',
    'steps',
    'stress_score',
  ]);
});

test('has LOINC codes with valid check digits', () => {
  const codes = metrics.flatMap((metric) => metric.loinc ?? []);
  expect(codes).toHaveLength(61);
  for (const code of codes) {
    const [number, check] = code.split('-');
    expect(loincCheckDigit(number!), code).toBe(Number(check));
  }
});

/** Modulus 10, with every other digit from the right doubled. */
function loincCheckDigit(number: string): number {
  const digits = Array.from(number, Number).toReversed();
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit * 2 : digit));
  const sum = doubled.reduce((total, digit) => total + Math.floor(digit / 10) + (digit % 10), 0);
  return (10 - (sum % 10)) % 10;
}

test('refers only to existing metrics in codes, surfaces and descriptions', () => {
  const named = [
    loinc,
    openMhealth,
    healthkit,
    healthConnect,
    surfaces,
    activityDescriptions,
    workoutDescriptions,
    energyDescriptions,
    bodyCompositionDescriptions,
    sleepDescriptions,
    vitalsDescriptions,
    nutritionDescriptions,
    reproductiveHealthDescriptions,
    scoreDescriptions,
  ].flatMap((table) => Object.keys(table));
  expect(named.filter((id) => findMetric(id) === undefined)).toEqual([]);
});

test.each([
  ['distance', 'mi', '0.621371192237334', 0],
  ['walking_speed', 'mph', '0.621371192237334', 0],
  ['swimming', 'mi', '0.000621371192237334', 0],
  ['elevation_gain', 'ft', '3.280839895013123', 0],
  ['pulse_wave_velocity', 'ft/s', '3.280839895013123', 0],
  ['height', 'in', '0.39370078740157477', 0],
  ['weight', 'lb', '2.2046226218487757', 0],
  ['water', 'fl oz', '0.033814022701843', 0],
  ['fruit_vegetables', 'oz', '0.035273961949580414', 0],
  ['body_temperature', '°F', '1.8', 32],
  ['sleep_temperature_deviation', '°F', '1.8', 0],
  ['basal_body_temperature_shift', '°F', '1.8', 0],
  ['blood_glucose', 'mmol/L', '1', 0],
  ['protein', 'g', '1', 0],
  ['avg_speed_kmh', 'km/h', '1', 0],
  ['weather_temperature_c', '°C', '1', 0],
  ['swimming_lap_length_m', 'm', '1', 0],
])('converts %s to %s: × %s + %d', (id, unit, factor, offset) => {
  const { imperial } = findMetric(id)!;
  expect(imperial.unit).toBe(unit);
  expect(imperial.factor.toPrecision(15)).toBe(Number(factor).toPrecision(15));
  expect(imperial.offset).toBe(offset);
});

test('uses each category as a scope of mobile tokens', () => {
  expect([...new Set(metrics.map(scopeOf))].toSorted()).toEqual([
    'activity',
    'body_composition',
    'energy',
    'nutrition',
    'reproductive_health',
    'scores',
    'sleep',
    'vitals',
  ]);
  expect(scopeOf(findMetric('weight')!)).toBe('body_composition');
});

test('requires people to turn on reproductive health, and nothing else', () => {
  expect(idsWhere(isOptIn)).toEqual(idsWhere(({ category }) => category === 'Reproductive Health'));
  expect(isOptIn(findMetric('basal_body_temperature')!)).toBe(false);
});

describe('metrics in codes', () => {
  test('have a level for every number of their range, in order', () => {
    const coded = metrics.filter(({ levels }) => levels !== null);
    expect(coded.map(({ id }) => id)).toEqual(idsWhere(({ unit }) => unit === 'code'));
    for (const { levels, min, max, allowedMethods } of coded) {
      expect(levels!.map(({ value }) => value)).toEqual(levels!.map((_, at) => at));
      expect([levels![0]!.value, levels!.at(-1)!.value]).toEqual([min, max]);
      // A mean or a sum of codes means nothing.
      expect(allowedMethods).toEqual(['priority']);
    }
  });

  /** The numbers of HKCategoryValueVaginalBleeding and its siblings, and of the records of Health Connect. */
  test.each([
    ['menstrual_flow', 'healthkit', { unspecified: 1, light: 2, medium: 3, heavy: 4, none: 5 }],
    ['menstrual_flow', 'healthConnect', { unspecified: 0, light: 1, medium: 2, heavy: 3 }],
    ['ovulation_test', 'healthkit', { negative: 1, positive: 2, indeterminate: 3, high: 4 }],
    ['ovulation_test', 'healthConnect', { indeterminate: 0, positive: 1, high: 2, negative: 3 }],
    ['pregnancy', 'healthkit', { pregnant: 0 }],
    ['pregnancy', 'healthConnect', {}],
    [
      'contraception',
      'healthkit',
      {
        unspecified: 1,
        implant: 2,
        injection: 3,
        'intrauterine device': 4,
        'vaginal ring': 5,
        oral: 6,
        patch: 7,
      },
    ],
    ['contraception', 'healthConnect', {}],
  ] as const)('%s has the numbers of %s', (id, platform, expected) => {
    const known = findMetric(id)!.levels!.filter((level) => level[platform] !== null);
    expect(Object.fromEntries(known.map((level) => [level.name, level[platform]]))).toEqual(expected);
  });
});
