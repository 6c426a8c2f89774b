import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { listTeam } from './list-team.ts';

/** Returns the names of an account's dashboard users by the id that the audit log contains. */
export async function listOperatorNames(
  ctx: Pick<Context, 'db' | 'operator'>,
  accountId: string,
): Promise<Map<string, string>> {
  const team = await listTeam(ctx, accountId);
  return new Map(team.map(({ id, name }) => [formatId('op', id), name]));
}
