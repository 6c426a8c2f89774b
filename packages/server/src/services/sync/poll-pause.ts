import { minuteMs } from '@tributary/domain';
import type { Provider } from '@tributary/providers';
import { secondsOfACall } from '../providers/limit-steps.ts';

/** The share of a provider's limits that polling may use. The rest is for pushes, connecting users and history. */
const share = 0.5;

export interface Poll {
  /** The number of users connected to the provider. */
  people: number;
  /** The number of calls that the poll made. */
  calls: number;
  /** Whether the provider's pushes announce new data reliably. */
  isPushed: boolean;
}

/**
 * How long to wait until the next poll: the usual interval, or longer if many users share the provider's limits and one user's share does not yet
 * cover the calls of this poll. Randomized by a factor of 0.5 to 1.5, so that polls of many users do not coincide.
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
