import { ApiError } from '@tributary/contract';

/** One answer for a device that never was, was removed, or belongs to another user or to someone else. Takes the id as the client wrote it. */
export function deviceNotFound(id: string): ApiError {
  return new ApiError('not_found', {
    message: `Device ${id} does not exist for this user in the environment of this credential. Check both ids, and whether the key is a live or a sandbox key.`,
  });
}
