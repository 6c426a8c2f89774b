import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeBucket, takeFromBucket, type Rate } from './gcra.ts';

const rate: Rate = { perSecond: 100, burst: 200 };

function flood(seconds: number, everyMs: number): number {
  let tat = 0;
  let allowed = 0;
  for (let now = 1_000_000; now < 1_000_000 + seconds * 1000; now += everyMs) {
    const decision = takeFromBucket(tat, now, rate);
    tat = decision.tat;
    if (decision.allowed) allowed += 1;
  }
  return allowed;
}

// @contract all/credentials: A key has 100 requests a second and bursts of 200
test('limits a flood to the burst and then the rate', () => {
  expect(flood(10, 0.5)).toBeGreaterThanOrEqual(1199);
  expect(flood(10, 0.5)).toBeLessThanOrEqual(1201);
});

test('admits at most burst + rate × length in a window of any length', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { maxLength: 400 }), (gaps) => {
      let tat = 0;
      let now = 0;
      const times: number[] = [];
      for (const gap of gaps) {
        now += gap / 10;
        const decision = takeFromBucket(tat, now, { perSecond: 100, burst: 5 });
        tat = decision.tat;
        if (decision.allowed) times.push(now);
      }
      for (let from = 0; from < times.length; from += 1) {
        for (let to = from; to < times.length; to += 1) {
          expect(to - from + 1).toBeLessThanOrEqual(5 + (times[to]! - times[from]!) / 10 + 1e-3);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('returns the remaining requests and the time to retry', () => {
  expect(describeBucket(0, rate)).toEqual({ remaining: 200, fullAfterMs: 0, retryAfterMs: 0 });
  expect(describeBucket(1000, rate)).toEqual({ remaining: 100, fullAfterMs: 1000, retryAfterMs: 0 });
  expect(describeBucket(2000, rate)).toEqual({ remaining: 0, fullAfterMs: 2000, retryAfterMs: 10 });
});
