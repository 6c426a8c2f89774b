import type { Subscription } from '@tributary/contract';

/** Each type once; `*` makes all others needless. */
export function foldSubscriptions(events: readonly Subscription[]): Subscription[] {
  return events.includes('*') ? ['*'] : [...new Set(events)];
}
