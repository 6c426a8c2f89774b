import { ApiError } from '@tributary/contract';
import { createSemaphore } from '../../semaphore.ts';

/** A preview of a year occupies a connection and the CPU for a second. More at once would slow down other requests. */
const mostAtOnce = 2;

/** Runs a preview when a slot is free. Throws `unavailable` if too many callers are waiting. */
export const withSlot = createSemaphore(mostAtOnce, {
  mostWaiting: 20,
  createRefusal: () => new ApiError('unavailable', { retryAfterSeconds: 2 }),
});
