import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Dexcom gives out tokens; that a code lives for a minute is told by one source alone. */
export const policy: OAuthPolicy = {
  scopes: ['offline_access'],
  scopeSeparator: ' ',
  credentials: 'body',
  pkce: 'ignored',
  codeSeconds: 60,
  accessSeconds: 7200,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
  offlineScope: 'offline_access',
};

/** An hour's calls of the app as a whole; no header says how they stand. */
export const limitRules: readonly LimitRule[] = [{ calls: 60_000, windowSeconds: 3600, per: 'app' }];
