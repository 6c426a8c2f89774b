import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { isSandboxReady } from '../../store/sandbox.ts';
import type { Tenant } from '../../store/tenant.ts';

const lookEveryMs = 60;
/** Every so many looks, also at what may be over without having changed an answer. */
const wholeLookEvery = 8;

/**
 * Waits until what was reported for a user of the sandbox is in the answers and scored, but not for longer than the configured time, and not
 * when the process is about to end.
 */
export async function awaitReadiness(
  ctx: Pick<Context, 'db' | 'config' | 'draining' | 'versions'>,
  tenant: Tenant,
  userId: string,
): Promise<void> {
  const until = performance.now() + ctx.config.sandbox.waitMs;
  let seen: number | undefined;
  for (let look = 0; performance.now() < until && !ctx.draining; look += 1) {
    const version = (await ctx.versions.find(tenant, userId))?.version;
    if (version !== seen || look % wholeLookEvery === 0) {
      if (await isSandboxReady(ctx.db, tenant, userId)) return;
      seen = version;
    }
    // All who wait look at the same moments, so that few statements answer them.
    await sleep(lookEveryMs - (performance.now() % lookEveryMs));
  }
}
