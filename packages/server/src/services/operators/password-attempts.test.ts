import { expect, test } from 'vitest';
import { waitAfter } from './password-attempts.ts';

test('doubles the wait after the free failures, up to the longest one', () => {
  const waits = [1, 4, 5, 6, 7, 10, 11, 12, 40, 2_000].map((failures) =>
    waitAfter(failures, { free: 5, mostWaitSeconds: 60 }),
  );
  expect(waits).toEqual([0, 0, 1, 2, 4, 32, 60, 60, 60, 60]);
});
