import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Strava issues tokens. The lifetime of a code is undocumented. */
export const policy: OAuthPolicy = {
  scopes: ['read', 'read_all', 'profile:read_all', 'activity:read', 'activity:read_all'],
  scopeSeparator: ',',
  credentials: 'body',
  pkce: 'ignored',
  codeSeconds: 600,
  accessSeconds: 21_600,
  refresh: { kind: 'kept' },
  stateMinLength: 0,
};

/** For refreshes that also return a new refresh token. */
export const rotatingPolicy: OAuthPolicy = {
  ...policy,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
};

const windows = [900, 86_400] as const;
const rulesOf = (calls: readonly [number, number]): LimitRule[] =>
  windows.map((windowSeconds, place) => ({ calls: calls[place]!, windowSeconds, per: 'app', aligned: true }));

/** Calls per quarter-hour and per day of the whole app. Newer sources double them, but these numbers are documented. */
export const readRules: readonly LimitRule[] = rulesOf([100, 1000]);
export const allRules: readonly LimitRule[] = rulesOf([200, 2000]);
