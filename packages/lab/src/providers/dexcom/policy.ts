import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Dexcom issues tokens. The one-minute lifetime of a code comes from a single source. */
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

/** Hourly calls of the whole app. No header reports the usage. */
export const limitRules: readonly LimitRule[] = [{ calls: 60_000, windowSeconds: 3600, per: 'app' }];
