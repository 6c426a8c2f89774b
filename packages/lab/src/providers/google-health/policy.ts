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

/** The scope as it is asked for. */
export function scopeOf(word: ScopeWord): string {
  return `https://www.googleapis.com/auth/googlehealth.${word}.readonly`;
}

/** How Google gives out tokens. The app of the lab is verified; refresh tokens of one in Testing mode would die after seven days. */
export const policy: OAuthPolicy = {
  scopes: scopeWords.map(scopeOf),
  scopeSeparator: ' ',
  credentials: 'body',
  pkce: 'optional',
  codeSeconds: 600,
  accessSeconds: 3600,
  refresh: { kind: 'kept' },
};

/** A minute's calls of a user, and a minute's and a day's of the project. */
export const limitRules: readonly LimitRule[] = [
  { calls: 300, windowSeconds: 60, per: 'user' },
  { calls: 120_000, windowSeconds: 60, per: 'app' },
  { calls: 86_400_000, windowSeconds: 86_400, per: 'app' },
];
