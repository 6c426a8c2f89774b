import { expect, test } from 'vitest';
import { ApiFailure } from './failure.ts';
import { refusalMessage } from './refusal-message.ts';

const failure = (status: number, retryAfterSeconds: number | null = null) =>
  new ApiFailure({ status, code: 'x', message: 'From the server.', retryAfterSeconds });

test('wrong credentials have one message', () => {
  for (const status of [400, 401, 403, 404, 422])
    expect(refusalMessage(failure(status), 'Wrong.')).toBe('Wrong.');
});

test('a rate limit says how long to wait', () => {
  expect(refusalMessage(failure(429, 840), 'Wrong.')).toBe('Too many attempts. Try again in 14 minutes.');
  expect(refusalMessage(failure(429, 4), 'Wrong.')).toBe('Too many attempts. Try again in 4 seconds.');
  expect(refusalMessage(failure(429), 'Wrong.')).toBe('Too many attempts. Try again in 1 minute.');
});

test('other failures do not blame the credentials', () => {
  expect(refusalMessage(failure(500), 'Wrong.')).toBe('From the server.');
  expect(refusalMessage(failure(0), 'Wrong.')).toBe('From the server.');
  const foreign = new ApiFailure({ status: 403, code: 'foreign_origin', message: 'Not from here.' });
  expect(refusalMessage(foreign, 'Wrong.')).toBe('Not from here.');
  expect(refusalMessage(new Error('broken'), 'Wrong.')).toMatch('Reload it');
});
