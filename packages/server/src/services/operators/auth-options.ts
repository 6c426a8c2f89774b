import type { BetterAuthOptions } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type pg from 'pg';
import { sessionDays } from '../../store/accounts/operator-sessions.ts';

/** Path of the library's own endpoints. */
export const authPath = '/dashboard/auth';

export const sessionCookie = '__Host-tributary_session';
export const challengeCookie = '__Host-tributary_2fa';

const strict = { secure: true, httpOnly: true, sameSite: 'strict', path: '/' } as const;

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' };

/**
 * Configures better-auth for passwords, sessions and authenticator apps of dashboard users. Accounts, roles, invitations, resets and rate
 * limits are our own. Its tables are in the schema `auth` under the names given here. Migration 0012 was generated from these options.
 */
export function authOptions({ pool, baseUrl, secret }: { pool: pg.Pool; baseUrl: string; secret: string }) {
  return {
    appName: 'Tributary',
    baseURL: baseUrl,
    basePath: authPath,
    secret,
    database: pool,
    trustedOrigins: [new URL(baseUrl).origin],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'operator_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...timestamps,
      },
      expiresIn: sessionDays * 24 * 3_600,
      disableSessionRefresh: true,
    },
    user: { modelName: 'operators', fields: { emailVerified: 'email_verified', ...timestamps } },
    account: {
      modelName: 'credentials',
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'operator_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: {
      modelName: 'verifications',
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', ...timestamps },
    },
    // Our own rate limit, which all nodes share, applies instead.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      database: { generateId: 'uuid' },
      useSecureCookies: false, // this would add a prefix of the library's; the attributes below make the cookies secure
      defaultCookieAttributes: strict,
      cookies: {
        session_token: { name: sessionCookie, attributes: strict },
        two_factor: { name: challengeCookie, attributes: strict },
      },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      twoFactor({
        issuer: 'Tributary',
        skipVerificationOnEnable: false,
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'authenticators',
            fields: {
              userId: 'operator_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
  } satisfies BetterAuthOptions;
}

/** Carries the client address, resolved by our proxy rules, to the library. Replaces any value the client sends under this name. */
export const addressHeader = 'x-tributary-address';
