import { ApiError } from '@tributary/contract';
import { validate } from 'uuid';
import type { Context } from '../../context.ts';
import { findReceipt, type Receipt } from '../../store/receipts.ts';
import type { SdkCaller } from '../credentials/authenticate.ts';
import { assertLiveSession } from '../sdk-sessions/assert-live-session.ts';

/** What became of a batch of the session's user; throws `not_found`, and `invalid_token` when the session has ended. */
export async function getReceipt(ctx: Context, caller: SdkCaller, batchId: string): Promise<Receipt> {
  await assertLiveSession(ctx, caller);
  const receipt = validate(batchId) ? await findReceipt(ctx.db, caller.userId, batchId) : null;
  if (!receipt) throw new ApiError('not_found', { message: `This user sent no batch ${batchId}.` });
  return receipt;
}
