import { setTimeout as sleep } from 'node:timers/promises';
import {
  ProviderFailure,
  type App,
  type AppApi,
  type Call,
  type Provider,
  type Tokens,
  type UserApi,
} from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findProviderCalls, pauseProvider, takeProviderCall } from '../../store/provider-limits.ts';
import type { Queryable } from '../../store/database.ts';
import type { Environment } from '../../store/tenant.ts';
import { limitStepsOf, type Lane } from './limit-steps.ts';
import { sendCall } from './send-call.ts';

type AppContext = Pick<Context, 'outbound' | 'clock'>;
type ApiContext = AppContext & Pick<Context, 'config'>;

/** An application at a provider, in one environment. */
export interface ProviderAccess {
  environment: Environment;
  provider: Provider;
  app: App;
}

/** The way to a provider as the application. */
export function openAppApi(ctx: AppContext, { provider, app }: ProviderAccess): AppApi {
  return { app, now: () => ctx.clock.now(), send: (call) => sendCall(ctx, provider, call) };
}

/** A person's tokens, as long as they are good, and new ones. */
export interface TokenSource {
  current: () => Tokens;
  /** Replaces tokens that are not good any more. */
  renew: () => Promise<Tokens>;
}

export interface UserApiOptions extends ProviderAccess {
  /** Where the use of limits is counted. */
  db: Queryable;
  externalId: string;
  tokens: TokenSource;
  lane: Lane;
  /** How many people have connected the provider, by which some limits grow. */
  people: number;
  onCall?: () => void;
  /** A call is not made, since it would have to wait for its turn for too long. */
  onGiveUp?: () => void;
  signal?: AbortSignal;
}

/** How long before its end a token is renewed. */
const aheadMs = 60_000;
/** How long a user who is connecting waits for a call; there is no run yet that could resume later. */
const connectingPatienceMs = 10_000;
/** About what a look at a stream takes: who gives way comes back for as many calls, and not for the one with which it would begin anew. */
const callsOfALook = 30;
/** Without a word of the provider, how long one waits after too many calls. */
const pauseMs = 60_000;

/** The way to a provider for one person, within its limits and with a token that is good. */
export function openUserApi(ctx: ApiContext, options: UserApiOptions): UserApi {
  const { provider, app, tokens } = options;
  return {
    app,
    userId: options.externalId,
    get tokens() {
      return tokens.current();
    },
    get scopes() {
      return tokens.current().scopes;
    },
    now: () => ctx.clock.now(),
    send: (call) => (call.bare ? sendCall(ctx, provider, call, options) : sendPatiently(ctx, options, call)),
  };
}

async function sendPatiently(
  ctx: ApiContext,
  options: UserApiOptions,
  call: Call,
  tries = 0,
): ReturnType<UserApi['send']> {
  try {
    return await sendAuthorized(ctx, options, call);
  } catch (error) {
    const pause = ctx.config.sync.retryPausesMs[tries];
    const isBroken = error instanceof ProviderFailure && error.kind === 'unavailable';
    if (!isBroken || pause === undefined || options.signal?.aborted) throw error;
    await sleep(pause, undefined, options.signal && { signal: options.signal }).catch(() => {});
    return sendPatiently(ctx, options, call, tries + 1);
  }
}

/** A token that is refused is replaced once: it may have ended early. */
async function sendAuthorized(
  ctx: ApiContext,
  options: UserApiOptions,
  call: Call,
): ReturnType<UserApi['send']> {
  const { tokens } = options;
  const { expiresAtMs } = tokens.current();
  const isEnding = expiresAtMs !== null && expiresAtMs - ctx.clock.now() < aheadMs;
  const { accessToken } = isEnding ? await tokens.renew() : tokens.current();
  try {
    return await sendInTurn(ctx, options, call, accessToken);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'unauthorized') throw error;
    return sendInTurn(ctx, options, call, (await tokens.renew()).accessToken);
  }
}

async function sendInTurn(
  ctx: ApiContext,
  options: UserApiOptions,
  call: Call,
  bearer: string,
): ReturnType<UserApi['send']> {
  const { provider, environment, db, signal } = options;
  const app = { environment, provider: provider.id };
  await awaitTurn(ctx, options);
  options.onCall?.();
  try {
    return await sendCall(ctx, provider, call, { bearer, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'limited')
      await pauseProvider(db, app, error.retryAtMs ?? ctx.clock.now() + pauseMs);
    throw error;
  }
}

/** Takes a call from the provider's limits; throws `limited` when it would have to wait for long. */
async function awaitTurn(
  ctx: ApiContext,
  { provider, environment, db, externalId, people, lane, onGiveUp }: UserApiOptions,
): Promise<void> {
  const app = { environment, provider: provider.id };
  const steps = limitStepsOf(provider.limits, { person: externalId, people, lane });
  const patienceMs = externalId === '' ? connectingPatienceMs : ctx.config.sync.limitPatienceMs;
  const giveUpMs = ctx.clock.now() + patienceMs;
  for (;;) {
    const backMs = await takeProviderCall(db, app, steps);
    if (backMs === null) return;
    if (lane === 'history' || backMs > giveUpMs) {
      onGiveUp?.();
      const retryAtMs = Math.max(backMs, await findProviderCalls(db, app, steps, callsOfALook));
      throw new ProviderFailure('limited', 'our own share of the limits is used up', { retryAtMs });
    }
    await sleep(Math.max(10, backMs - ctx.clock.now()));
  }
}
