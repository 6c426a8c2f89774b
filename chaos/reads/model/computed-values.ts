import { findMetric, type Metric } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import type { CanonicalValue } from './canonical-value.ts';
import type { CanonicalSleep } from './sleep.ts';
import type { ModelWorkout } from './workouts.ts';

interface DecidedDays {
  dates(): Iterable<string>;
  decide(date: string, metric: Metric, method: 'priority'): CanonicalValue | null;
}

/** Adds values that follow from the sessions that the API returns. */
export function addFromSessions(
  canonicalValues: Map<string, CanonicalValue>,
  sleep: readonly CanonicalSleep[],
  workouts: readonly ModelWorkout[],
  days: LocalDays,
): void {
  const set = (date: string, metric: string, micros: number) =>
    canonicalValues.set(`${date} ${metric}`, { micros, source: null, contributors: [] });
  for (const [date, sessions] of Map.groupBy(sleep, (session) => session.date)) {
    set(date, 'nap_count', sessions.filter(({ isMain }) => !isMain).length * 1e6);
    const main = sessions.find(({ isMain }) => isMain);
    if (!main) continue;
    const clock = (instantMs: number) => Math.round(days.minutesFrom(date, instantMs)) * 1e6;
    set(date, 'bedtime', clock(main.startMs));
    set(date, 'wake_time', clock(main.endMs));
    set(date, 'sleep_midpoint', clock((main.startMs + main.endMs) / 2));
  }
  for (const [date, ofDate] of Map.groupBy(workouts, (workout) => workout.date)) {
    set(date, 'workout_count', ofDate.length * 1e6);
    const energies = ofDate.flatMap(({ content }) => content.values['active_calories'] ?? []);
    const energy = energies.reduce((sum, kcal) => sum + Math.round(kcal * 1e6), 0);
    if (energies.length > 0) set(date, 'exercise_energy', energy);
  }
}

/** Adds values that are derived from other values of the same date. */
export function addDerived(canonicalValues: Map<string, CanonicalValue>, day: DecidedDays): void {
  const total = findMetric('total_energy')!;
  for (const date of day.dates()) {
    const of = (metric: string) => {
      const canonicalValue = canonicalValues.get(`${date} ${metric}`);
      return canonicalValue === undefined ? null : canonicalValue.micros / 1e6;
    };
    const set = (metric: string, value: number | null) => {
      const { min, max } = findMetric(metric)!;
      if (value !== null && value >= min && value <= max)
        canonicalValues.set(`${date} ${metric}`, {
          micros: Math.round(value * 1e6),
          source: null,
          contributors: [],
        });
    };
    const both = (a: string, b: string, combine: (a: number, b: number) => number | null) => {
      const [first, second] = [of(a), of(b)];
      return first === null || second === null ? null : combine(first, second);
    };
    set(
      'restorative_sleep',
      both('deep_sleep', 'REM', (a, b) => a + b),
    );
    const [high, low] = ['blood_pressure_systolic', 'blood_pressure_diastolic'] as const;
    set(
      'pulse_pressure',
      both(high, low, (a, b) => a - b),
    );
    set(
      'mean_arterial_pressure',
      both(high, low, (a, b) => (a > b ? b + (a - b) / 3 : null)),
    );
    set(
      'waist_to_height_ratio',
      both('waist_circumference', 'height', (a, b) => a / b),
    );
    // Only if no device reported them.
    if (of('body_mass_index') === null)
      set(
        'body_mass_index',
        both('weight', 'height', (kg, cm) => kg / (cm / 100) ** 2),
      );
    if (of('intensity_minutes') === null)
      set(
        'intensity_minutes',
        both('moderate_intensity_activity', 'vigorous_intensity_activity', (a, b) => a + 2 * b),
      );
    const reportedTotal = day.decide(date, total, 'priority');
    set(
      'total_energy',
      both('active_calories', 'resting_energy', (a, b) => a + b) ??
        (reportedTotal && reportedTotal.micros / 1e6),
    );
    set(
      'energy_balance',
      both('dietary_energy', 'total_energy', (a, b) => a - b),
    );
  }
}
