import { Counter, type Registry } from 'prom-client';
import { LoopGauge } from './loop-gauge.ts';

/** Metrics of providers, and of what is computed afterwards. */
export function createSyncMetrics(registers: Registry[]) {
  return {
    syncRuns: new Counter({
      name: 'tributary_sync_runs_total',
      help: 'Provider sync runs by trigger and outcome',
      labelNames: ['provider', 'cause', 'outcome'],
      registers,
    }),
    providerPushes: new Counter({
      name: 'tributary_provider_pushes_total',
      help: 'Provider pushes by outcome: `kept`, or the status of the response',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    failedPushes: new Counter({
      name: 'tributary_provider_push_failures_total',
      help: 'Attempts to process a provider push that failed, by outcome: `postponed`, or `dropped` after a week',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    tokenRenewals: new Counter({
      name: 'tributary_token_renewals_total',
      help: 'Refreshes of provider tokens by outcome: `renewed`, or the kind of failure',
      labelNames: ['outcome'],
      registers,
    }),
    tokenRenewalLagSeconds: new LoopGauge({
      name: 'tributary_token_renewal_lag_seconds',
      help: 'Time that the oldest requested refresh of provider tokens has waited',
      registers,
    }),
    scoreRuns: new Counter({
      name: 'tributary_score_runs_total',
      help: 'User score recomputations',
      registers,
    }),
    reconsolidations: new Counter({
      name: 'tributary_reconsolidations_total',
      help: 'User histories recomputed after a change of consolidation settings',
      registers,
    }),
  };
}
