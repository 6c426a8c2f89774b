import { hourMs } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { listKeysInUse } from '../../store/connections/provider-pushes.ts';
import { listOldPushKeys } from '../../store/raw-keys/raw-keys.ts';

const mostTogether = 500;

/** Destroys keys of pushes that are gone: a process ended between processing a push and destroying its key. Returns their number. */
export async function sweepPushKeys(ctx: Pick<Context, 'operator' | 'rawPayloads'>): Promise<number> {
  let after = '00000000-0000-0000-0000-000000000000';
  let destroyed = 0;
  for (;;) {
    const db = ctx.rawPayloads.keyStore ?? ctx.operator;
    const old = await listOldPushKeys(db, hourMs, after, mostTogether);
    if (old.length === 0) return destroyed;
    const used = new Set(await listKeysInUse(ctx.operator, old));
    const leftover = old.filter((id) => !used.has(id));
    if (leftover.length > 0) await ctx.rawPayloads.destroyPushKeys(leftover);
    destroyed += leftover.length;
    after = old.at(-1)!;
  }
}
