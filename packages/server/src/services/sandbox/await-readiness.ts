import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { isSandboxReady } from '../../store/sandbox/sandbox.ts';
import type { Tenant } from '../../store/database/tenant.ts';

const pollIntervalMs = 60;
/** Every this many polls, check readiness even if the version has not changed. */
const fullCheckEvery = 8;

/** Waits until the uploads of a sandbox user are processed and scored, up to the configured time, or until the process starts to shut down. */
export async function awaitReadiness(
  ctx: Pick<Context, 'db' | 'config' | 'draining' | 'versions'>,
  tenant: Tenant,
  userId: string,
): Promise<void> {
  const until = performance.now() + ctx.config.sandbox.waitMs;
  let seen: number | undefined;
  for (let poll = 0; performance.now() < until && !ctx.draining; poll += 1) {
    const version = (await ctx.versions.find(tenant, userId))?.version;
    if (version !== seen || poll % fullCheckEvery === 0) {
      if (await isSandboxReady(ctx.db, tenant, userId)) return;
      seen = version;
    }
    // All callers poll at the same moments, so that their lookups share statements.
    await sleep(pollIntervalMs - (performance.now() % pollIntervalMs));
  }
}
