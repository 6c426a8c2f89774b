import { ProviderFailure } from '../failure.ts';
import { idOf, type Fields } from '../mapping/read.ts';
import { readTokenAnswer } from '../oauth/token-answer.ts';
import type { Tokens } from '../provider.ts';

/** Reads the body of a token answer. Withings says who the person is here and nowhere else, so the id is kept with the tokens. */
export function tokensOf(body: Fields, nowMs: number, before: Tokens | null = null): Tokens {
  const tokens = readTokenAnswer({ fields: body }, nowMs, { before, separator: ',' });
  const userId = idOf(body['userid']) ?? (before && userIdOf(before));
  if (userId === null || tokens.refreshToken === null)
    throw new ProviderFailure('unavailable', 'answered without a person or a refresh token');
  return { ...tokens, kept: { userId } };
}

/** The person whose tokens these are. */
export function userIdOf({ kept }: Tokens): string | null {
  return kept?.['userId'] ?? null;
}
