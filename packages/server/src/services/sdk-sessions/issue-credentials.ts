import type { Context } from '../../context.ts';
import { sealSdkToken } from '../../credentials/sdk-token.ts';
import type { PresentedSession } from '../../store/uploads/sdk-session-tokens.ts';

const accessTokenSeconds = 3_600;
export const refreshTokenSeconds = 90 * 86_400;

/** The credentials of the SDK: an access token, and a refresh token to renew both. */
export interface SdkCredentials {
  accessToken: string;
  expiresAt: string;
  refreshToken: string;
  refreshExpiresAt: string;
  sessionId: string;
  userId: string;
}

/** Returns the credentials for a refresh token. The same arguments give the same credentials, so that a lost response can be repeated. */
export function issueCredentials(
  ctx: Pick<Context, 'keyring'>,
  session: PresentedSession,
  token: { refreshToken: string; refreshedAt: string; keyVersion: number },
): SdkCredentials {
  const refreshedAtMs = Date.parse(token.refreshedAt);
  const expiresAt = Math.floor(refreshedAtMs / 1000) + accessTokenSeconds;
  const { id: sessionId, tenant, userId, scopes } = session;
  return {
    accessToken: sealSdkToken(
      ctx.keyring,
      { tenant, userId, sessionId, scopes },
      expiresAt,
      token.keyVersion,
    ),
    expiresAt: new Date(expiresAt * 1000).toISOString(),
    refreshToken: token.refreshToken,
    refreshExpiresAt: new Date(refreshedAtMs + refreshTokenSeconds * 1000).toISOString(),
    sessionId,
    userId,
  };
}
