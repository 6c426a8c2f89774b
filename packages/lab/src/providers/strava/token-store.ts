import { digestOf } from '../../oauth/secrets.ts';
import type { Frame, IssuedTokens, TokenProblem } from '../../provider.ts';
import { policy, rotatingPolicy } from './policy.ts';

interface StoredTokens {
  accessToken: string;
  expiresAt: number;
  refreshes: number;
}

/** Tokens as the token endpoint returns them. */
export interface ReturnedTokens extends Pick<IssuedTokens, 'grant' | 'accessToken' | 'refreshToken'> {
  expiresAt: number;
}

const leftForNewMs = 3_600_000;

/** Issues tokens. While more than an hour is left, a refresh returns the current access token. */
export class TokenStore {
  readonly #frame: Frame;
  /** By digest of the refresh token. Access tokens are stored in plain text so that they can be returned again. */
  readonly #byRefresh = new Map<string, StoredTokens>();

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  give(fields: Record<string, string | undefined>): ReturnedTokens | TokenProblem {
    const { oauth, now, chance } = this.#frame;
    const presentedToken = fields['refresh_token'];
    const before =
      typeof presentedToken === 'string' ? this.#byRefresh.get(digestOf(presentedToken)) : undefined;
    const isFresh = before !== undefined && before.expiresAt - now() > leftForNewMs;
    const refreshes = before?.refreshes ?? 0;
    // Only some refreshes return a new refresh token. Which ones is undocumented.
    const rotates = !isFresh && chance('rotates', refreshes) < 0.5;
    const issued = oauth.token(rotates ? rotatingPolicy : policy, fields, undefined);
    if (typeof issued === 'string') return issued;
    const { grant, refreshToken } = issued;
    const isRefresh = fields['grant_type'] === 'refresh_token';
    const storedTokens: StoredTokens =
      isFresh && isRefresh
        ? before
        : {
            accessToken: issued.accessToken,
            expiresAt: now() + issued.expiresInSeconds * 1000,
            refreshes: isRefresh ? refreshes + 1 : 0,
          };
    if (isRefresh) this.#byRefresh.delete(digestOf(presentedToken!));
    if (refreshToken !== null) this.#byRefresh.set(digestOf(refreshToken), storedTokens);
    return { grant, accessToken: storedTokens.accessToken, refreshToken, expiresAt: storedTokens.expiresAt };
  }

  /** The access token that belongs to a refresh token. */
  accessOf(refreshToken: string): string | undefined {
    return this.#byRefresh.get(digestOf(refreshToken))?.accessToken;
  }
}
