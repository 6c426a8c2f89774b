import { type Ledger, quantile } from '@tributary/rig';

/** A time range, in milliseconds of the run. */
export interface Stretch {
  from: number;
  to: number;
}

/** Time from commit until an event was first read, for events whose reader recorded it. */
export function latencies(ledger: Ledger, isIncluded: (committedAt: number) => boolean): number[] {
  const latenciesMs: number[] = [];
  for (let number = 0; number < ledger.count; number += 1) {
    const committedAt = ledger.committedAt(number);
    const seenAt = ledger.seenAt(number);
    // A reader can receive an event before its writer is notified of the commit.
    if (committedAt > 0 && seenAt > 0 && isIncluded(committedAt))
      latenciesMs.push(Math.max(0, seenAt - committedAt));
  }
  return latenciesMs;
}

/** Whether a moment is outside all these ranges. */
export function isCalm(at: number, troubles: readonly Stretch[]): boolean {
  return troubles.every(({ from, to }) => at < from || at > to);
}

/** The longest time within a range in which no event was read for the first time. */
export function longestSilenceMs(ledger: Ledger, { from, to }: Stretch): number {
  const moments = [from, to];
  for (let number = 0; number < ledger.count; number += 1) {
    const seenAt = ledger.seenAt(number);
    if (seenAt > from && seenAt < to) moments.push(seenAt);
  }
  moments.sort((a, b) => a - b);
  return moments.reduce((most, at, index) => Math.max(most, at - (moments[index - 1] ?? at)), 0);
}

export function describeLatencies(latenciesMs: readonly number[]): string {
  const of = (part: number): string => quantile(latenciesMs, part).toFixed(0);
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)} ms`;
}
