import { ProviderFailure } from '../failure.ts';
import { idOf, type Fields } from '../mapping/read.ts';
import { readTokenResponse } from '../oauth/token-response.ts';
import type { Tokens } from '../provider.ts';

/** Parses the body of a token response. It is the only place with the user id, so that is stored with the tokens. */
export function tokensOf(body: Fields, nowMs: number, before: Tokens | null = null): Tokens {
  const tokens = readTokenResponse({ fields: body }, nowMs, { before, separator: ',' });
  const userId = idOf(body['userid']) ?? (before && userIdOf(before));
  if (userId === null || tokens.refreshToken === null)
    throw new ProviderFailure('unavailable', 'the response has no user id or no refresh token');
  return { ...tokens, kept: { userId } };
}

/** The user that these tokens belong to. */
export function userIdOf({ kept: storedValues }: Tokens): string | null {
  return storedValues?.['userId'] ?? null;
}
