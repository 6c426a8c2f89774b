import { ApiError } from '@tributary/contract';
import type { FastifyReply } from 'fastify';
import { limitsOf } from '../../account-limits.ts';
import type { Context } from '../../context.ts';
import type { Draw, Verdict } from '../../limiter/buckets.ts';
import { describeBucket, type Rate } from '../../limiter/gcra.ts';
import type { AccountCaller, Caller } from '../../services/credentials/authenticate.ts';
import type { AccountState } from '../../store/accounts/api-keys.ts';
import { blockOf } from '../../limiter/address-block.ts';

/** The rate limit of a kind of caller and its headers. */
interface NamedRate extends Rate {
  name: string;
  policy: string;
}

const userRate = nameRate('user', { perSecond: 20, burst: 40 });
const sessionRate = nameRate('session', { perSecond: 10, burst: 50 });
const operatorRate = nameRate('operator', { perSecond: 20, burst: 100 });

/** The burst as a quota over the time in which it refills. */
function nameRate(name: string, { perSecond, burst }: Rate): NamedRate {
  return { name, perSecond, burst, policy: `"${name}";q=${burst};w=${burst / perSecond}` };
}

interface NamedDraw extends Draw {
  rate: NamedRate;
}

/** Draws from the caller's buckets and sets the rate limit headers; throws `rate_limited`. Returns a promise only when it asks the shared store. */
export function limitCaller(ctx: Context, caller: Caller, reply: FastifyReply): Promise<void> | undefined {
  return limit(ctx, drawsOf(ctx, caller), reply);
}

/** The same for dashboard requests outside the public API. */
export async function limitOperator(ctx: Context, operatorId: string, reply: FastifyReply): Promise<void> {
  await limit(ctx, [operatorDraw(operatorId)], reply);
}

function limit(ctx: Context, draws: readonly NamedDraw[], reply: FastifyReply): Promise<void> | undefined {
  const startedAt = performance.now();
  const verdict = ctx.limiter.take(draws);
  if (verdict instanceof Promise)
    return verdict.then((decided) => applyVerdict(ctx, draws, reply, startedAt, decided));
  applyVerdict(ctx, draws, reply, startedAt, verdict);
}

function applyVerdict(
  ctx: Context,
  draws: readonly NamedDraw[],
  reply: FastifyReply,
  startedAt: number,
  verdict: Verdict,
): void {
  ctx.metrics.limiterSeconds.observe({ source: verdict.source }, (performance.now() - startedAt) / 1000);
  ctx.metrics.limiterDecisions.inc({
    source: verdict.source,
    outcome: verdict.allowed ? 'allowed' : 'refused',
  });

  let policies = '';
  let states = '';
  let waitMs = 0;
  for (const [at, { rate }] of draws.entries()) {
    const { remaining, fullAfterMs, retryAfterMs } = describeBucket(verdict.aheadMs[at]!, rate);
    const separator = at === 0 ? '' : ', ';
    policies += `${separator}${rate.policy}`;
    states += `${separator}"${rate.name}";r=${remaining};t=${Math.ceil(fullAfterMs / 1000)}`;
    waitMs = Math.max(waitMs, retryAfterMs);
  }
  reply.header('RateLimit-Policy', policies);
  reply.header('RateLimit', states);
  if (verdict.allowed) return;
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/**
 * A key's limit belongs to its environment, so that a new key does not bring a fresh burst. A user token draws from both. An SDK session
 * has its own bucket, so that phones and backends do not throttle each other. So does a dashboard user, who must not use up an app's limit.
 */
function drawsOf(ctx: Context, caller: Caller): readonly NamedDraw[] {
  if (caller.kind === 'sdk') return [{ key: `session:${caller.sessionId}`, rate: sessionRate }];
  if (caller.kind === 'operator') return [operatorDraw(caller.operator.id)];
  if (caller.kind === 'user_token')
    return [{ key: `user:${caller.userId}`, rate: userRate }, keyDraw(ctx, caller)];
  let draws = drawsByAccount.get(caller.account);
  if (!draws) drawsByAccount.set(caller.account, (draws = [keyDraw(ctx, caller)]));
  return draws;
}

/** Keyed by the cached key: its requests share one string, whose hash the buckets have already computed. */
const drawsByAccount = new WeakMap<AccountState, readonly NamedDraw[]>();

function keyDraw(ctx: Context, { tenant: { accountId, environment }, account }: AccountCaller): NamedDraw {
  let rate = keyRates.get(account);
  if (!rate) {
    const { requestsPerSecond, requestBurst } = limitsOf(ctx.config.limits.account, account);
    keyRates.set(account, (rate = nameRate('key', { perSecond: requestsPerSecond, burst: requestBurst })));
  }
  return { key: `key:${accountId}:${environment}`, rate };
}

/** By the cached account, which is read again every half second. */
const keyRates = new WeakMap<AccountState, NamedRate>();

function operatorDraw(operatorId: string): NamedDraw {
  return { key: `operator:${operatorId}`, rate: operatorRate };
}

/**
 * Rejected credentials. `guess`: a well-formed API key that does not exist, which takes a query. `push`: an unknown push URL. `invalid`: everything
 * that a checksum or signature rejects. Valid credentials draw from none of these limits.
 */
type Rejected = 'guess' | 'invalid' | 'push';

/** Throws if an address sent too many rejected credentials of a kind and has to wait before the next one. */
export function refuseRejected(ctx: Context, address: string, kind: Rejected): void {
  if (ctx.limiter.hasRoom(addressDraw(ctx, address, kind))) return;
  throw new ApiError('rate_limited', { retryAfterSeconds: 1 });
}

/** Charges an address for a rejected credential, and throws if it sent too many. */
export function chargeRejected(ctx: Context, address: string, kind: Rejected): void {
  refuseRejected(ctx, address, kind);
  void ctx.limiter.take([addressDraw(ctx, address, kind)]);
}

/** Draws from an address for an operation without credentials, successful or not. Every kind of operation has its own bucket. */
export async function limitAddress(
  ctx: Context,
  address: string,
  bucket: 'exchange' | 'page' | 'sign-in',
): Promise<void> {
  const draw = addressDraw(ctx, address, bucket);
  const verdict = await ctx.limiter.take([draw]);
  if (verdict.allowed) return;
  const { retryAfterMs } = describeBucket(verdict.aheadMs[0]!, draw.rate);
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) });
}

function addressDraw(ctx: Context, address: string, bucket: string): Draw {
  const { addressPerSecond, addressBurst } = ctx.config.limits;
  return { key: `${bucket}:${blockOf(address)}`, rate: { perSecond: addressPerSecond, burst: addressBurst } };
}
