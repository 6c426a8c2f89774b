import type { LimitRule, OAuthPolicy } from '../../provider.ts';

/** How Polar gives out tokens: one that lives for about ten years, and nothing to refresh it with. */
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

/** An app may do more the more users it has; the windows begin anew when that number changes, as their rules are others. */
export function limitRules(users: number): LimitRule[] {
  return [
    { calls: 500 + 20 * users, windowSeconds: 900, per: 'app' },
    { calls: 5000 + 100 * users, windowSeconds: 86_400, per: 'app' },
  ];
}
