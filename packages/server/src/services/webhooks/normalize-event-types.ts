import type { Subscription } from '@tributary/contract';

/** Removes duplicate types. `*` replaces all others. */
export function normalizeEventTypes(events: readonly Subscription[]): Subscription[] {
  return events.includes('*') ? ['*'] : [...new Set(events)];
}
