import type { LimitRule, OAuthPolicy } from '../../provider.ts';

const scopeWords = [
  'activity_and_fitness',
  'health_metrics_and_measurements',
  'sleep',
  'profile',
  'settings',
  'ecg',
  'irn',
  'location',
] as const;

export type ScopeWord = (typeof scopeWords)[number];

/** The full name of a scope. */
export function scopeOf(word: ScopeWord): string {
  return `https://www.googleapis.com/auth/googlehealth.${word}.readonly`;
}

/** How Google issues tokens. The lab's app counts as verified. Refresh tokens of an app in testing mode would expire after seven days. */
export const policy: OAuthPolicy = {
  scopes: scopeWords.map(scopeOf),
  scopeSeparator: ' ',
  credentials: 'body',
  pkce: 'optional',
  codeSeconds: 600,
  accessSeconds: 3600,
  refresh: { kind: 'kept' },
};

/** Calls per minute of a user, and per minute and day of the project. */
export const limitRules: readonly LimitRule[] = [
  { calls: 300, windowSeconds: 60, per: 'user' },
  { calls: 120_000, windowSeconds: 60, per: 'app' },
  { calls: 86_400_000, windowSeconds: 86_400, per: 'app' },
];
