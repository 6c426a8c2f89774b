import { expect, test } from 'vitest';
import { ApiFailure } from './failure.ts';
import { fieldProblem } from './field-problem.ts';

test('the message about a field is a full sentence', () => {
  const fields = [{ in: 'body', name: 'url', problem: 'must be an address' }];
  const error = new ApiFailure({ status: 400, code: 'invalid_request', message: '', details: { fields } });
  expect(fieldProblem(error, 'url')).toBe('Must be an address.');
  expect(fieldProblem(error, 'name')).toBeNull();
  expect(fieldProblem(new Error('other'), 'url')).toBeNull();
});
