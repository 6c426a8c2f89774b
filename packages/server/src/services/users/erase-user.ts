import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { actingByItself } from '../../store/acting.ts';
import type { Queryable } from '../../store/database.ts';
import { erasedTables } from '../../store/erasure-list.ts';
import {
  emptyEvents,
  emptySomeEvents,
  eraseRows,
  eraseSomeRows,
  findUnfinishedErasure,
  finishErasure,
} from '../../store/erasures.ts';
import { insertEvents } from '../../store/events.ts';
import { inLongTransaction } from '../../store/long-transaction.ts';
import { lockDeletedUser } from '../../store/user-locks.ts';
import { record } from '../audit/record.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';

/** Rows removed in one transaction, at most. */
const mostRows = 1_000;

/**
 * Removes everything that is kept of a deleted user, in pieces that commit together with their count: it may be cut off anywhere and run
 * again. Answers what was removed in all, by table; null when there is nothing to erase any more.
 */
export async function eraseUser(
  ctx: Pick<Context, 'operator' | 'newId'>,
  userId: string,
): Promise<Record<string, number> | null> {
  const tenant = await findUnfinishedErasure(ctx.operator, userId);
  if (!tenant) return null;
  // Everyone who begins to write anything of the user from here on finds it deleted; who has begun holds its lock.
  await awaitBatchesUnderWay(ctx);
  for (const table of erasedTables)
    await inPieces(ctx, userId, (tx) => eraseSomeRows(tx, userId, table, mostRows));
  await inPieces(ctx, userId, (tx) => emptySomeEvents(tx, userId, mostRows));
  return inLongTransaction(ctx.operator, async (tx) => {
    if (!(await lockDeletedUser(tx, userId))) return null;
    // Few as a rule: a token that was issued meanwhile, a batch that was just being put off.
    for (const table of erasedTables) await eraseRows(tx, userId, table);
    await emptyEvents(tx, userId);
    await insertEvents(tx, [
      { ...tenant, id: ctx.newId(), userId, type: 'user.deleted', deviceId: null, metrics: [], data: {} },
    ]);
    // By this entry a reader knows why what others told of the person is missing.
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
