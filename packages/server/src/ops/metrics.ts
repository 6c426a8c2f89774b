import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type pg from 'pg';

/** Everything that the process counts about itself. No label ever holds an id, so the number of series stays bounded. */
export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  requestsInFlight: Gauge;
  eventStreams: Gauge;
  limiterSeconds: Histogram<'source'>;
  limiterDecisions: Counter<'source' | 'outcome'>;
  limiterLocal: Gauge;
  pendingBatches: Gauge;
  heldPartitions: Gauge;
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
  deliveryAttempts: Counter<'outcome'>;
  deliverySeconds: Histogram;
  deliveryLagSeconds: Gauge;
  mails: Counter<'outcome'>;
  syncRuns: Counter<'provider' | 'cause' | 'outcome'>;
  providerPushes: Counter<'provider' | 'outcome'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    ...createRequestMetrics(registers),
    ...createIngestMetrics(registers),
    ...createEventMetrics(registers),
    ...createSyncMetrics(registers),
  };
}

function createRequestMetrics(registers: Registry[]) {
  return {
    requestSeconds: new Histogram({
      name: 'tributary_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'tributary_http_requests_in_flight',
      help: 'Requests being served',
      registers,
    }),
    eventStreams: new Gauge({
      name: 'tributary_event_streams',
      help: 'Streams of events that are open; they are no requests in flight',
      registers,
    }),
    limiterSeconds: new Histogram({
      name: 'tributary_limiter_duration_seconds',
      help: 'Time that a request waited for the rate limiter; `tripped` are those that waited for the shared store in vain',
      labelNames: ['source'],
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
      registers,
    }),
    limiterDecisions: new Counter({
      name: 'tributary_limiter_decisions_total',
      help: 'Decisions of the rate limiter: by the shared store, or for this node’s share (`local`, `tripped`)',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    limiterLocal: new Gauge({
      name: 'tributary_limiter_local',
      help: '1 while this node limits its own share because the shared store is away',
      registers,
    }),
  };
}

function createIngestMetrics(registers: Registry[]) {
  return {
    pendingBatches: new Gauge({
      name: 'tributary_ingest_pending_batches',
      help: 'Batches that are committed and not yet in the answers, over all nodes',
      registers,
    }),
    heldPartitions: new Gauge({
      name: 'tributary_ingest_held_partitions',
      help: 'Partitions that this process works on; over all processes they add up to 64',
      registers,
    }),
    ingestSeconds: new Histogram({
      name: 'tributary_ingest_transaction_seconds',
      help: 'Time of one transaction that brings batches into the answers',
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    ingestedBatches: new Counter({
      name: 'tributary_ingest_batches_total',
      help: 'Batches brought into the answers',
      registers,
    }),
    deadLetters: new Counter({
      name: 'tributary_ingest_dead_letters_total',
      help: 'Batches set aside after too many attempts',
      registers,
    }),
    lostPointers: new Counter({
      name: 'tributary_lost_pointers_total',
      help: 'Pointers that the broker did not take; their work is found by looking',
      registers,
    }),
    jobLagSeconds: new Gauge({
      name: 'tributary_job_lag_seconds',
      help: 'Age of the oldest job that is due and not yet started',
      labelNames: ['queue'],
      registers,
    }),
    jobFailures: new Counter({
      name: 'tributary_job_failures_total',
      help: 'Jobs that failed and come back after a pause',
      labelNames: ['queue'],
      registers,
    }),
  };
}

function createEventMetrics(registers: Registry[]) {
  return {
    sequencedEvents: new Counter({
      name: 'tributary_sequenced_events_total',
      help: 'Events that were given their place in a feed by this process',
      registers,
    }),
    feedLagSeconds: new Gauge({
      name: 'tributary_feed_lag_seconds',
      help: 'For how long the oldest event has been waiting for its place in the feed',
      registers,
    }),
    auditEntries: new Counter({
      name: 'tributary_audit_entries_total',
      help: 'Entries that were chained into the audit log by this process',
      registers,
    }),
    auditLagSeconds: new Gauge({
      name: 'tributary_audit_lag_seconds',
      help: 'For how long the oldest entry has been waiting to be chained into the audit log',
      registers,
    }),
    auditAlarms: new Counter({
      name: 'tributary_audit_alarms_total',
      help: 'Times that a chain of the audit log was found touched by somebody else while it was written',
      registers,
    }),
    deliveryAttempts: new Counter({
      name: 'tributary_delivery_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by what became of the delivery; `pending` ones are tried again',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'tributary_delivery_duration_seconds',
      help: 'Time that an endpoint took to answer, or until it was given up',
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    deliveryLagSeconds: new Gauge({
      name: 'tributary_delivery_lag_seconds',
      help: 'Age of the oldest delivery that is due, of the webhooks this process sends to; those that do not answer aside',
      registers,
    }),
    mails: new Counter({
      name: 'tributary_mails_total',
      help: 'Mails by what became of them; `delayed` counts tries that failed, after which a mail is tried again',
      labelNames: ['outcome'],
      registers,
    }),
  };
}

function createSyncMetrics(registers: Registry[]) {
  return {
    syncRuns: new Counter({
      name: 'tributary_sync_runs_total',
      help: 'Looks at what a provider has of one person, by what caused them and what stopped them',
      labelNames: ['provider', 'cause', 'outcome'],
      registers,
    }),
    providerPushes: new Counter({
      name: 'tributary_provider_pushes_total',
      help: 'Pushes of providers: `kept`, or the status by which they were answered or refused',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    scoreRuns: new Counter({
      name: 'tributary_score_runs_total',
      help: 'Times that the scores of a user were worked out again',
      registers,
    }),
    reconsolidations: new Counter({
      name: 'tributary_reconsolidations_total',
      help: 'Histories decided again after a change of consolidation settings',
      registers,
    }),
  };
}

/** Shows how a connection pool is doing, read when asked. */
export function observePools(
  metrics: Metrics,
  pools: Record<string, pg.Pool>,
  liveNodes: () => number,
): void {
  new Gauge({
    name: 'tributary_database_connections',
    help: 'Connections of a pool by state; `waiting` counts requests that wait for one',
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
    help: 'Api nodes that this node knows to live, itself included',
    registers: [metrics.registry],
    collect() {
      this.set(liveNodes());
    },
  });
}
