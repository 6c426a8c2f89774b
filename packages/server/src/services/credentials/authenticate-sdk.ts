import type { Context } from '../../context.ts';
import { openSdkToken } from '../../credentials/sdk-token.ts';
import type { SdkCaller } from './authenticate.ts';
import { readBearerToken } from './read-bearer-token.ts';

/** Returns the SDK session of an `Authorization` header without a query. Throws `missing_token`, `invalid_token` or `token_expired`. */
export function authenticateSdk(
  ctx: Pick<Context, 'keyring' | 'clock'>,
  authorization: string | undefined,
): SdkCaller {
  return { kind: 'sdk', ...openSdkToken(ctx.keyring, ctx.clock, readBearerToken(authorization)) };
}
