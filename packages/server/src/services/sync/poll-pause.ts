import type { Provider } from '@tributary/providers';
import { secondsOfACall } from '../providers/limit-steps.ts';

const minuteMs = 60_000;
/** Looking around takes this much of what a provider allows; the rest is left to what pushes tell of, to people who connect, and to history. */
const share = 0.5;

/** What a poll was. */
export interface Poll {
  /** How many people have connected the provider. */
  people: number;
  /** How many it took. */
  calls: number;
  /** Whether the provider's pushes keep up with the news. */
  isPushed: boolean;
}

/**
 * How long to wait until the next poll: as usual, and longer where so many people share the provider's limits that one's part of them has not
 * paid for this poll by then. Half to one and a half times that, so that people are not asked for all at once.
 */
export function pollPauseMs(
  { cadence, limits }: Pick<Provider, 'cadence' | 'limits'>,
  { people, calls, isPushed }: Poll,
  random: () => number = Math.random,
): number {
  const usualMs = (isPushed ? cadence.pollMinutes.pushed : cadence.pollMinutes.unpushed) * minuteMs;
  const paidMs = (calls * secondsOfACall(limits, people) * 1000) / share;
  return Math.max(usualMs, paidMs) * (0.5 + random());
}
