import { expect, test } from 'vitest';
import { ApiFailure } from './failure.ts';
import { fieldProblem } from './field-problem.ts';

test('the problem of a field is a sentence of its own', () => {
  const fields = [{ in: 'body', name: 'url', problem: 'must be an address' }];
  const error = new ApiFailure({ status: 400, code: 'invalid_request', message: '', details: { fields } });
  expect(fieldProblem(error, 'url')).toBe('Must be an address.');
  expect(fieldProblem(error, 'name')).toBeNull();
  expect(fieldProblem(new Error('other'), 'url')).toBeNull();
});
