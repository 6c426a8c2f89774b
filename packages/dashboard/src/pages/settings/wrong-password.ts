import { isFailure } from '../../api/client/failure.ts';

/** Returns whether a request failed because of its password rather than a missing session. */
export function isWrongPassword(error: unknown): boolean {
  return isFailure(error, 401) && error.code === 'wrong_sign_in';
}
