import { ApiFailure } from './failure.ts';
import { plural } from '../../words/time.ts';

/** Returns why an attempt failed. `wrong` is the message for incorrect credentials. */
export function refusalMessage(error: unknown, wrong: string): string {
  if (!(error instanceof ApiFailure)) return 'Something went wrong on this page. Reload it.';
  if (error.status === 429) {
    const seconds = error.retryAfterSeconds ?? 60;
    const wait = seconds < 60 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute');
    return `Too many attempts. Try again in ${wait}.`;
  }
  // The request failed for a reason other than the credentials.
  const isOther = error.status === 0 || error.code === 'foreign_origin' || error.status >= 500;
  if (isOther) return error.message;
  return wrong;
}
