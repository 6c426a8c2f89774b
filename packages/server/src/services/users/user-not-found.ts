import { ApiError } from '@tributary/contract';

/**
 * One answer for a user that never was, is being deleted, or belongs to someone else. Takes the id as the client wrote it; consolidation
 * has a code of its own.
 */
export function userNotFound(id: string, code: 'not_found' | 'user_not_found' = 'not_found'): ApiError {
  return new ApiError(code, {
    message: `User ${id} does not exist in the environment of this credential. Check the id, and whether the key is a live or a sandbox key.`,
  });
}
