import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
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
import {
  findProviderCalls,
  pauseProvider,
  takeProviderCall,
} from '../../store/connections/provider-limits.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { limitRulesOf, limitStepsOf, type CallPriority } from './limit-steps.ts';
import { sendCall } from './send-call.ts';

type AppContext = Pick<Context, 'outbound' | 'clock'>;
type ApiContext = AppContext & Pick<Context, 'config'>;

/** A provider app in one environment. */
export interface ProviderAccess {
  environment: Environment;
  provider: Provider;
  app: App;
}

/** Opens a provider's API with the app's credentials. */
export function openAppApi(ctx: AppContext, { provider, app }: ProviderAccess): AppApi {
  return { app, now: () => ctx.clock.now(), send: (call) => sendCall(ctx, provider, call) };
}

/** A user's current tokens, with a way to refresh them. */
export interface TokenSource {
  current: () => Tokens;
  /** Refreshes tokens that no longer work. */
  renew: () => Promise<Tokens>;
}

export interface UserApiOptions extends ProviderAccess {
  /** The database that tracks the use of limits. */
  db: Queryable;
  externalId: string;
  tokens: TokenSource;
  priority: CallPriority;
  /** The number of connected users. Some limits grow with it. */
  people: number;
  onCall?: () => void;
  /** Called if a call is not made because it would have to wait too long for the limit. */
  onGiveUp?: () => void;
  signal?: AbortSignal;
}

/** How long before its expiry a token is refreshed. */
const aheadMs = minuteMs;
/** How long a user who is connecting waits for a call; there is no run yet that could resume later. */
const connectingPatienceMs = 10_000;
/** The approximate number of calls per stream. A sync run that yields returns when this many calls are available, not just the first one. */
const callsPerRun = 30;
/** How long to wait after too many calls if the provider does not say. */
const pauseMs = minuteMs;

/** Opens a provider's API for one user, within its limits and with a valid token. */
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

/** Refreshes a rejected token once, because it may have ended early. */
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
    return await sendWithinLimits(ctx, options, call, accessToken);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'unauthorized') throw error;
    return sendWithinLimits(ctx, options, call, (await tokens.renew()).accessToken);
  }
}

async function sendWithinLimits(
  ctx: ApiContext,
  options: UserApiOptions,
  call: Call,
  bearer: string,
): ReturnType<UserApi['send']> {
  const { provider, environment, db, signal } = options;
  const app = { environment, provider: provider.id };
  await reserveCall(ctx, options);
  options.onCall?.();
  try {
    return await sendCall(ctx, provider, call, { bearer, ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'limited')
      await pauseProvider(db, app, error.retryAtMs ?? ctx.clock.now() + pauseMs);
    throw error;
  }
}

/** Reserves a call within the provider's limits. Throws `limited` if the wait would be long. */
async function reserveCall(
  ctx: ApiContext,
  { provider, environment, db, externalId, people, priority, onGiveUp }: UserApiOptions,
): Promise<void> {
  const app = { environment, provider: provider.id };
  const steps = limitStepsOf(limitRulesOf(ctx.config, provider), { person: externalId, people, priority });
  const patienceMs = externalId === '' ? connectingPatienceMs : ctx.config.sync.limitPatienceMs;
  const giveUpMs = ctx.clock.now() + patienceMs;
  for (;;) {
    const backMs = await takeProviderCall(db, app, steps);
    if (backMs === null) return;
    if (priority === 'history' || backMs > giveUpMs) {
      onGiveUp?.();
      const retryAtMs = Math.max(backMs, await findProviderCalls(db, app, steps, callsPerRun));
      throw new ProviderFailure('limited', "the service's share of the provider's rate limit is exhausted", {
        retryAtMs,
      });
    }
    await sleep(Math.max(10, backMs - ctx.clock.now()));
  }
}
