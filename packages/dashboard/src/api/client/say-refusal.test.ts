import { expect, test } from 'vitest';
import { ApiFailure } from './failure.ts';
import { sayRefusal } from './say-refusal.ts';

const failure = (status: number, retryAfterSeconds: number | null = null) =>
  new ApiFailure({ status, code: 'x', message: 'From the server.', retryAfterSeconds });

test('wrong credentials have one message', () => {
  for (const status of [400, 401, 403, 404, 422])
    expect(sayRefusal(failure(status), 'Wrong.')).toBe('Wrong.');
});

test('a rate limit says how long to wait', () => {
  expect(sayRefusal(failure(429, 840), 'Wrong.')).toBe('Too many attempts. Try again in 14 minutes.');
  expect(sayRefusal(failure(429), 'Wrong.')).toBe('Too many attempts. Try again in 1 minute.');
});

test('other failures do not blame the credentials', () => {
  expect(sayRefusal(failure(500), 'Wrong.')).toBe('From the server.');
  expect(sayRefusal(failure(0), 'Wrong.')).toBe('From the server.');
  const foreign = new ApiFailure({ status: 403, code: 'foreign_origin', message: 'Not from here.' });
  expect(sayRefusal(foreign, 'Wrong.')).toBe('Not from here.');
  expect(sayRefusal(new Error('broken'), 'Wrong.')).toMatch('Reload it');
});
