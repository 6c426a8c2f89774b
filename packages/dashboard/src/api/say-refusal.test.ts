import { expect, test } from 'vitest';
import { ApiFailure } from './failure.ts';
import { sayRefusal } from './say-refusal.ts';

const failure = (status: number, retryAfterSeconds: number | null = null) =>
  new ApiFailure({ status, code: 'x', message: 'From the server.', retryAfterSeconds });

test('every wrong pair has one wording', () => {
  for (const status of [400, 401, 403, 404, 422])
    expect(sayRefusal(failure(status), 'Wrong.')).toBe('Wrong.');
});

test('who must wait is told how long', () => {
  expect(sayRefusal(failure(429, 840), 'Wrong.')).toBe('Too many tries. Try again in 14 minutes.');
  expect(sayRefusal(failure(429), 'Wrong.')).toBe('Too many tries. Try again in 1 minute.');
});

test('what is not the fault of the person is not blamed on them', () => {
  expect(sayRefusal(failure(500), 'Wrong.')).toBe('From the server.');
  expect(sayRefusal(failure(0), 'Wrong.')).toBe('From the server.');
  const foreign = new ApiFailure({ status: 403, code: 'foreign_origin', message: 'Not from here.' });
  expect(sayRefusal(foreign, 'Wrong.')).toBe('Not from here.');
  expect(sayRefusal(new Error('broken'), 'Wrong.')).toMatch('Load it again');
});
