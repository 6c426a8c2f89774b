import {
  centimeterOfWater,
  foot,
  imperialCup,
  imperialFluidOunce,
  imperialPint,
  inch,
  kilocalorie,
  mile,
  millimeterOfMercury,
  ounce,
  pound,
  stone,
  usCup,
  usFluidOunce,
  usPint,
  yard,
} from '../catalog/unit-constants.ts';
import type { Metric } from '../catalog/metric.ts';
import type { UnitLabel } from '../catalog/unit-labels.ts';

/** `catalog = (value − zero) × times ÷ over`. Two factors keep integers exact in both directions. */
export interface Conversion {
  readonly times: number;
  readonly over: number;
  readonly zero: number;
}
type Conversions = Readonly<Record<string, Conversion>>;

function times(factor: number, over = 1, zero = 0): Conversion {
  return { times: factor, over, zero };
}
function over(divisor: number): Conversion {
  return times(1, divisor);
}

export const same = times(1);
const perMinute: Conversions = { '/min': same, Hz: times(60), '/h': over(60) };

/** The units that each catalog unit can be converted from, besides itself. */
const conversions: Partial<Record<UnitLabel, Conversions>> = {
  km: {
    m: over(1000),
    cm: over(100_000),
    mi: times(mile.km),
    yd: times(yard.m, 1000),
    ft: times(foot.m, 1000),
  },
  m: {
    km: times(1000),
    cm: over(100),
    mm: over(1000),
    mi: times(mile.m),
    yd: times(yard.m),
    ft: times(foot.m),
    in: times(inch.m),
  },
  cm: { m: times(100), mm: over(10), in: times(inch.cm), ft: times(foot.cm) },
  kg: { g: over(1000), mg: over(1_000_000), lb: times(pound.kg), oz: times(ounce.kg), st: times(stone.kg) },
  g: { kg: times(1000), mg: over(1000), ug: over(1_000_000), oz: times(ounce.g), lb: times(pound.g) },
  mg: { g: times(1000), kg: times(1_000_000), ug: over(1000) },
  ug: { mg: times(1000), g: times(1_000_000), ng: over(1000) },
  '°C': { '°F': times(5, 9, 32), K: times(1, 1, 273.15) },
  kcal: { cal: over(1000), kJ: over(kilocalorie.kJ), J: over(kilocalorie.J) },
  'kcal/d': { 'kJ/d': over(kilocalorie.kJ), W: times(86_400, kilocalorie.J) },
  W: { kW: times(1000) },
  min: { s: over(60), ms: over(60_000), h: times(60), d: times(1440) },
  ms: { s: times(1000), us: over(1000) },
  'km/h': {
    'm/s': times(3.6),
    mph: times(mile.km),
    'ft/s': times(foot.m * 3600, 1000),
    'cm/s': times(36, 1000),
  },
  'm/s': { 'km/h': over(3.6), mph: times(mile.m, 3600), 'ft/s': times(foot.m), 'cm/s': over(100) },
  's/km': { 's/m': times(1000), 'min/km': times(60), 's/mi': over(mile.km), 'min/mi': times(60, mile.km) },
  bpm: perMinute,
  'breaths/min': perMinute,
  'steps/min': perMinute,
  rpm: perMinute,
  'events/h': { '/h': same, '/min': times(60) },
  mmHg: {
    Pa: over(millimeterOfMercury.Pa),
    hPa: times(100, millimeterOfMercury.Pa),
    kPa: times(1000, millimeterOfMercury.Pa),
    cmH2O: times(centimeterOfWater.Pa, millimeterOfMercury.Pa),
    inHg: times(25.4),
  },
  'mmol/L': { 'umol/L': over(1000) },
  '%': { ratio: times(100), '‰': over(10) },
  ratio: { '%': over(100) },
  L: { mL: over(1000), cL: over(100), dL: over(10) },
  mL: {
    L: times(1000),
    dL: times(100),
    cL: times(10),
    'fl oz': times(usFluidOunce.mL),
    'fl oz (imp)': times(imperialFluidOunce.mL),
    cup: times(usCup.mL),
    'cup (imp)': times(imperialCup.mL),
    pt: times(usPint.mL),
    'pt (imp)': times(imperialPint.mL),
  },
  'L/min': { 'L/s': times(60), 'mL/min': over(1000) },
  'MET-min': { 'MET-h': times(60) },
  uS: { nS: over(1000), mS: times(1000), S: times(1_000_000) },
};

/** The commonly used factor. It is valid only for glucose, not for other values in millimoles. */
const glucose: Conversions = { 'mg/dL': over(18.0182) };

/** Conversions that depend on the substance or the meaning of the number. */
const ofOneMetric: Readonly<Record<string, Conversions>> = {
  blood_glucose: glucose,
  blood_glucose_min: glucose,
  blood_glucose_max: glucose,
  // By the definition of the unit. Units of vitamins A and E depend on the chemical form and cannot be converted.
  vitamin_d: { IU: over(40) },
  // A temperature difference has no zero offset.
  sleep_temperature_deviation: { '°F': times(5, 9), K: same },
  basal_body_temperature_shift: { '°F': times(5, 9), K: same },
};

/** All units that values of this metric may have, the catalog unit first. */
export function conversionsOf(metric: Metric): ReadonlyMap<string, Conversion> {
  const general = conversions[metric.unit as UnitLabel] ?? {};
  return new Map(Object.entries({ [metric.unit]: same, ...general, ...ofOneMetric[metric.id] }));
}
