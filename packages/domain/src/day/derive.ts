import { findMetric } from '../catalog/catalog.ts';
import { measurementOf } from '../catalog/measurements.ts';
import type { Metric } from '../catalog/metric.ts';

/** Reads the canonical value of a metric, in its unit. Null if there is none. */
type Read = (metricId: string) => number | null;

/**
 * Computes a canonical value from other canonical values of the same day. Null if an input is missing or the inputs contradict each other. If
 * the metric has a method, it is computed only if no device reports it.
 */
interface Rule {
  id: string;
  from: readonly string[];
  /** `reported` reads the value that the highest-ranked device reported for the metric. */
  compute: (read: Read, reported: Read) => number | null;
}

/** Combines both values. Null if either is missing. */
function both(
  read: Read,
  a: string,
  b: string,
  combine: (a: number, b: number) => number | null,
): number | null {
  const [first, second] = [read(a), read(b)];
  return first === null || second === null ? null : combine(first, second);
}

const rules: Rule[] = [
  {
    id: 'restorative_sleep',
    from: ['deep_sleep', 'REM'],
    compute: (read) => both(read, 'deep_sleep', 'REM', (deep, rem) => deep + rem),
  },
  {
    id: 'pulse_pressure',
    from: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
    compute: (read) =>
      both(read, 'blood_pressure_systolic', 'blood_pressure_diastolic', (high, low) => high - low),
  },
  {
    id: 'mean_arterial_pressure',
    from: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
    compute: (read) =>
      both(read, 'blood_pressure_systolic', 'blood_pressure_diastolic', (high, low) =>
        high > low ? low + (high - low) / 3 : null,
      ),
  },
  {
    id: 'waist_to_height_ratio',
    from: ['waist_circumference', 'height'],
    compute: (read) => both(read, 'waist_circumference', 'height', (waist, height) => waist / height),
  },
  {
    id: 'body_mass_index',
    from: ['weight', 'height', 'body_mass_index'],
    compute: (read) => both(read, 'weight', 'height', (kg, cm) => kg / (cm / 100) ** 2),
  },
  {
    id: 'intensity_minutes',
    from: ['moderate_intensity_activity', 'vigorous_intensity_activity', 'intensity_minutes'],
    compute: (read) =>
      both(
        read,
        'moderate_intensity_activity',
        'vigorous_intensity_activity',
        (moderate, vigorous) => moderate + 2 * vigorous,
      ),
  },
  // Total energy is the sum of its parts. A reported total is used only if a part is missing.
  {
    id: 'total_energy',
    from: ['active_calories', 'resting_energy', 'total_energy'],
    compute: (read, reported) =>
      both(read, 'active_calories', 'resting_energy', (active, resting) => active + resting) ??
      reported('total_energy'),
  },
  {
    id: 'energy_balance',
    from: ['dietary_energy', 'total_energy'],
    compute: (read) => both(read, 'dietary_energy', 'total_energy', (eaten, spent) => eaten - spent),
  },
];

/**
 * Rules with catalog numbers instead of IDs, ordered so that inputs are computed before the rules that use them. Their results are within
 * the range of the metric, or null.
 */
export const derivedMetrics = rules.map(({ id, from, compute }) => {
  const metric = findMetric(id)!;
  return {
    no: metric.no,
    from: from.map((input) => findMetric(input)!.no),
    compute: (read: Read, reported: Read) => inRange(metric, compute(read, reported)),
  };
});

function inRange({ min, max }: Metric, value: number | null): number | null {
  return value !== null && value >= min && value <= max ? value : null;
}

/** The rule for a metric. Undefined if it is not derived. */
export function ruleOf(metricNo: number): (typeof derivedMetrics)[number] | undefined {
  return rulesByNumber.get(metricNo);
}

const rulesByNumber = new Map(derivedMetrics.map((rule) => [rule.no, rule]));

/** The other metrics that a metric is derived from. Empty if it is not derived. */
export function inputsOf(metricNo: number): number[] {
  const rule = ruleOf(metricNo);
  return rule ? rule.from.filter((input) => input !== metricNo) : [];
}

/** All metrics to load when one of these changes: those measured together, those derived from them, and the inputs of those. */
export function withDerived(metricNumbers: readonly number[]): number[] {
  const wanted = new Set(metricNumbers.flatMap((no) => measurementOf(no) ?? [no]));
  for (const { no, from } of derivedMetrics) {
    if (!from.some((input) => wanted.has(input))) continue;
    wanted.add(no);
    for (const input of from) wanted.add(input);
  }
  return [...wanted];
}
