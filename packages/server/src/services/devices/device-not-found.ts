import { ApiError } from '@tributary/contract';

/** The same error for a device that never existed, was removed, or belongs to another user or account. Takes the ID as the client sent it. */
export function deviceNotFound(id: string): ApiError {
  return new ApiError('not_found', {
    message: `Device ${id} does not exist for this user in this credential's environment. Check both ids, and check whether the key is a live or a sandbox key.`,
  });
}
