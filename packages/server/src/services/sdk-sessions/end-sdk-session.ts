import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { revokeActiveSession } from '../../store/sdk-sessions.ts';
import { asTenant } from '../../store/tenant.ts';
import type { SdkCaller } from '../credentials/authenticate.ts';

/** Revokes the session that asks for it; throws `invalid_token` when it was revoked already. */
export async function endSdkSession(ctx: Context, caller: SdkCaller): Promise<void> {
  const session = { id: caller.sessionId, userId: caller.userId };
  const ended = await asTenant(ctx.db, caller.tenant, (tx) =>
    revokeActiveSession(tx, caller.tenant, session),
  );
  if (!ended) throw new ApiError('invalid_token');
}
