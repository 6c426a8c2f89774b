import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { digestLayers } from '../../store/layers/digests.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { record } from '../audit/record.ts';
import { rebuildAndNotify } from './rebuild-and-notify.ts';

export interface RebuildInput {
  userId: string;
  from: 'raw' | 'normalized';
  /** Commits the result only if it equals the stored layers. */
  check: boolean;
}

export interface RebuildReport {
  /** Whether canonical values changed. */
  changed: boolean;
  /** Whether each table of the layers is unchanged. Empty without `check`. */
  tables: Record<string, 'equal' | 'different'>;
}

/** Rebuilds the layers of a user in one transaction. Returns null if the user does not exist. With `check`, a difference rolls everything back. */
export async function rebuildLayers(
  ctx: Pick<Context, 'operator' | 'newId' | 'clock' | 'config' | 'rawPayloads'>,
  actor: Actor,
  { userId, from, check }: RebuildInput,
): Promise<RebuildReport | null> {
  try {
    return await inLongTransaction(ctx.operator, async (tx) => {
      const user = await lockUser(tx, userId);
      if (!user) return null;
      const before = check ? await digestLayers(tx, userId) : new Map<string, string>();
      const { changed } = await rebuildAndNotify(ctx, tx, user, { from, change: 'updated', deviceId: null });
      const after = check ? await digestLayers(tx, userId) : before;
      const tables: RebuildReport['tables'] = {};
      for (const [table, digest] of after)
        tables[table] = before.get(table) === digest ? 'equal' : 'different';
      const report = { changed, tables };
      if (Object.values(tables).includes('different')) throw new Difference(report);
      const { accountId, environment } = user;
      await record(
        ctx,
        tx,
        { accountId, environment, actor },
        {
          action: 'user.rebuilt',
          target: { type: 'user', id: formatId('user', userId) },
          data: { from, changed },
        },
      );
      return report;
    });
  } catch (error) {
    if (error instanceof Difference) return error.report;
    throw error;
  }
}

/** Thrown through the transaction to roll it back. */
class Difference extends Error {
  readonly report: RebuildReport;
  constructor(report: RebuildReport) {
    super('the rebuilt layers differ');
    this.report = report;
  }
}
