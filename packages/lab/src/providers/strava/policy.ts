import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Strava gives out tokens. How long a code lives is not known. */
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

/** For the times at which a refresh gives a new refresh token too. */
export const rotatingPolicy: OAuthPolicy = {
  ...policy,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
};

const windows = [900, 86_400] as const;
const rulesOf = (calls: readonly [number, number]): LimitRule[] =>
  windows.map((windowSeconds, place) => ({ calls: calls[place]!, windowSeconds, per: 'app', aligned: true }));

/** A quarter of an hour's calls and a day's, of the app as a whole. Newer sources give twice as many; these are the ones that are documented. */
export const readRules: readonly LimitRule[] = rulesOf([100, 1000]);
export const allRules: readonly LimitRule[] = rulesOf([200, 2000]);
