import { metrics } from '@tributary/domain';

/** What may be uploaded as readings or totals of a day. */
export const acceptedMetrics = metrics.filter(
  ({ origin, kind, id }) => (origin === 'measured' && kind !== 'session') || id === 'total_energy',
);
