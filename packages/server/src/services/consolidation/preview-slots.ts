import { ApiError } from '@tributary/contract';
import { createSemaphore, type Semaphore } from '../../semaphore.ts';

/** A preview of a year occupies a connection and the CPU for a second. More at once would slow down other requests. */
const mostAtOnce = 2;
/** Per account, and of all accounts. */
const mostWaiting = { account: 20, all: 100 };

const createRefusal = () => new ApiError('unavailable', { retryAfterSeconds: 2 });
const allSlots = createSemaphore(mostAtOnce, { mostWaiting: mostWaiting.all, createRefusal });
/** The previews of each account that run or wait. */
const accounts = new Map<string, { slots: Semaphore; count: number }>();

/**
 * Runs a preview when a slot is free. Throws `unavailable` if too many callers are waiting. Only the next few previews of an account wait with those of
 * other accounts, so that these wait for few of them.
 */
export async function withSlot<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const account = accounts.get(accountId) ?? {
    slots: createSemaphore(mostAtOnce, { mostWaiting: mostWaiting.account, createRefusal }),
    count: 0,
  };
  accounts.set(accountId, account);
  account.count += 1;
  try {
    return await account.slots(() => allSlots(work));
  } finally {
    account.count -= 1;
    if (account.count === 0) accounts.delete(accountId);
  }
}
