import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What the main thread sends to the ingest thread. */
export type ThreadRequest = { kind: 'metrics'; ticket: number } | { kind: 'stop' };

/** What the ingest thread sends to the main thread. */
export type ThreadReply =
  | { kind: 'started' }
  | { kind: 'metrics'; ticket: number; metrics: MetricObjectWithValues<MetricValue<string>>[] };
