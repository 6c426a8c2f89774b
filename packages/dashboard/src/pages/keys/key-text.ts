import type { KeyRowWire } from '@tributary/contract';

/** As much of a key as is kept beside its fingerprint. */
export function shortKey({ prefix, last_four }: Pick<KeyRowWire, 'prefix' | 'last_four'>): string {
  return `${prefix}…${last_four}`;
}

export const environmentNames = { live: 'Live', sandbox: 'Sandbox' } as const;

const dayMs = 86_400_000;
/** From here on the end of a key is worth a warning. */
const soonDays = 14;

export interface TimeLeft {
  days: number;
  /** Of its whole life, what is left. */
  share: number;
  isSoon: boolean;
}

/** How long a key will still work. */
export function timeLeft({ created_at, expires_at }: KeyRowWire, now: number): TimeLeft {
  const end = Date.parse(expires_at);
  const days = Math.max(0, Math.ceil((end - now) / dayMs));
  const share = Math.min(1, Math.max(0, (end - now) / (end - Date.parse(created_at))));
  return { days, share, isSoon: days <= soonDays };
}
