import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listOperators } from '../../store/accounts/operators.ts';

/** Returns the names of an account's dashboard users by the id that the audit log contains. */
export async function listOperatorNames(
  ctx: Pick<Context, 'operator'>,
  accountId: string,
): Promise<Map<string, string>> {
  const team = await listOperators(ctx.operator, accountId);
  return new Map(team.map(({ id, name }) => [formatId('op', id), name]));
}
