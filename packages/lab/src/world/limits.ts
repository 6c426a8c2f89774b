import type { Limits, LimitRule, LimitState } from '../provider.ts';

interface Window {
  start: number;
  used: number;
}

export interface LimitOptions {
  now: () => number;
  /** True for a call that must be rejected regardless of usage. */
  isStruck: (userId: string) => boolean;
  /** Called for each rule that a call exceeded. */
  onExceeded: (rule: LimitRule) => void;
}

/** Counts calls by the rules of a provider, on the lab's clock. A call over a limit uses up nothing. */
export function keepLimits({ now, isStruck, onExceeded }: LimitOptions): Limits {
  const windows = new Map<string, Window>();
  return {
    take: (rules, clientId, userId) => {
      const at = now();
      const ruleWindows = rules.map((rule) => ({
        rule,
        window: windowOf(windows, rule, clientId, userId, at),
      }));
      const struck = isStruck(userId);
      const over = ruleWindows.filter(({ rule, window }) => window.used >= rule.calls);
      for (const { rule } of over) onExceeded(rule);
      if (over.length === 0 && !struck) for (const { window } of ruleWindows) window.used += 1;
      return ruleWindows.map(({ rule, window }, index): LimitState => {
        const isStorm = struck && index === 0;
        return {
          ...rule,
          used: isStorm ? rule.calls : window.used,
          exceeded: isStorm || over.some((state) => state.window === window),
          resetAtMs: window.start + rule.windowSeconds * 1000,
        };
      });
    },
  };
}

/** The name of a rule in the counters. */
export function nameOfRule({ calls, windowSeconds, per }: LimitRule): string {
  return `${calls}/${windowSeconds}s/${per}`;
}

function windowOf(
  windows: Map<string, Window>,
  rule: LimitRule,
  clientId: string,
  userId: string,
  at: number,
): Window {
  const key = JSON.stringify([nameOfRule(rule), clientId, rule.per === 'user' ? userId : null]);
  const length = rule.windowSeconds * 1000;
  const existing = windows.get(key);
  if (existing && at < existing.start + length) return existing;
  const window = { start: rule.aligned ? Math.floor(at / length) * length : at, used: 0 };
  windows.set(key, window);
  return window;
}
