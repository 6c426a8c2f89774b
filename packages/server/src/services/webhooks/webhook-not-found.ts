import { ApiError } from '@tributary/contract';

/** One answer for a webhook that never was, was removed, or belongs to someone else. Takes the id as the client wrote it. */
export function webhookNotFound(id: string): ApiError {
  return new ApiError('not_found', {
    message: `Webhook ${id} does not exist in the environment of this credential. Check the id, and whether the key is a live or a sandbox key.`,
  });
}
