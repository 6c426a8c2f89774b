import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { isLiveSession } from '../../store/uploads/sdk-sessions.ts';
import type { SdkCaller } from '../credentials/authenticate.ts';

/** Throws `invalid_token` if the caller's session was revoked or its user is gone. The access token by itself does not show that. */
export async function assertLiveSession(ctx: Pick<Context, 'db'>, caller: SdkCaller): Promise<void> {
  const session = { id: caller.sessionId, userId: caller.userId };
  if (!(await isLiveSession(ctx.db, caller.tenant, session))) throw new ApiError('invalid_token');
}
