import type { BatchWire } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { hourMs } from '../durations.ts';
import { distanceMetricOf, sportTypeOf, type SportType } from '../sessions/sport-types.ts';
import { isFromUnsetClock, type ReadingBounds } from './plausible.ts';
import type { Rejections } from './rejections.ts';
import { minutesOf } from './utc-offset.ts';

type WorkoutWire = NonNullable<BatchWire['workouts']>[number];

/** One workout as one device reported it. */
export interface WorkoutReading {
  id: string;
  sport: SportType;
  startMs: number;
  endMs: number;
  utcOffsetMinutes: number | null;
  name: string | null;
  /** Metric id → value in the catalog's unit. */
  values: Record<string, number>;
  /** Milliseconds from the start of the workout, and beats per minute. Empty without a trace. */
  heartRate: { offsetsMs: number[]; bpm: number[] };
}

const longestWorkoutMs = 48 * hourMs;

/** Reads one workout. Null if it is rejected. Drops implausible values and keeps the rest. */
export function readWorkout(
  workout: WorkoutWire,
  index: number,
  bounds: ReadingBounds,
  rejections: Rejections,
): WorkoutReading | null {
  const startMs = Date.parse(workout.start);
  const endMs = Date.parse(workout.end);
  if (!bounds.scopes.includes('activity')) {
    rejections.add('workouts', index, 'out_of_scope');
    return null;
  }
  const timely =
    startMs >= bounds.earliestMs &&
    endMs > startMs &&
    endMs <= bounds.latestMs &&
    endMs - startMs <= longestWorkoutMs;
  if (!timely) {
    rejections.add('workouts', index, 'invalid_time');
    return null;
  }
  if (isFromUnsetClock(startMs) || isFromUnsetClock(endMs)) {
    rejections.add('workouts', index, 'unset_clock');
    return null;
  }
  const sport = sportTypeOf(workout.sport_type);
  const values: Record<string, number> = {};
  for (const [id, value] of Object.entries(workout.values ?? {})) {
    const metric = findMetric(id);
    const limits = metric && boundsOf(metric, sport);
    if (!metric || !limits) rejections.add('workouts', index, 'unknown_metric');
    else if (!belongsToWorkouts(metric)) rejections.add('workouts', index, 'not_accepted');
    else if (value < limits.min || value > limits.max) rejections.add('workouts', index, 'out_of_range');
    else values[id] = value;
  }
  return {
    id: workout.id,
    sport,
    startMs,
    endMs,
    utcOffsetMinutes: minutesOf(workout.utc_offset),
    name: workout.name ?? null,
    values,
    heartRate: readTrace(workout, index, startMs, endMs, rejections),
  };
}

function belongsToWorkouts(metric: Metric): boolean {
  const surfaces = new Set([...metric.form1Surfaces, ...metric.form2Surfaces]);
  return metric.origin === 'measured' && (surfaces.has('workouts') || surfaces.has('workout_detail'));
}

/** The bounds are those of the sport's own distance metric, whose unit may be meters. */
function boundsOf(metric: Metric, sport: SportType): { min: number; max: number } {
  const own = metric.id === 'distance' ? distanceMetricOf(sport) : null;
  if (!own) return metric;
  const { min, max, unit } = findMetric(own) ?? metric;
  const perKm = unit === 'm' ? 1000 : 1;
  return { min: min / perKm, max: max / perKm };
}

const heartRateBounds = findMetric('heart_rate')!;

function readTrace(
  { heart_rate: trace }: WorkoutWire,
  index: number,
  startMs: number,
  endMs: number,
  rejections: Rejections,
): WorkoutReading['heartRate'] {
  if (!trace) return { offsetsMs: [], bpm: [] };
  const { values, interval_seconds: interval, offsets_seconds: offsets } = trace;
  const placed = offsets ? offsets.length === values.length : interval !== undefined || values.length === 1;
  if (!placed) {
    rejections.add('workouts', index, 'invalid_series', values.length);
    return { offsetsMs: [], bpm: [] };
  }
  const traceStartMs = Date.parse(trace.start);
  const byOffset = new Map<number, number>();
  values.forEach((bpm, at) => {
    const timeMs = Math.round(traceStartMs + (offsets ? offsets[at]! : at * (interval ?? 0)) * 1000);
    if (bpm < heartRateBounds.min || bpm > heartRateBounds.max)
      rejections.add('workouts', index, 'out_of_range', 1, at);
    else if (timeMs < startMs || timeMs > endMs) rejections.add('workouts', index, 'invalid_time', 1, at);
    else byOffset.set(timeMs - startMs, bpm);
  });
  const inOrder = [...byOffset].sort(([a], [b]) => a - b);
  return { offsetsMs: inOrder.map(([offset]) => offset), bpm: inOrder.map(([, bpm]) => bpm) };
}
