import { expect, test } from 'vitest';
import { pollPauseMs } from './poll-pause.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const provider = {
  cadence: { pollMinutes: { pushed: 360, unpushed: 30 }, lateHours: 30, silentHours: 96 },
  limits: [
    { per: 'app' as const, calls: 100, windowSeconds: 60 },
    { per: 'app' as const, calls: 10_000, windowSeconds: 86_400 },
  ],
};
const middle = () => 0.5;

test('polls a few users at the interval of the provider, with and without pushes', () => {
  const poll = { people: 3, calls: 5 };
  expect(pollPauseMs(provider, { ...poll, isPushed: true }, middle)).toBe(360 * minuteMs);
  expect(pollPauseMs(provider, { ...poll, isPushed: false }, middle)).toBe(30 * minuteMs);
});

test('randomizes the time of the next poll', () => {
  const poll = { people: 3, calls: 5, isPushed: false };
  expect(pollPauseMs(provider, poll, () => 0)).toBe(15 * minuteMs);
  expect(pollPauseMs(provider, poll, () => 0.999)).toBeCloseTo(45 * minuteMs, -5);
});

test('leaves half of the daily limit of the provider free for any number of users', () => {
  for (const people of [40, 300, 5_000])
    for (const calls of [1, 5, 40]) {
      const pauseMs = pollPauseMs(provider, { people, calls, isPushed: false }, middle);
      const usedInADay = (people * calls * dayMs) / pauseMs;
      expect(usedInADay).toBeLessThanOrEqual(5_000);
    }
});

test('does not reduce per-user limits when there are more users', () => {
  const limits = [{ per: 'user' as const, calls: 300, windowSeconds: 60 }];
  const pauses = [1, 5_000].map((people) =>
    pollPauseMs({ ...provider, limits }, { people, calls: 5, isPushed: false }, middle),
  );
  expect(pauses).toEqual([30 * minuteMs, 30 * minuteMs]);
});
