import type { KeyRowWire } from '@tributary/contract';

/** The stored parts of a key. */
export function shortKey({ prefix, last_four }: Pick<KeyRowWire, 'prefix' | 'last_four'>): string {
  return `${prefix}…${last_four}`;
}

export const environmentNames = { live: 'Live', sandbox: 'Sandbox' } as const;

const dayMs = 86_400_000;
/** Days before expiration from which to warn. */
const soonDays = 14;

export interface TimeLeft {
  days: number;
  /** Remaining share of its lifetime. */
  share: number;
  isSoon: boolean;
}

/** Returns how long a key remains valid. */
export function timeLeft({ created_at, expires_at }: KeyRowWire, now: number): TimeLeft {
  const end = Date.parse(expires_at);
  const days = Math.max(0, Math.ceil((end - now) / dayMs));
  const share = Math.min(1, Math.max(0, (end - now) / (end - Date.parse(created_at))));
  return { days, share, isSoon: days <= soonDays };
}
