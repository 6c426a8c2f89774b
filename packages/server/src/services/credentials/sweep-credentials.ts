import type { Context } from '../../context.ts';
import { userTokenLifetimeSeconds } from '../../credentials/user-token.ts';
import { revokeExpiredApiKeys } from '../../store/api-keys.ts';
import { deleteExpiredMobileTokens } from '../../store/mobile-tokens.ts';
import { deleteRetiredSigningKeys } from '../../store/signing-keys.ts';

/** Marks expired keys as revoked and removes tokens and signing keys that nothing can use any more. */
export async function sweepCredentials(
  ctx: Pick<Context, 'operator'>,
): Promise<{ keys: number; mobileTokens: number; signingKeys: number }> {
  return {
    keys: await revokeExpiredApiKeys(ctx.operator),
    mobileTokens: await deleteExpiredMobileTokens(ctx.operator),
    // Twice the life of a token: no node can still be asked to verify with it.
    signingKeys: await deleteRetiredSigningKeys(ctx.operator, 2 * userTokenLifetimeSeconds * 1000),
  };
}
