import { ApiFailure } from './failure.ts';
import { plural } from '../../words/time.ts';

/** Returns why an attempt failed. `wrong` is the message for incorrect credentials. */
export function refusalMessage(error: unknown, wrong: string): string {
  if (!(error instanceof ApiFailure)) return 'Something went wrong on this page. Reload it.';
  if (error.status === 429) {
    const minutes = Math.max(1, Math.ceil((error.retryAfterSeconds ?? 60) / 60));
    return `Too many attempts. Try again in ${plural(minutes, 'minute')}.`;
  }
  // The request failed for a reason other than the credentials.
  const isOther = error.status === 0 || error.code === 'foreign_origin' || error.status >= 500;
  if (isOther) return error.message;
  return wrong;
}
