import type { Scope } from '@tributary/contract';
import type { Category, Metric } from './metric.ts';

const scopes: Readonly<Record<Category, Scope>> = {
  Activity: 'activity',
  Energy: 'energy',
  'Body Composition': 'body_composition',
  Sleep: 'sleep',
  Vitals: 'vitals',
  Nutrition: 'nutrition',
  Scores: 'scores',
};

/** The scope that a mobile token requires to upload this metric. */
export function scopeOf(metric: Metric): Scope {
  return scopes[metric.category];
}
