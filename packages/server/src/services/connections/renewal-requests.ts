import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import { ProviderFailure } from '@tributary/providers';
import {
  findRenewal,
  requestRenewal,
  takeRenewals,
  type Renewal,
  type RenewalFailure,
} from '../../store/connections/token-renewals.ts';
import { subjects } from '../../stream/subjects.ts';
import type { Context } from '../../context.ts';
import { keepTokens, type KeeperContext } from './keep-tokens.ts';

/** More than a provider's response and the commit can take. */
const patienceMs = minuteMs;
/** A keeper polls every second. If none has started by then, none is running. */
const keeperPatienceMs = 3_000;
const firstPollMs = 20;
const slowestPollMs = 250;

/**
 * After a provider replaces a refresh token, the new one exists only in the memory of one process until it is committed. A keeper is small and idle, so it
 * is rarely that process which is killed. Where none runs, the refresh is done here.
 */
export function createRenewalRequests(
  ctx: KeeperContext & Pick<Context, 'broker'>,
): NonNullable<Context['renewals']> {
  return {
    async renew(wanted, signal) {
      if (signal?.aborted) throw unavailable('this node is stopping');
      if (!(await requestRenewal(ctx.operator, wanted))) throw ended();
      if (ctx.broker.connected) ctx.broker.publish(subjects.renewalsWanted);
      await awaitRenewal(ctx, wanted, signal);
    },
  };
}

async function awaitRenewal(ctx: KeeperContext, wanted: Renewal, signal?: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  for (let pollMs = firstPollMs; ; pollMs = Math.min(slowestPollMs, pollMs * 1.5)) {
    await sleep(pollMs, undefined, signal && { signal }).catch(() => {});
    if (signal?.aborted) throw unavailable('the service canceled the request');
    const state = await findRenewal(ctx.operator, wanted);
    if (!state?.isConnected) throw ended();
    if (state.isRenewed) return;
    if (state.failure) throwFailure(state.failure);
    const waitedMs = performance.now() - startedAt;
    if (!state.isRequested || waitedMs > patienceMs) throw unavailable('no keeper has refreshed the tokens');
    if (!state.isStarted && waitedMs > keeperPatienceMs) await renewHere(ctx, wanted.deviceId);
  }
}

async function renewHere(ctx: KeeperContext, deviceId: string): Promise<void> {
  const [renewal] = await takeRenewals(ctx.operator, 1, deviceId);
  if (!renewal) return;
  ctx.log.warn('no process of the role keeper or all is running, so this one refreshes tokens itself');
  await keepTokens(ctx, renewal);
}

function throwFailure({ kind, message, retryAtMs }: RenewalFailure): never {
  if (kind === 'unexpected') throw new Error(`failed to renew tokens: ${message}`);
  throw new ProviderFailure(kind, message, { retryAtMs });
}

const ended = () => new ProviderFailure('consent_ended', 'the connection has ended');

/** A provider that received no request, or whose response was lost, has rejected nothing. */
const unavailable = (why: string) => new ProviderFailure('unavailable', why);
