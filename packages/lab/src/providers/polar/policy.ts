import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Polar issues tokens: one that lives about ten years, without a refresh token. */
export const policy: OAuthPolicy = {
  scopes: ['accesslink.read_all'],
  scopeSeparator: ' ',
  credentials: 'basic',
  pkce: 'ignored',
  codeSeconds: 600,
  accessSeconds: 315_359_999,
  refresh: { kind: 'none' },
  stateMinLength: 0,
};

/** The limits grow with the number of users. Windows start over when that number changes, because the rules change with it. */
export function limitRules(users: number): LimitRule[] {
  return [
    { calls: 500 + 20 * users, windowSeconds: 900, per: 'app' },
    { calls: 5000 + 100 * users, windowSeconds: 86_400, per: 'app' },
  ];
}
