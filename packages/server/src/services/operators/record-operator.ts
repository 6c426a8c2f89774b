import type { AuditAction } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Queryable } from '../../store/database/database.ts';
import { record } from '../audit/record.ts';
import type { Browser } from './browser.ts';

/** Audits what a dashboard user did with their own sign-in. */
export function recordOperator(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  { address, requestId }: Pick<Browser, 'address' | 'requestId'>,
  { id, accountId }: { id: string; accountId: string },
  action: AuditAction & `operator.${string}`,
  data: Record<string, unknown>,
): Promise<void> {
  const target = { type: 'operator', id: formatId('op', id) };
  return record(
    ctx,
    tx,
    { accountId, environment: null, actor: { type: 'operator', id: target.id, address, requestId } },
    { action, target, data },
  );
}
