import { ApiError } from '@tributary/contract';
import { validate } from 'uuid';
import type { Context } from '../../context.ts';
import { findReceipt, type Receipt } from '../../store/uploads/receipts.ts';
import type { SdkCaller } from '../credentials/authenticate.ts';
import { assertLiveSession } from '../sdk-sessions/assert-live-session.ts';

/** Returns the receipt of a batch of the session's user. Throws `not_found`, and `invalid_token` if the session has ended. */
export async function getReceipt(ctx: Context, caller: SdkCaller, batchId: string): Promise<Receipt> {
  await assertLiveSession(ctx, caller);
  const receipt = validate(batchId) ? await findReceipt(ctx.db, caller.userId, batchId) : null;
  if (!receipt)
    throw new ApiError('not_found', { message: `This user has sent no batch ${batchId}. Check the id.` });
  return receipt;
}
