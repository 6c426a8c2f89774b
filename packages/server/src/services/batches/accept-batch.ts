import { ApiError, batchLimits, type BatchWire } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { scopeBits } from '../../scope-bits.ts';
import { findBatchDigest } from '../../store/uploads/raw-batches.ts';
import type { SdkCaller } from '../credentials/authenticate.ts';
import type { CheckedUpload } from './checked-upload.ts';
import { KeyDestroyedError } from '../raw-payloads/user-keys.ts';
import { assertLiveSession } from '../sdk-sessions/assert-live-session.ts';

/**
 * Accepts an upload and returns once it is committed. A repeat with the same id and body changes nothing. Throws `batch_conflict` for a different
 * body, `too_many_days`, `device_limit_reached` and `rate_limited` at limits, `invalid_token` if the session has ended, and `unavailable` if the backlog is full.
 */
export async function acceptBatch(
  ctx: Context,
  caller: SdkCaller,
  { head, values, days, digest, payload }: CheckedUpload,
): Promise<void> {
  const receivedMs = ctx.clock.now();
  if (values > batchLimits.values) throw tooManyValues();
  if (days > batchLimits.days)
    throw new ApiError('too_many_days', { details: { days, limit: batchLimits.days } });
  ctx.backlog.refuseWhenFull(caller.tenant.accountId);
  ctx.dailyUsage.refuseAboveLimit(caller.tenant, values);
  if (!(await ctx.deviceLimit.admits(caller.userId, head.device))) {
    await assertLiveSession(ctx, caller);
    throw new ApiError('device_limit_reached', { details: { limit: ctx.config.ingest.devicesPerUser } });
  }
  const batchId = head.batch_id.toLowerCase();
  const encrypted = await ctx.rawPayloads.encrypt(caller.userId, batchId, payload).catch(async (error) => {
    // The user is being erased, or was erased after the backup that this database was restored from.
    if (!(error instanceof KeyDestroyedError)) throw error;
    await assertLiveSession(ctx, caller);
    throw new ApiError('unavailable', { retryAfterSeconds: 1, cause: error });
  });
  const isInserted = await ctx.uploads.commit({
    accountId: caller.tenant.accountId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    batchId,
    receivedMs,
    createdMs: createdMsOf(head, receivedMs),
    scopes: scopeBits(caller.scopes),
    digest,
    payload: encrypted,
  });
  if (isInserted) return ctx.dailyUsage.add(caller.tenant, values);
  await assertLiveSession(ctx, caller);
  const before = await findBatchDigest(ctx.db, caller.userId, batchId);
  if (!before) throw new ApiError('unavailable', { retryAfterSeconds: 1 }); // the user is being erased
  if (!before.equals(digest)) throw new ApiError('batch_conflict');
}

/** The creation time by the phone's clock, corrected by the clock's error at sending and capped at the time of arrival. */
function createdMsOf(body: Pick<BatchWire, 'created_at' | 'sent_at'>, receivedMs: number): number {
  if (body.created_at === undefined) return receivedMs;
  const createdMs = Date.parse(body.created_at);
  const shiftMs = body.sent_at === undefined ? 0 : receivedMs - Date.parse(body.sent_at);
  return Math.max(0, Math.min(createdMs + shiftMs, receivedMs));
}

function tooManyValues(): ApiError {
  const problem = `must contain at most ${batchLimits.values} values in total`;
  return new ApiError('invalid_request', {
    message: `The upload ${problem}. Split it into several uploads.`,
    details: { fields: [{ in: 'body', name: '', problem }] },
  });
}
