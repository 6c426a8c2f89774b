import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { commit, version } from '../version.ts';
import type pg from 'pg';
import { createBacklogMetrics } from './backlog-metrics.ts';
import { LoopGauge } from './loop-gauge.ts';
import { createSyncMetrics } from './sync-metrics.ts';

/** All metrics of the process. No label ever contains an ID, so the number of series stays bounded. */
export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  requestsInFlight: Gauge;
  unfinishedBodies: Gauge;
  requestBodyBytes: Gauge;
  eventStreams: Gauge;
  limiterSeconds: Histogram<'source'>;
  limiterDecisions: Counter<'source' | 'outcome'>;
  limiterLocal: Gauge;
  pendingBatches: Gauge;
  lockedPartitions: Gauge;
  ingestSeconds: Histogram;
  ingestedBatches: Counter;
  deadLetters: Counter;
  lostPointers: Counter;
  jobLagSeconds: Gauge<'queue'>;
  jobFailures: Counter<'queue'>;
  reconsolidations: Counter;
  scoreRuns: Counter;
  sequencedEvents: Counter;
  feedLagSeconds: Gauge;
  auditEntries: Counter;
  auditLagSeconds: Gauge;
  auditAlarms: Counter;
  accessRecords: Counter<'outcome'>;
  deliveryAttempts: Counter<'outcome'>;
  deliverySeconds: Histogram;
  deliveryLagSeconds: Gauge;
  mails: Counter<'outcome'>;
  syncRuns: Counter<'provider' | 'cause' | 'outcome'>;
  providerPushes: Counter<'provider' | 'outcome'>;
  failedPushes: Counter<'provider' | 'outcome'>;
  tokenRenewals: Counter<'outcome'>;
  tokenRenewalLagSeconds: Gauge;
  backlogItems: Gauge<'queue'>;
  backlogAgeSeconds: Gauge<'queue'>;
  backlogLargestAccountItems: Gauge<'queue'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'tributary_build_info',
    help: 'Always 1, with the versions of the service and of Node.js as labels',
    labelNames: ['version', 'commit', 'node_version'],
    registers,
  }).set({ version, commit: commit ?? 'unknown', node_version: process.versions.node }, 1);
  return {
    registry,
    ...createRequestMetrics(registers),
    ...createIngestMetrics(registers),
    ...createEventMetrics(registers),
    ...createSyncMetrics(registers),
    ...createBacklogMetrics(registers),
  };
}

function createRequestMetrics(registers: Registry[]) {
  return {
    requestSeconds: new Histogram({
      name: 'tributary_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'tributary_http_requests_in_flight',
      help: 'HTTP requests being served',
      registers,
    }),
    unfinishedBodies: new Gauge({
      name: 'tributary_http_unfinished_bodies',
      help: 'Request bodies that have not arrived completely',
      registers,
    }),
    requestBodyBytes: new Gauge({
      name: 'tributary_http_request_body_bytes',
      help: 'Memory of request bodies that are arriving or being processed',
      registers,
    }),
    eventStreams: new Gauge({
      name: 'tributary_event_streams',
      help: 'Open event streams, which do not count as requests in flight',
      registers,
    }),
    limiterSeconds: new Histogram({
      name: 'tributary_limiter_duration_seconds',
      help: 'Time that requests waited for the rate limiter; `tripped` requests waited for the shared store without a result',
      labelNames: ['source'],
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
      registers,
    }),
    limiterDecisions: new Counter({
      name: 'tributary_limiter_decisions_total',
      help: 'Rate limiter decisions by source and outcome; `local` and `tripped` enforce the share of this node',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    accessRecords: new Counter({
      name: 'tributary_access_records_total',
      help: 'Access records by outcome; `lost` could not be written before the process ended',
      labelNames: ['outcome'],
      registers,
    }),
    limiterLocal: new Gauge({
      name: 'tributary_limiter_local',
      help: '1 while this node enforces its own share because the shared store is unavailable',
      registers,
    }),
  };
}

function createIngestMetrics(registers: Registry[]) {
  return {
    pendingBatches: new LoopGauge({
      name: 'tributary_ingest_pending_batches',
      help: 'Committed batches that are not yet processed, across all nodes',
      registers,
    }),
    lockedPartitions: new LoopGauge({
      name: 'tributary_ingest_held_partitions',
      help: 'Partitions locked by this process; the sum across all processes is 64',
      registers,
    }),
    ingestSeconds: new Histogram({
      name: 'tributary_ingest_transaction_seconds',
      help: 'Duration of ingest transactions',
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    ingestedBatches: new Counter({
      name: 'tributary_ingest_batches_total',
      help: 'Batches processed',
      registers,
    }),
    deadLetters: new Counter({
      name: 'tributary_ingest_dead_letters_total',
      help: 'Batches that became dead letters after too many attempts',
      registers,
    }),
    lostPointers: new Counter({
      name: 'tributary_lost_pointers_total',
      help: 'Pointers that the broker did not accept; workers fall back to polling',
      registers,
    }),
    jobLagSeconds: new LoopGauge({
      name: 'tributary_job_lag_seconds',
      help: 'Age of the oldest job that is due but not started, by queue',
      labelNames: ['queue'],
      registers,
    }),
    jobFailures: new Counter({
      name: 'tributary_job_failures_total',
      help: 'Failed jobs by queue; they are retried after a pause',
      labelNames: ['queue'],
      registers,
    }),
  };
}

function createEventMetrics(registers: Registry[]) {
  return {
    sequencedEvents: new Counter({
      name: 'tributary_sequenced_events_total',
      help: 'Events that this process assigned a feed position',
      registers,
    }),
    feedLagSeconds: new LoopGauge({
      name: 'tributary_feed_lag_seconds',
      help: 'Time that the oldest event has waited for its feed position',
      registers,
    }),
    auditEntries: new Counter({
      name: 'tributary_audit_entries_total',
      help: 'Audit entries chained by this process',
      registers,
    }),
    auditLagSeconds: new LoopGauge({
      name: 'tributary_audit_lag_seconds',
      help: 'Time that the oldest audit entry has waited to be chained',
      registers,
    }),
    auditAlarms: new Counter({
      name: 'tributary_audit_alarms_total',
      help: 'Times that an audit chain was found modified by another writer',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'tributary_delivery_attempts_total',
      help: 'Webhook delivery attempts by resulting delivery status; `pending` deliveries are retried',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'tributary_delivery_duration_seconds',
      help: 'Time until the endpoint responded or the attempt was abandoned',
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    deliveryLagSeconds: new LoopGauge({
      name: 'tributary_delivery_lag_seconds',
      help: 'Age of the oldest due delivery of the webhooks that this process sends to, excluding endpoints that do not respond',
      registers,
    }),
    mails: new Counter({
      name: 'tributary_mails_total',
      help: 'Emails by outcome; `delayed` counts failed attempts that are retried',
      labelNames: ['outcome'],
      registers,
    }),
  };
}

/** Reports the state of a connection pool at scrape time. */
export function observePools(
  metrics: Metrics,
  pools: Record<string, pg.Pool>,
  liveNodes: () => number,
): void {
  new Gauge({
    name: 'tributary_database_connections',
    help: 'Database connections by pool and state; `waiting` counts requests waiting for a connection',
    labelNames: ['pool', 'state'],
    registers: [metrics.registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  new Gauge({
    name: 'tributary_live_nodes',
    help: 'API nodes that this node considers alive, including itself',
    registers: [metrics.registry],
    collect() {
      this.set(liveNodes());
    },
  });
}
