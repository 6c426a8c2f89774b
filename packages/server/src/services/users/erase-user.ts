import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { actingByItself } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { erasedTables } from '../../store/users/erasure-list.ts';
import {
  emptyEvents,
  emptySomeEvents,
  eraseRows,
  eraseSomeRows,
  findUnfinishedErasure,
  finishErasure,
} from '../../store/users/erasures.ts';
import { insertEvents } from '../../store/events/events.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import { lockDeletedUser } from '../../store/users/locks.ts';
import { record } from '../audit/record.ts';
import { awaitEarlierPushes } from '../sync/await-earlier-pushes.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';

/** Maximum rows removed in one transaction. */
const mostRows = 1_000;

/**
 * Removes all data of a deleted user in pieces that are committed with their row counts. It can be interrupted anywhere and run again. Returns the
 * rows removed in total by table, or null if there is nothing left to erase.
 */
export async function eraseUser(
  ctx: Pick<Context, 'operator' | 'newId' | 'rawPayloads'>,
  userId: string,
): Promise<Record<string, number> | null> {
  const tenant = await findUnfinishedErasure(ctx.operator, userId);
  if (!tenant) return null;
  // From here on, every new writer finds the user deleted. Writers that started earlier hold its lock.
  await awaitBatchesUnderWay(ctx);
  await awaitEarlierPushes(ctx);
  for (const table of erasedTables)
    await inPieces(ctx, userId, (tx) => eraseSomeRows(tx, userId, table, mostRows));
  await inPieces(ctx, userId, (tx) => emptySomeEvents(tx, userId, mostRows));
  // Before the receipt, and again after an interruption. The job is retried while the key store is unavailable.
  await ctx.rawPayloads.destroyUserKey(userId);
  return inLongTransaction(ctx.operator, async (tx) => {
    if (!(await lockDeletedUser(tx, userId))) return null;
    // Usually few rows: a token issued in the meantime, or a batch that was just being postponed.
    for (const table of erasedTables) await eraseRows(tx, userId, table);
    await emptyEvents(tx, userId);
    await insertEvents(tx, [
      { ...tenant, id: ctx.newId(), userId, type: 'user.deleted', deviceId: null, metrics: [], data: {} },
    ]);
    // This entry explains to readers why the text about the user is missing from other entries.
    await record(ctx, tx, actingByItself(tenant, 'erase-user'), {
      action: 'user.erased',
      target: { type: 'user', id: formatId('user', userId) },
    });
    return finishErasure(tx, userId);
  });
}

async function inPieces(
  ctx: Pick<Context, 'operator'>,
  userId: string,
  erase: (tx: Queryable) => Promise<number>,
): Promise<void> {
  let rows = mostRows;
  while (rows === mostRows) {
    rows = await inLongTransaction(ctx.operator, async (tx) =>
      (await lockDeletedUser(tx, userId)) ? erase(tx) : 0,
    );
  }
}
