import { findMetric, metrics, sourcesOf, uploadOnlyMetrics, type Metric } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { providers } from './providers.ts';

const byProviders = new Set(providers.flatMap((provider) => provider.metrics));

/** Sources that compute values, so that no device needs to report the metric. */
const isComputed = (metric: Metric) =>
  sourcesOf(metric).some((source) => source === 'sessions' || source === 'derived' || source === 'scores');

function idsWhere(condition: (metric: Metric) => boolean): string[] {
  return metrics.filter(condition).map(({ id }) => id);
}

describe('every metric of the catalog', () => {
  test('has a source: a provider, a health store, an upload or a computation', () => {
    expect(idsWhere((metric) => sourcesOf(metric).length === 0 && !byProviders.has(metric.id))).toEqual([]);
  });

  test('is computed if it is derived or a score', () => {
    expect(idsWhere((metric) => metric.origin !== 'measured' && !isComputed(metric))).toEqual([]);
  });

  test('is reported by something if it is measured, and may be computed, too', () => {
    const lacking = idsWhere(
      (metric) =>
        metric.origin === 'measured' &&
        !byProviders.has(metric.id) &&
        sourcesOf(metric).every((source) => source === 'derived' || source === 'scores'),
    );
    expect(lacking).toEqual([]);
  });
});

test('lists as uploads only what has no other source', () => {
  for (const id of uploadOnlyMetrics) {
    expect(sourcesOf(findMetric(id)!), id).toEqual(['upload']);
    expect(byProviders.has(id), id).toBe(false);
  }
});

test('does not count codes of metrics that uploads may not contain', () => {
  expect(findMetric('workout_count')!.healthkit).not.toBeNull();
  expect(sourcesOf(findMetric('workout_count')!)).toEqual(['sessions']);
  expect(sourcesOf(findMetric('total_energy')!)).toEqual(['health_connect', 'derived']);
});
