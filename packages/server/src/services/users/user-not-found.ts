import { ApiError } from '@tributary/contract';

/**
 * The same error for a user that never existed, is being deleted, or belongs to another account. Takes the ID as the client sent it. Consolidation
 * has its own error code.
 */
export function userNotFound(id: string, code: 'not_found' | 'user_not_found' = 'not_found'): ApiError {
  return new ApiError(code, {
    message: `User ${id} does not exist in this credential's environment. Check the id, and check whether the key is a live or a sandbox key.`,
  });
}
