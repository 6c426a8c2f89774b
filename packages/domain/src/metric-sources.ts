import { isUploadable } from './batch/plausible.ts';
import { findMetric } from './catalog/catalog.ts';
import type { Metric } from './catalog/metric.ts';
import { ruleOf } from './day/derive.ts';
import { valuesWithScores } from './scores/daily/daily-values.ts';
import { dailyOfScores } from './scores/score-day.ts';
import { canonicalSleepMetrics, summarizedSleepMetrics } from './sessions/sleep-day.ts';
import { canonicalWorkoutMetrics } from './sessions/workout-day.ts';

/**
 * Where values of a metric come from, besides cloud providers: a health store on the phone, uploads of devices that no store or provider knows,
 * sleep and workouts, other values of the day, and scoring.
 */
export type MetricSource = 'apple_health' | 'health_connect' | 'upload' | 'sessions' | 'derived' | 'scores';

/** Measured metrics that neither health stores nor the supported providers have. Apps upload them from devices of their own. */
export const uploadOnlyMetrics: readonly string[] = [
  'met_minutes',
  'skeletal_muscle_mass',
  'intracellular_water',
  'extracellular_water',
  'hip_circumference',
  'sleep_restlessness',
  'oxygen_desaturation_index',
  'snoring_time',
  'glucose_time_in_range',
  'glucose_time_below_range',
  'glucose_time_above_range',
  'glucose_variability',
  'blood_ketones',
  'blood_lactate',
  'added_sugar',
  'alcohol',
  'fruit_vegetables',
  'eating_window',
  'basal_body_temperature_shift',
];

const uploadOnly = new Set(uploadOnlyMetrics);
/** Computed from the heart rate of a workout when it is read or scored. */
const ofWorkouts = ['zone_1', 'zone_2', 'zone_3', 'zone_4', 'zone_5', 'strain'];
const ofSessions = new Set([
  ...summarizedSleepMetrics,
  ...canonicalSleepMetrics,
  ...canonicalWorkoutMetrics,
  ...ofWorkouts.map((id) => findMetric(id)!.no),
]);
const withScores = new Set([...Object.keys(dailyOfScores), ...valuesWithScores]);

/** The sources of a metric except cloud providers. Code lists of other systems count only if uploads may contain the metric. */
export function sourcesOf(metric: Metric): MetricSource[] {
  const canUpload = isUploadable(metric);
  const sources: [MetricSource, boolean][] = [
    ['apple_health', canUpload && metric.healthkit !== null],
    ['health_connect', canUpload && metric.healthConnect !== null],
    ['upload', canUpload && uploadOnly.has(metric.id)],
    ['sessions', ofSessions.has(metric.no)],
    ['derived', ruleOf(metric.no) !== undefined],
    ['scores', metric.origin === 'score' || withScores.has(metric.id)],
  ];
  return sources.filter(([, applies]) => applies).map(([source]) => source);
}
