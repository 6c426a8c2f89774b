import { ApiError } from '@tributary/contract';

/** The same error for an invitation or member that does not exist and one of another account. Takes the id as the client sent it. */
export function rosterNotFound(what: 'Invitation' | 'Member', id: string): ApiError {
  return new ApiError('not_found', {
    message: `${what} ${id} does not exist in this key's environment. Check the id, and check whether the key is a live or a sandbox key.`,
  });
}
