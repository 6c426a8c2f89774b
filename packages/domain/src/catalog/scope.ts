import { optInScopes, type Scope } from '@tributary/contract';
import type { Category, Metric } from './metric.ts';

const scopes: Readonly<Record<Category, Scope>> = {
  Activity: 'activity',
  Energy: 'energy',
  'Body Composition': 'body_composition',
  Sleep: 'sleep',
  Vitals: 'vitals',
  Nutrition: 'nutrition',
  'Reproductive Health': 'reproductive_health',
  Scores: 'scores',
};

/** The scope that a mobile token requires to upload this metric. */
export function scopeOf(metric: Metric): Scope {
  return scopes[metric.category];
}

/** Whether people have to turn on a metric's category. Reads return such metrics only by ID, and events name neither them nor their days. */
export function isOptIn(metric: Metric): boolean {
  return optInScopes.includes(scopeOf(metric));
}
