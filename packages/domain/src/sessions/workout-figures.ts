import { findMetric } from '../catalog/catalog.ts';
import type { TraceSummary } from './heart-rate-trace.ts';

/** A workout as far as its figures follow from it. */
export interface FiguredWorkout {
  readonly startMs: number;
  readonly endMs: number;
  /** Metric id → value in the catalog's unit, as the source told it. */
  readonly values: Readonly<Record<string, number>>;
  readonly trace: Pick<TraceSummary, 'meanBpm' | 'maxBpm'> | null;
}

/** Null for what was neither told nor follows from what was. */
export interface WorkoutFigures {
  readonly durationMinutes: number;
  readonly averageHeartRate: number | null;
  readonly maxHeartRate: number | null;
  readonly speedKmh: number | null;
  readonly paceSecondsPerKm: number | null;
}

/** The figures that a source may leave to us. What it told itself wins. */
export function figuresOf({ startMs, endMs, values, trace }: FiguredWorkout): WorkoutFigures {
  const durationMinutes = values['duration'] ?? (endMs - startMs) / 60_000;
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
