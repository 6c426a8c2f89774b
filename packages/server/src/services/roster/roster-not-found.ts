import { ApiError } from '@tributary/contract';

/** One answer for an invitation or a member that never was, or belongs to someone else. Takes the id as the client wrote it. */
export function rosterNotFound(what: 'Invitation' | 'Member', id: string): ApiError {
  return new ApiError('not_found', {
    message: `${what} ${id} does not exist in the environment of this key. Check the id, and whether the key is a live or a sandbox key.`,
  });
}
