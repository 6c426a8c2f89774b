import { ApiError } from '@tributary/contract';

/** One answer for a session that never was, or belongs to another user or to someone else. Takes the id as the client wrote it. */
export function sessionNotFound(id: string): ApiError {
  return new ApiError('not_found', {
    message: `Session ${id} does not exist for this user in the environment of this credential. Check both ids, and whether the key is a live or a sandbox key.`,
  });
}
