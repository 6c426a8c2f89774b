import { isFailure } from './client/failure.ts';

/** Whether a request failed because the dashboard user has to confirm first that it is them. */
export function needsConfirmation(error: unknown): boolean {
  return isFailure(error, 403) && error.code === 'confirmation_required';
}
