import type { LoopName } from '../loops.ts';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What the main thread sends to the ingest thread. */
export type ThreadRequest = { kind: 'metrics'; ticket: number } | { kind: 'stop' };

/** What the ingest thread sends to the main thread. */
export type ThreadReply =
  | { kind: 'started' }
  /** Milliseconds since the last beat of each loop of the thread. */
  | { kind: 'loops'; ages: readonly (readonly [LoopName, number])[] }
  | { kind: 'metrics'; ticket: number; metrics: MetricObjectWithValues<MetricValue<string>>[] };
