import { ApiError } from '@tributary/contract';
import { hasSdkTokenPrefix, openSdkToken, type SdkIdentity } from '../../credentials/sdk-token.ts';
import { isSecretToken } from '../../credentials/secret-token.ts';
import { verifyUserToken } from '../../credentials/user-token.ts';
import type { Context } from '../../context.ts';
import type { AccountState, ApiKeyIdentity } from '../../store/accounts/api-keys.ts';
import type { Environment, Tenant } from '../../store/database/tenant.ts';
import type { OperatorCaller } from '../operators/authenticate-operator.ts';
import { findBearerToken, readBearerToken } from './read-bearer-token.ts';

export type Caller = AccountCaller | SdkCaller;

/** A caller with the state of its account. */
export type AccountCaller = ApiKeyCaller | UserTokenCaller | OperatorCaller;

/** An SDK session. Its token contains everything except whether the session is still active. */
export interface SdkCaller extends SdkIdentity {
  kind: 'sdk';
}

interface ApiKeyCaller {
  kind: 'api_key';
  keyId: string;
  tenant: Tenant;
  account: AccountState;
}

interface UserTokenCaller {
  kind: 'user_token';
  tenant: Tenant;
  account: AccountState;
  userId: string;
  tokenId: string;
}

/** Authenticates an `Authorization` header. Throws `missing_token`, `invalid_token` or `token_expired`. */
export async function authenticate(ctx: Context, authorization: string | undefined): Promise<Caller> {
  const token = readBearerToken(authorization);
  if (token.startsWith('sk_')) return authenticateApiKey(ctx, token);
  if (hasSdkTokenPrefix(token)) return { kind: 'sdk', ...openSdkToken(ctx.keyring, ctx.clock, token) };
  if (token.includes('.')) return authenticateUserToken(ctx, token);
  throw new ApiError('invalid_token');
}

/** The caller of an API key that is cached as valid. Null if it has to be looked up. */
export function recallApiKey(ctx: Context, authorization: string | undefined): ApiKeyCaller | null {
  const token = authorization === undefined ? undefined : findBearerToken(authorization);
  if (token === undefined || !token.startsWith('sk_')) return null;
  const key = ctx.credentials.recallApiKey(token);
  const isValid = key && key.environment === environmentOf(token) && key.remainingMs > 0 && !key.revoked;
  return isValid ? toCaller(key) : null;
}

const environmentOf = (token: string): Environment => (token.startsWith('sk_live_') ? 'live' : 'sandbox');

function toCaller(key: ApiKeyIdentity): ApiKeyCaller {
  const tenant = { accountId: key.accountId, environment: key.environment };
  return { kind: 'api_key', keyId: key.keyId, tenant, account: key };
}

/**
 * Whether checking this header could be a guess: a well-formed API key that this node has not found before. Everything else is checked without a
 * query, by its checksum or signature.
 */
export function isPossibleGuess(ctx: Context, authorization: string | undefined): boolean {
  const token = authorization === undefined ? undefined : findBearerToken(authorization);
  return (
    token !== undefined &&
    token.startsWith('sk_') &&
    isSecretToken(`sk_${environmentOf(token)}_`, token) &&
    !ctx.credentials.isGenuine(token)
  );
}

async function authenticateApiKey(ctx: Context, token: string): Promise<ApiKeyCaller> {
  const environment = environmentOf(token);
  const wellFormed = ctx.credentials.knowsApiKey(token) || isSecretToken(`sk_${environment}_`, token);
  if (!wellFormed) throw new ApiError('invalid_token');
  const key = await ctx.credentials.findApiKey(token);
  if (!key || key.environment !== environment) throw new ApiError('invalid_token');
  // Check expiry first: a job marks expired keys as revoked, and their callers should still get `token_expired`.
  if (key.remainingMs <= 0) throw new ApiError('token_expired');
  if (key.revoked) throw new ApiError('invalid_token');
  return toCaller(key);
}

async function authenticateUserToken(ctx: Context, token: string): Promise<UserTokenCaller> {
  const subject = await verifyUserToken(token, ctx.clock, (kid) => ctx.credentials.findPublicKey(kid));
  const account = await ctx.credentials.findAccount(subject.tenant.accountId);
  if (!account) throw new ApiError('invalid_token');
  return {
    kind: 'user_token',
    tenant: subject.tenant,
    account,
    userId: subject.userId,
    tokenId: subject.tokenId,
  };
}
