import { ApiError } from '@tributary/contract';
import type { FastifyReply } from 'fastify';
import { isIPv6 } from 'node:net';
import type { Context } from '../context.ts';
import type { Draw } from '../limiter/buckets.ts';
import { describeBucket, type Rate } from '../limiter/gcra.ts';
import type { Caller } from '../services/credentials/authenticate.ts';

const keyRate: Rate = { perSecond: 100, burst: 200 };
const userRate: Rate = { perSecond: 20, burst: 40 };
const sessionRate: Rate = { perSecond: 10, burst: 50 };
const operatorRate: Rate = { perSecond: 20, burst: 100 };

/** Draws from the caller's buckets and tells the client how it stands; throws `rate_limited`. */
export function limitCaller(ctx: Context, caller: Caller, reply: FastifyReply): Promise<void> {
  return limit(ctx, drawsOf(caller), reply);
}

/** The same for a call of the dashboard that is none of the public API. */
export function limitOperator(ctx: Context, operatorId: string, reply: FastifyReply): Promise<void> {
  return limit(ctx, [operatorDraw(operatorId)], reply);
}

async function limit(ctx: Context, draws: Draw[], reply: FastifyReply): Promise<void> {
  const startedAt = performance.now();
  const verdict = await ctx.limiter.take(draws);
  ctx.metrics.limiterSeconds.observe({ source: verdict.source }, (performance.now() - startedAt) / 1000);
  ctx.metrics.limiterDecisions.inc({
    source: verdict.source,
    outcome: verdict.allowed ? 'allowed' : 'refused',
  });

  const states = draws.map((draw, at) => ({ draw, ...describeBucket(verdict.aheadMs[at]!, draw.rate) }));
  reply.header('RateLimit-Policy', states.map(({ draw }) => policyOf(draw)).join(', '));
  reply.header(
    'RateLimit',
    states
      .map((state) => `"${nameOf(state.draw)}";r=${state.remaining};t=${Math.ceil(state.fullAfterMs / 1000)}`)
      .join(', '),
  );
  if (verdict.allowed) return;
  const waitMs = Math.max(...states.map((state) => state.retryAfterMs));
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
}

/**
 * A key's limit belongs to its environment, so that a new key does not come with a fresh burst. A user token draws from both; an SDK session
 * from its own alone, so that phones and backends do not wait for one another; and so does an operator, whose dashboard must not use up what
 * an app lives on.
 */
function drawsOf(caller: Caller): Draw[] {
  if (caller.kind === 'sdk') return [{ key: `session:${caller.sessionId}`, rate: sessionRate }];
  if (caller.kind === 'operator') return [operatorDraw(caller.operator.id)];
  const key: Draw = { key: `key:${caller.tenant.accountId}:${caller.tenant.environment}`, rate: keyRate };
  if (caller.kind === 'api_key') return [key];
  return [{ key: `user:${caller.userId}`, rate: userRate }, key];
}

function operatorDraw(operatorId: string): Draw {
  return { key: `operator:${operatorId}`, rate: operatorRate };
}

function nameOf(draw: Draw): string {
  return draw.key.slice(0, draw.key.indexOf(':'));
}

/** The burst as a quota over the time in which it refills. */
function policyOf(draw: Draw): string {
  return `"${nameOf(draw)}";q=${draw.rate.burst};w=${draw.rate.burst / draw.rate.perSecond}`;
}

/** Guards against guessing: an address that sent too many bad credentials has to wait before the next is looked at. */
export function refuseGuessing(ctx: Context, address: string): void {
  if (ctx.limiter.hasRoom(addressDraw(ctx, address))) return;
  throw new ApiError('rate_limited', { retryAfterSeconds: 1 });
}

/** Charges an address for a request without a valid credential. */
export function chargeAddress(ctx: Context, address: string): void {
  void ctx.limiter.take([addressDraw(ctx, address)]);
}

/** Draws from an address for a call that asks for no credential, good or bad: buckets apart from that of guesses. */
export async function limitAddress(
  ctx: Context,
  address: string,
  bucket: 'exchange' | 'page' | 'push' | 'sign-in',
): Promise<void> {
  const draw = addressDraw(ctx, address, bucket);
  const verdict = await ctx.limiter.take([draw]);
  if (verdict.allowed) return;
  const { retryAfterMs } = describeBucket(verdict.aheadMs[0]!, draw.rate);
  throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) });
}

function addressDraw(ctx: Context, address: string, bucket = 'address'): Draw {
  const { addressPerSecond, addressBurst } = ctx.config.limits;
  return { key: `${bucket}:${blockOf(address)}`, rate: { perSecond: addressPerSecond, burst: addressBurst } };
}

/** One person commands a whole IPv6 /64, so that is what counts as an address. */
function blockOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [
    ...left,
    ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'),
    ...right,
  ];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
