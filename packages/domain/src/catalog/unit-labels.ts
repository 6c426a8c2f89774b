import { foot, inch, mile, ounce, pound, usFluidOunce } from './unit-constants.ts';

/** All units that the catalog displays, with their UCUM codes. */
export const ucumCodes = {
  '%': '%',
  AU: '{AU}',
  IU: '[iU]',
  L: 'L',
  'L/min': 'L/min',
  MET: '[MET]',
  'MET-min': '[MET].min',
  W: 'W',
  bpm: '/min',
  'breaths/min': '/min',
  cm: 'cm',
  code: '{code}',
  count: '{count}',
  dB: 'dB[SPL]',
  drinks: '{drinks}',
  'events/h': '/h',
  g: 'g',
  index: '{index}',
  kcal: 'kcal',
  'kcal/d': 'kcal/d',
  kg: 'kg',
  'kg/m2': 'kg/m2',
  km: 'km',
  'km/h': 'km/h',
  level: '{level}',
  m: 'm',
  'm/s': 'm/s',
  mL: 'mL',
  'mL/kg/min': 'mL/kg/min',
  mg: 'mg',
  min: 'min',
  mmHg: 'mm[Hg]',
  'mmol/L': 'mmol/L',
  ms: 'ms',
  ratio: '1',
  rpm: '/min',
  's/km': 's/km',
  score: '{score}',
  'steps/min': '{steps}/min',
  uS: 'uS',
  ug: 'ug',
  years: 'a',
  '°C': 'Cel',
} as const;
export type UnitLabel = keyof typeof ucumCodes;

interface ImperialUnit {
  readonly unit: string;
  readonly factor: number;
  readonly offset: number;
}

/** The imperial unit for each metric unit. Units without an entry are not converted. */
export const imperialUnits: Partial<Record<UnitLabel, ImperialUnit>> = {
  km: { unit: 'mi', factor: 1 / mile.km, offset: 0 },
  'km/h': { unit: 'mph', factor: 1 / mile.km, offset: 0 },
  m: { unit: 'ft', factor: 1 / foot.m, offset: 0 },
  'm/s': { unit: 'ft/s', factor: 1 / foot.m, offset: 0 },
  cm: { unit: 'in', factor: 1 / inch.cm, offset: 0 },
  kg: { unit: 'lb', factor: 1 / pound.kg, offset: 0 },
  mL: { unit: 'fl oz', factor: 1 / usFluidOunce.mL, offset: 0 },
  '°C': { unit: '°F', factor: 9 / 5, offset: 32 },
};

/** Swimming distance is measured in meters but displayed in miles like other distances. */
export const metersInMiles: ImperialUnit = { unit: 'mi', factor: 1 / mile.m, offset: 0 };

/** Food is weighed in ounces, but nutrients stay in grams. */
export const gramsInOunces: ImperialUnit = { unit: 'oz', factor: 1 / ounce.g, offset: 0 };

/** A temperature difference has no zero offset. */
export const degreesApart: ImperialUnit = { unit: '°F', factor: 9 / 5, offset: 0 };
