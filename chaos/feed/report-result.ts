import { quantile, type Report } from '@tributary/rig';
import { describeLatencies, isCalm, latencies, longestSilenceMs } from './latency.ts';
import { naiveOrders } from './naive-reader.ts';
import type { Reader } from './reader.ts';
import type { FeedOptions, FeedResult } from './run.ts';

/** How long things may take. */
export interface TimeBounds {
  /** From a commit to the API, in calm. */
  p99Ms: number;
  /** Without anything new to read, after a process was killed. */
  takeOverMs: number;
  /** With lag told after a stall; a second of that goes into measuring. */
  goneMs: number;
}

/** The lag is measured every second, and is that of the oldest event, which may have come a little later. */
const measureSeconds = 1.5;

/** What was written and read, and whether it is the same. */
export function reportSameness(report: Report, { events }: FeedOptions, result: FeedResult): void {
  const { ledger, readers, verdict, writingSeconds } = result;
  const count = (of: (reader: Reader) => number): number =>
    readers.reduce((sum, reader) => sum + of(reader), 0);
  const zero = (what: string, figure: number): void => report.bound(what, String(figure), '0', figure === 0);
  report.bound('events committed', String(ledger.committed), `≥ ${events}`, ledger.committed >= events);
  report.note(
    'in transactions, events a second, rolled back',
    `${ledger.transactions}, ${Math.round(ledger.committed / writingSeconds)}, ${ledger.rolledBack}`,
  );
  report.note(
    `read by ${readers.length} readers, pages`,
    `${count(({ taken }) => taken.length)}, ${count(({ pages }) => pages)}`,
  );
  report.note(
    'deaths of readers, with a page in hand',
    `${count(({ deaths }) => deaths)}, ${count(({ lostPages }) => lostPages.length)}`,
  );
  const refusals = readers.flatMap((reader) => reader.refusals);
  const sample = refusals[0] === undefined ? '' : `, such as ${refusals[0]}`;
  report.bound('answers other than 200', `${refusals.length}${sample}`, '0', refusals.length === 0);
  zero('missed', verdict.missed);
  zero('repeated', verdict.repeated);
  zero('never committed, or of another tenant', verdict.phantoms);
  zero('places that are not the next', verdict.gaps);
  zero('out of the order of their writer', verdict.outOfOrder);
  zero('elsewhere than in the feed', verdict.otherOrder);
  zero('pages that changed until read again', verdict.changedPages);
  for (const [at, { title }] of naiveOrders.entries()) {
    const missed = result.missedNaively[at] ?? 0;
    report.bound(`missed by whoever reads ${title}`, String(missed), '> 0', missed > 0);
  }
}

/** How soon events could be read, in calm and in trouble. */
export function reportTimes(
  report: Report,
  { holdMs }: FeedOptions,
  { ledger, troubles, kills, holds }: FeedResult,
  most: TimeBounds,
): void {
  const calm = latencies(ledger, (at) => isCalm(at, troubles));
  report.bound(
    `commit to API, ${calm.length} events in calm`,
    describeLatencies(calm),
    `p99 < ${most.p99Ms} ms`,
    quantile(calm, 0.99) < most.p99Ms,
  );
  const troubled = latencies(ledger, (at) => !isCalm(at, troubles));
  report.note(`the same, ${troubled.length} others`, describeLatencies(troubled));
  for (const { name, killedAt } of kills) {
    const ms = longestSilenceMs(ledger, { from: killedAt, to: killedAt + 2 * most.takeOverMs });
    report.bound(
      `${name} killed: nothing new to read for`,
      `${ms.toFixed(0)} ms`,
      `≤ ${most.takeOverMs} ms`,
      ms <= most.takeOverMs,
    );
  }
  const leastSeconds = holdMs / 1000 - measureSeconds;
  for (const { toldSeconds, goneMs } of holds) {
    report.bound(
      `held open for ${holdMs / 1000} s: lag told`,
      `${toldSeconds.toFixed(1)} s`,
      `≥ ${leastSeconds} s`,
      toldSeconds >= leastSeconds,
    );
    report.bound(
      'no lag told any more after',
      `${goneMs.toFixed(0)} ms`,
      `≤ ${most.goneMs} ms`,
      goneMs <= most.goneMs,
    );
  }
}
