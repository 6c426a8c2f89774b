import type { Registry } from 'prom-client';
import { LoopGauge } from './loop-gauge.ts';

/** How much work waits in the database, measured by one process of the role `jobs`. */
export function createBacklogMetrics(registers: Registry[]) {
  return {
    backlogItems: new LoopGauge({
      name: 'tributary_backlog_items',
      help: 'Items that are due and not processed, across all nodes, up to 10,000 per queue',
      labelNames: ['queue'],
      registers,
    }),
    backlogAgeSeconds: new LoopGauge({
      name: 'tributary_backlog_age_seconds',
      help: 'How long the oldest item that is due has waited, by queue',
      labelNames: ['queue'],
      registers,
    }),
    backlogLargestAccountItems: new LoopGauge({
      name: 'tributary_backlog_largest_account_items',
      help: 'Items of the account that has the most in the queue; close to all of them: one account delays its own data',
      labelNames: ['queue'],
      registers,
    }),
  };
}
