import type { LimitRule } from '@tributary/providers';
import type { LimitStep } from '../../store/provider-limits.ts';

/** Work for somebody who waits for it on a page, for data of today, or of years ago. */
export type Lane = 'person' | 'live' | 'history';

/** Of what a provider allows in a window, this much may come at once and this much at an even pace: together never more than it allows. */
const atOnce = 0.25;
const steadily = 0.7;
/** History leaves half of what may come at once to the day's news, and these leave a little to people who connect. */
const shares: Readonly<Record<Lane, number>> = { person: 1.16, live: 1, history: 0.5 };

/** A provider's rules as paces. Kept so, no window of the provider's can hold more calls than it allows, wherever it begins. */
export function limitStepsOf(
  rules: readonly LimitRule[],
  { person, people, lane }: { person: string; people: number; lane: Lane },
): LimitStep[] {
  return rules.map((limit, rule) => {
    const spacingSeconds = spacingOf(limit, people);
    const burst = Math.max(1, mostOf(limit, people) * atOnce * shares[lane]);
    return {
      subject: limit.per === 'app' ? '' : person,
      rule,
      spacingSeconds,
      burstSeconds: burst * spacingSeconds,
    };
  });
}

/** In how many seconds a person's part of the rules allows one call, at an even pace. */
export function secondsOfACall(rules: readonly LimitRule[], people: number): number {
  const each = rules.map((limit) => spacingOf(limit, people) * (limit.per === 'app' ? people : 1));
  return Math.max(0, ...each);
}

function spacingOf(limit: LimitRule, people: number): number {
  return limit.windowSeconds / (mostOf(limit, people) * steadily);
}

function mostOf({ calls }: LimitRule, people: number): number {
  return typeof calls === 'number' ? calls : calls(people);
}
