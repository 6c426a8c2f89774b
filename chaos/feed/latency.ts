import { type Ledger, quantile } from '@tributary/rig';

/** A stretch of time, in milliseconds of the run. */
export interface Stretch {
  from: number;
  to: number;
}

/** How long after their commit events could be read, where somebody took that down. */
export function latencies(ledger: Ledger, isMeant: (committedAt: number) => boolean): number[] {
  const found: number[] = [];
  for (let number = 0; number < ledger.count; number += 1) {
    const committedAt = ledger.committedAt(number);
    const seenAt = ledger.seenAt(number);
    // Whoever reads may hear of an event before its writer hears of the commit.
    if (committedAt > 0 && seenAt > 0 && isMeant(committedAt)) found.push(Math.max(0, seenAt - committedAt));
  }
  return found;
}

/** Whether a moment lies outside of all these stretches. */
export function isCalm(at: number, troubles: readonly Stretch[]): boolean {
  return troubles.every(({ from, to }) => at < from || at > to);
}

/** The longest time in a stretch in which no event was read for the first time. */
export function longestSilenceMs(ledger: Ledger, { from, to }: Stretch): number {
  const moments = [from, to];
  for (let number = 0; number < ledger.count; number += 1) {
    const seenAt = ledger.seenAt(number);
    if (seenAt > from && seenAt < to) moments.push(seenAt);
  }
  moments.sort((a, b) => a - b);
  return moments.reduce((most, at, index) => Math.max(most, at - (moments[index - 1] ?? at)), 0);
}

export function describeLatencies(found: readonly number[]): string {
  const of = (part: number): string => quantile(found, part).toFixed(0);
  return `p50 ${of(0.5)}, p99 ${of(0.99)}, most ${of(1)} ms`;
}
