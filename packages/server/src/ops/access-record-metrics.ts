import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Reports at scrape time how many access records wait to be written, and for how long. */
export function observeAccessRecords(
  metrics: Metrics,
  recorder: { readonly waiting: number; readonly oldestMs: number | null },
  clock: { now: () => number },
): void {
  new Gauge({
    name: 'tributary_access_records_waiting',
    help: 'Access records of this process that are not written yet',
    registers: [metrics.registry],
    collect() {
      this.set(recorder.waiting);
    },
  });
  new Gauge({
    name: 'tributary_access_records_lag_seconds',
    help: 'How long the oldest access record of this process has waited to be written',
    registers: [metrics.registry],
    collect() {
      const { oldestMs } = recorder;
      this.set(oldestMs === null ? 0 : Math.max(0, clock.now() - oldestMs) / 1000);
    },
  });
}
