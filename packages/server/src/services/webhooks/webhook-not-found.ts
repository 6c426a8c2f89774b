import { ApiError } from '@tributary/contract';

/** The same error for a webhook that never existed, was deleted, or belongs to another account. Takes the ID as the client sent it. */
export function webhookNotFound(id: string): ApiError {
  return new ApiError('not_found', {
    message: `Webhook ${id} does not exist in this credential's environment. Check the id, and check whether the key is a live or a sandbox key.`,
  });
}
