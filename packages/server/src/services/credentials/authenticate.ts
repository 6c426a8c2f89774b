import { ApiError } from '@tributary/contract';
import { isSecretToken } from '../../credentials/secret-token.ts';
import { verifyUserToken } from '../../credentials/user-token.ts';
import type { Context } from '../../context.ts';
import type { AccountState } from '../../store/api-keys.ts';
import type { Tenant } from '../../store/tenant.ts';

/** Who is calling, and the state of the account behind it. */
export type Caller = ApiKeyCaller | UserTokenCaller;

interface ApiKeyCaller {
  kind: 'api_key';
  tenant: Tenant;
  account: AccountState;
}

interface UserTokenCaller {
  kind: 'user_token';
  tenant: Tenant;
  account: AccountState;
  userId: string;
}

/** Finds out who sent this `Authorization` header; throws `missing_token`, `invalid_token` or `token_expired`. */
export async function authenticate(ctx: Context, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined || authorization === '') throw new ApiError('missing_token');
  const token = /^Bearer +([^\s]{1,4096})$/i.exec(authorization)?.[1];
  if (token === undefined) throw new ApiError('invalid_token');
  if (token.startsWith('sk_')) return authenticateApiKey(ctx, token);
  if (token.includes('.')) return authenticateUserToken(ctx, token);
  throw new ApiError('invalid_token');
}

async function authenticateApiKey(ctx: Context, token: string): Promise<ApiKeyCaller> {
  const environment = token.startsWith('sk_live_') ? 'live' : 'sandbox';
  const wellFormed = ctx.credentials.knowsApiKey(token) || isSecretToken(`sk_${environment}_`, token);
  if (!wellFormed) throw new ApiError('invalid_token');
  const key = await ctx.credentials.findApiKey(token);
  if (!key || key.environment !== environment) throw new ApiError('invalid_token');
  // Expiry first: a schedule marks expired keys as revoked, and their holders should still hear why.
  if (key.remainingMs <= 0) throw new ApiError('token_expired');
  if (key.revoked) throw new ApiError('invalid_token');
  return { kind: 'api_key', tenant: { accountId: key.accountId, environment }, account: key };
}

async function authenticateUserToken(ctx: Context, token: string): Promise<UserTokenCaller> {
  const subject = await verifyUserToken(token, ctx.clock, (kid) => ctx.credentials.findPublicKey(kid));
  const account = await ctx.credentials.findAccount(subject.tenant.accountId);
  if (!account) throw new ApiError('invalid_token');
  return { kind: 'user_token', tenant: subject.tenant, account, userId: subject.userId };
}
