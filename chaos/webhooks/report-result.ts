import { median, quantile, type Report } from '@tributary/rig';
import type { WebhooksOptions, WebhooksResult } from './run.ts';

export interface Bounds {
  repeatedPart: number;
  p99Ms: number;
  hangingRatio: number;
  perSecond: number;
}

export const strictly: Bounds = { repeatedPart: 0.001, p99Ms: 1_000, hangingRatio: 1.1, perSecond: 800 };
/** CI machines are shared. There, the short run only shows that nothing is stuck; the full run measures latency. */
export const leniently: Bounds = { repeatedPart: 0.005, p99Ms: 5_000, hangingRatio: 3, perSecond: 200 };

/** Reports how many events arrived, and how soon. */
export function reportResult(
  report: Report,
  { endpoints, events }: WebhooksOptions,
  result: WebhooksResult,
  bounds: Bounds,
): void {
  const { deliveries, receivers, latencies, calmP99, hangingP99 } = result;
  const zero = (what: string, figure: number): void => report.bound(what, String(figure), '0', figure === 0);
  report.note('events, endpoints', `${deliveries.committed}, ${endpoints}`);
  report.note('events during faults', `${events} in ${result.troubledSeconds.toFixed(0)} s`);
  zero('deliveries lost', deliveries.lost);
  zero('deliveries that the service reports as not delivered', result.pending);
  const repeatedPart = deliveries.repeated / events;
  report.bound(
    'delivered successfully more than once, always with the same id',
    `${deliveries.repeated} (${(100 * repeatedPart).toFixed(3)}%)`,
    `< ${100 * bounds.repeatedPart}%`,
    repeatedPart < bounds.repeatedPart,
  );
  zero('deliveries to the wrong endpoint', deliveries.strays);
  zero("first attempts out of the user's order", result.outOfOrder);
  report.note('signatures verified by standardwebhooks', String(receivers.verified));
  zero('signatures rejected by standardwebhooks', receivers.forged);
  const p99 = quantile(latencies, 0.99);
  report.bound(
    `commit to healthy endpoint during faults, ${latencies.length} events`,
    `p50 ${quantile(latencies, 0.5).toFixed(0)}, p99 ${p99.toFixed(0)} ms`,
    `p99 < ${bounds.p99Ms} ms`,
    p99 < bounds.p99Ms,
  );
  const ratio = median(hangingP99) / median(calmP99);
  report.bound(
    'p99 while ten hang, relative to all responding',
    `${ratio.toFixed(2)} (${inMs(hangingP99)} of ${inMs(calmP99)} ms)`,
    `≤ ${bounds.hangingRatio}`,
    ratio <= bounds.hangingRatio,
  );
  report.bound(
    'deliveries per second at full speed',
    result.burstPerSecond.toFixed(0),
    `≥ ${bounds.perSecond}`,
    result.burstPerSecond >= bounds.perSecond,
  );
  report.note('time until everything arrived after the faults', `${result.drainSeconds.toFixed(0)} s`);
}

function inMs(times: readonly number[]): string {
  return times.map((ms) => ms.toFixed(0)).join(', ');
}
