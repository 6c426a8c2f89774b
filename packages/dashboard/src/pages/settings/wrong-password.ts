import { isFailure } from '../../api/failure.ts';

/** Whether a call was refused because of the password that came with it, and not because nobody is signed in. */
export function isWrongPassword(error: unknown): boolean {
  return isFailure(error, 401) && error.code === 'wrong_sign_in';
}
