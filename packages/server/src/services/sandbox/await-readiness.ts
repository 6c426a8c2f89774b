import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { isSandboxReady } from '../../store/sandbox.ts';
import type { Tenant } from '../../store/tenant.ts';

const lookEveryMs = 60;

/**
 * Waits until what was reported for a user of the sandbox is in the answers and scored, but not for longer than the configured time, and not
 * when the process is about to end.
 */
export async function awaitReadiness(
  ctx: Pick<Context, 'db' | 'config' | 'draining'>,
  tenant: Tenant,
  userId: string,
): Promise<void> {
  const until = performance.now() + ctx.config.sandbox.waitMs;
  while (performance.now() < until && !ctx.draining) {
    if (await isSandboxReady(ctx.db, tenant, userId)) return;
    await sleep(lookEveryMs);
  }
}
