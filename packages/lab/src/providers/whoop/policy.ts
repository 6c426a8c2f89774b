import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How WHOOP issues tokens. Without `offline` there is no refresh token. */
export const policy: OAuthPolicy = {
  scopes: [
    'read:profile',
    'read:body_measurement',
    'read:cycles',
    'read:recovery',
    'read:sleep',
    'read:workout',
    'offline',
  ],
  scopeSeparator: ' ',
  credentials: 'body',
  pkce: 'ignored',
  codeSeconds: 600,
  accessSeconds: 3600,
  refresh: { kind: 'rotating', graceSeconds: 0, onReuse: 'refuse' },
  offlineScope: 'offline',
  stateMinLength: 8,
};

/** Calls of the whole app, per minute and per day. */
export const limitRules: readonly LimitRule[] = [
  { calls: 100, windowSeconds: 60, per: 'app' },
  { calls: 10_000, windowSeconds: 86_400, per: 'app' },
];
