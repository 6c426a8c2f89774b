import { ApiFailure } from './failure.ts';
import { plural } from '../words/time.ts';

/** Why a try did not succeed. `wrong` is the one wording for everything that does not fit together. */
export function sayRefusal(error: unknown, wrong: string): string {
  if (!(error instanceof ApiFailure)) return 'Something went wrong in this page. Load it again.';
  if (error.status === 429) {
    const minutes = Math.max(1, Math.ceil((error.retryAfterSeconds ?? 60) / 60));
    return `Too many tries. Try again in ${plural(minutes, 'minute')}.`;
  }
  // Refused for another reason than what was given.
  const isOther = error.status === 0 || error.code === 'foreign_origin' || error.status >= 500;
  if (isOther) return error.message;
  return wrong;
}
