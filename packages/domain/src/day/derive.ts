import { findMetric } from '../catalog/catalog.ts';

/** Reads the answer of the day for a metric, in its unit; null when there is none. */
type Read = (metricId: string) => number | null;

/** An answer that follows from other answers of the same day, once those are decided. */
interface Rule {
  id: string;
  from: readonly string[];
  /** `reported` is what the best device itself says of the metric. */
  compute: (read: Read, reported: Read) => number | null;
}

/** Both, or nothing. */
function both(read: Read, a: string, b: string, combine: (a: number, b: number) => number): number | null {
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
      both(
        read,
        'blood_pressure_systolic',
        'blood_pressure_diastolic',
        (high, low) => low + (high - low) / 3,
      ),
  },
  {
    id: 'waist_to_height_ratio',
    from: ['waist_circumference', 'height'],
    compute: (read) => both(read, 'waist_circumference', 'height', (waist, height) => waist / height),
  },
  // The energy of the day is the sum of its parts; a source's own total serves only when a part is missing.
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

/** Rules in an order in which each finds its inputs done, with numbers of the catalog instead of ids. */
export const derivedMetrics = rules.map(({ id, from, compute }) => ({
  no: findMetric(id)!.no,
  from: from.map((input) => findMetric(input)!.no),
  compute,
}));

/** All metrics that have to be at hand when one of these changes: themselves, what follows from them, and what that follows from. */
export function withDerived(metricNumbers: readonly number[]): number[] {
  const wanted = new Set(metricNumbers);
  for (const { no, from } of derivedMetrics) {
    if (!from.some((input) => wanted.has(input))) continue;
    wanted.add(no);
    for (const input of from) wanted.add(input);
  }
  return [...wanted];
}
