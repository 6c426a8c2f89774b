import type { LimitRule, Provider } from '@tributary/providers';
import type { Config } from '../../config.ts';
import type { LimitStep } from '../../store/connections/provider-limits.ts';

/** The priority of a call: for a user who is waiting on a page, for today's data, or for history. */
export type CallPriority = 'person' | 'live' | 'history';

/** The parts of a provider's limit that may be used in a burst and at a steady rate. Together they never exceed the limit. */
const atOnce = 0.25;
const steadily = 0.7;
/** History leaves half of the burst to live data, and both leave a little to users who are connecting. */
const shares: Readonly<Record<CallPriority, number>> = { person: 1.16, live: 1, history: 0.5 };

/** The limits of a provider: those that the operator configured, or the built-in ones. */
export function limitRulesOf(
  config: Pick<Config, 'limits'>,
  { id, limits }: Pick<Provider, 'id' | 'limits'>,
): readonly LimitRule[] {
  return (
    config.limits.providers[id]?.map(({ calls, callsPerUser, ...rule }) => ({
      ...rule,
      calls: (people) => calls + callsPerUser * people,
    })) ?? limits
  );
}

/** Converts a provider's limits to rates. With these, no window contains more calls than the provider allows, wherever it starts. */
export function limitStepsOf(
  rules: readonly LimitRule[],
  { person, people, priority }: { person: string; people: number; priority: CallPriority },
): LimitStep[] {
  return rules.map((limit, rule) => {
    const spacingSeconds = spacingOf(limit, people);
    const burst = Math.max(1, mostOf(limit, people) * atOnce * shares[priority]);
    return {
      subject: limit.per === 'app' ? '' : person,
      rule,
      spacingSeconds,
      burstSeconds: burst * spacingSeconds,
    };
  });
}

/** The seconds per call that a user's share of the limits allows at a steady rate. */
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
