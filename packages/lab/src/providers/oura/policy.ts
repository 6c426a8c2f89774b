import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/**
 * How Oura issues tokens. Its documentation mentions both 24 hours and 30 days for an access token. The shorter lifetime is the harder one for
 * clients.
 */
export const policy: OAuthPolicy = {
  scopes: [
    'email',
    'personal',
    'daily',
    'heartrate',
    'workout',
    'tag',
    'session',
    'spo2Daily',
    'spo2',
    'stress',
    'heart_health',
    'ring_configuration',
  ],
  scopeSeparator: ' ',
  credentials: 'either',
  pkce: 'ignored',
  codeSeconds: 600,
  accessSeconds: 86_400,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
};

/** The one documented number, applied both to a token's calls and to those of the app. */
export const limitRules: readonly LimitRule[] = [
  { calls: 5000, windowSeconds: 300, per: 'user' },
  { calls: 5000, windowSeconds: 300, per: 'app' },
];
