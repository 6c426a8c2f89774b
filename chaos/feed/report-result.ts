import { quantile, type Report } from '@tributary/rig';
import { describeLatencies, isCalm, latencies, longestSilenceMs } from './latency.ts';
import { naiveOrders } from './naive-reader.ts';
import type { Reader } from './reader.ts';
import type { FeedOptions, FeedResult } from './run.ts';

/** Maximum durations. */
export interface TimeBounds {
  /** From commit until readable through the API, while nothing is disturbed. */
  p99Ms: number;
  /** Without new events after a process was killed. */
  takeOverMs: number;
  /** Until no process reports lag after a stall. Up to a second of that is the metric's interval. */
  recoveryMs: number;
}

/** Lag is measured every second, and the oldest event may have arrived slightly after the transaction began. */
const measureSeconds = 1.5;

/** Reports how many events were written and read, and whether they match. */
export function reportSameness(report: Report, { events }: FeedOptions, result: FeedResult): void {
  const { ledger, readers, verdict, writingSeconds } = result;
  const count = (of: (reader: Reader) => number): number =>
    readers.reduce((sum, reader) => sum + of(reader), 0);
  const zero = (what: string, figure: number): void => report.bound(what, String(figure), '0', figure === 0);
  report.bound('events committed', String(ledger.committed), `≥ ${events}`, ledger.committed >= events);
  report.note(
    'transactions, events per second, rolled back',
    `${ledger.transactions}, ${Math.round(ledger.committed / writingSeconds)}, ${ledger.rolledBack}`,
  );
  report.note(
    `events read by ${readers.length} readers, pages`,
    `${count(({ eventNumbers }) => eventNumbers.length)}, ${count(({ pages }) => pages)}`,
  );
  report.note(
    'reader crashes, of which with an unprocessed page',
    `${count(({ deaths }) => deaths)}, ${count(({ lostPages }) => lostPages.length)}`,
  );
  const refusals = readers.flatMap((reader) => reader.refusals);
  const sample = refusals[0] === undefined ? '' : `, for example ${refusals[0]}`;
  report.bound('responses other than 200', `${refusals.length}${sample}`, '0', refusals.length === 0);
  zero('events missed', verdict.missed);
  zero('events repeated', verdict.repeated);
  zero('events never committed, or of another tenant', verdict.phantoms);
  zero('gaps between positions', verdict.gaps);
  zero("events out of their writer's order", verdict.outOfOrder);
  zero('events at another position than in the feed', verdict.otherOrder);
  zero('pages that changed between two reads', verdict.changedPages);
  for (const [at, { title }] of naiveOrders.entries()) {
    const missed = result.missedNaively[at] ?? 0;
    report.bound(`missed by a naive reader of ${title}`, String(missed), '> 0', missed > 0);
  }
}

/** Reports how soon events could be read, with and without disturbance. */
export function reportTimes(
  report: Report,
  { holdMs }: FeedOptions,
  { ledger, troubles, kills, holds }: FeedResult,
  most: TimeBounds,
): void {
  const calm = latencies(ledger, (at) => isCalm(at, troubles));
  report.bound(
    `commit to API, ${calm.length} events without disturbance`,
    describeLatencies(calm),
    `p99 < ${most.p99Ms} ms`,
    quantile(calm, 0.99) < most.p99Ms,
  );
  const troubled = latencies(ledger, (at) => !isCalm(at, troubles));
  report.note(`commit to API, ${troubled.length} events during disturbances`, describeLatencies(troubled));
  for (const { name, killedAt } of kills) {
    const ms = longestSilenceMs(ledger, { from: killedAt, to: killedAt + 2 * most.takeOverMs });
    report.bound(
      `${name} killed: no new events for`,
      `${ms.toFixed(0)} ms`,
      `≤ ${most.takeOverMs} ms`,
      ms <= most.takeOverMs,
    );
  }
  const leastSeconds = holdMs / 1000 - measureSeconds;
  for (const { reportedLagSeconds, recoveryMs } of holds) {
    report.bound(
      `transaction held open for ${holdMs / 1000} s: reported lag`,
      `${reportedLagSeconds.toFixed(1)} s`,
      `≥ ${leastSeconds} s`,
      reportedLagSeconds >= leastSeconds,
    );
    report.bound(
      'time until no lag is reported',
      `${recoveryMs.toFixed(0)} ms`,
      `≤ ${most.recoveryMs} ms`,
      recoveryMs <= most.recoveryMs,
    );
  }
}
