import { metrics } from '@tributary/domain';

/** Metrics that may be uploaded as readings or daily totals. */
export const acceptedMetrics = metrics.filter(
  ({ origin, kind, id }) => (origin === 'measured' && kind !== 'session') || id === 'total_energy',
);
