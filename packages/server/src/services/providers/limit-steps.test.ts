import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { limitRulesOf, limitStepsOf } from './limit-steps.ts';

const options = { person: 'p', people: 3, priority: 'live' } as const;

/** The times at which back-to-back calls are admitted by the rule of `take_provider_call`. */
function letThrough(spacing: number, burst: number, untilSeconds: number): number[] {
  const times: number[] = [];
  for (let now = 0, arrival = 0; ;) {
    const next = Math.max(arrival, now) + spacing;
    const back = next - burst;
    if (back > now + 1e-9) now = back;
    if (now > untilSeconds) return times;
    arrival = Math.max(arrival, now) + spacing;
    times.push(now);
  }
}

test('no window of the provider contains more calls than it allows, wherever it starts', () => {
  const rule = fc.record({
    calls: fc.integer({ min: 4, max: 400 }),
    windowSeconds: fc.integer({ min: 10, max: 900 }),
  });
  fc.assert(
    fc.property(rule, fc.constantFrom('person', 'live'), ({ calls, windowSeconds }, priority) => {
      const [step] = limitStepsOf([{ per: 'app', calls, windowSeconds }], { ...options, priority });
      const times = letThrough(step!.spacingSeconds, step!.burstSeconds, windowSeconds * 3);
      expect(times.length).toBeGreaterThan(calls);
      times.forEach((from, at) => {
        const inWindow = times.slice(at).filter((time) => time < from + windowSeconds).length;
        expect(inWindow).toBeLessThanOrEqual(calls);
      });
    }),
    { numRuns: 60 },
  );
});

test('uses the configured limits of a provider, or the built-in ones', () => {
  const provider = { id: 'whoop', limits: [{ per: 'app' as const, calls: 100, windowSeconds: 60 }] };
  const configOf = (PROVIDER_LIMITS: string) =>
    readConfig({
      DATABASE_URL: 'postgres://x',
      NATS_URL: 'nats://x',
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      TRIBUTARY_ENV: 'test',
      PROVIDER_LIMITS,
    });
  const spacingOf = (settings: string) =>
    limitStepsOf(limitRulesOf(configOf(settings), provider), options).map(
      ({ spacingSeconds }) => spacingSeconds,
    );
  const [builtIn] = spacingOf('');
  expect(spacingOf('strava:1000/60')).toEqual([builtIn]);
  expect(spacingOf('whoop:1000/60')).toEqual([builtIn! / 10]);
  // Three users.
  expect(spacingOf('whoop:100+300/60,whoop:100/600')).toEqual([builtIn! / 10, builtIn! * 10]);
});

test('applies a user rule per user and an app rule to all', () => {
  const steps = limitStepsOf(
    [
      { per: 'app', calls: 100, windowSeconds: 60 },
      { per: 'user', calls: 10, windowSeconds: 60 },
    ],
    options,
  );
  expect(steps.map(({ subject, rule }) => [subject, rule])).toEqual([
    ['', 0],
    ['p', 1],
  ]);
});

test('raises limits with the number of connected users if the provider does', () => {
  const rules = [{ per: 'app' as const, calls: (people: number) => 500 + 20 * people, windowSeconds: 900 }];
  const [three] = limitStepsOf(rules, options);
  const [many] = limitStepsOf(rules, { ...options, people: 1_000 });
  expect(three!.spacingSeconds).toBeCloseTo(900 / (560 * 0.7));
  expect(many!.spacingSeconds).toBeCloseTo(900 / (20_500 * 0.7));
});

test('leaves half of the burst to live data when reading history', () => {
  const rules = [{ per: 'app' as const, calls: 100, windowSeconds: 60 }];
  const [live] = limitStepsOf(rules, options);
  const [history] = limitStepsOf(rules, { ...options, priority: 'history' });
  expect(history!.burstSeconds).toBeCloseTo(live!.burstSeconds / 2);
  expect(history!.spacingSeconds).toBe(live!.spacingSeconds);
});

test('admits a connecting user when live data has exhausted the burst', () => {
  const rules = [{ per: 'app' as const, calls: 100, windowSeconds: 900 }];
  const [live] = limitStepsOf(rules, options);
  const [person] = limitStepsOf(rules, { ...options, priority: 'person' });
  expect(person!.burstSeconds - live!.burstSeconds).toBeGreaterThan(3 * live!.spacingSeconds);
});
