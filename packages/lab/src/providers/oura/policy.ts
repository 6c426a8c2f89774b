import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Oura gives out tokens. Its documents tell of 24 hours and of 30 days for an access token; the shorter is the harder for a client. */
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

/** Two tiers with the one number that is known: a token's calls, and those of the app. */
export const limitRules: readonly LimitRule[] = [
  { calls: 5000, windowSeconds: 300, per: 'user' },
  { calls: 5000, windowSeconds: 300, per: 'app' },
];
