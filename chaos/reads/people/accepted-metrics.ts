import { isOptIn, metrics } from '@tributary/domain';

/** Metrics that may be uploaded as readings or daily totals with the default scopes. */
export const acceptedMetrics = metrics.filter(
  (metric) =>
    ((metric.origin === 'measured' && metric.kind !== 'session') || metric.id === 'total_energy') &&
    !isOptIn(metric),
);
