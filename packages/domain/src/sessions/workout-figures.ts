import { findMetric } from '../catalog/catalog.ts';
import { minuteMs } from '../durations.ts';
import type { TraceSummary } from './heart-rate-trace.ts';

/** The facts about a workout that its figures are computed from. */
export interface FiguredWorkout {
  readonly startMs: number;
  readonly endMs: number;
  /** Metric ID → value in the catalog's unit, as the source reported it. */
  readonly values: Readonly<Record<string, number>>;
  readonly trace: Pick<TraceSummary, 'meanBpm' | 'maxBpm'> | null;
}

/** Null for values that were not reported and cannot be computed. */
export interface WorkoutFigures {
  readonly durationMinutes: number;
  readonly averageHeartRate: number | null;
  readonly maxHeartRate: number | null;
  readonly speedKmh: number | null;
  readonly paceSecondsPerKm: number | null;
}

/** Figures that a source may omit. Reported values take precedence. */
export function figuresOf({ startMs, endMs, values, trace }: FiguredWorkout): WorkoutFigures {
  const durationMinutes = values['duration'] ?? (endMs - startMs) / minuteMs;
  const km = values['distance'] ?? 0;
  const moved = km > 0 && durationMinutes > 0;
  return {
    durationMinutes,
    averageHeartRate: values['heart_rate_avg'] ?? trace?.meanBpm ?? null,
    maxHeartRate: values['heart_rate_max'] ?? trace?.maxBpm ?? null,
    speedKmh:
      values['avg_speed_kmh'] ?? (moved ? ifPlausible('avg_speed_kmh', (km * 60) / durationMinutes) : null),
    paceSecondsPerKm:
      values['avg_pace_seconds_per_km'] ??
      (moved ? ifPlausible('avg_pace_seconds_per_km', (durationMinutes * 60) / km) : null),
  };
}

function ifPlausible(metricId: string, value: number): number | null {
  const { min, max } = findMetric(metricId)!;
  return value >= min && value <= max ? value : null;
}
