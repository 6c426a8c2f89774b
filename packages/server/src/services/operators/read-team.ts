import type { Context } from '../../context.ts';
import { listOpenInvitations, type OperatorLink } from '../../store/accounts/operator-links.ts';
import { listOperators, type Operator } from '../../store/accounts/operators.ts';

/** Returns the dashboard users of an account and its invitations that can still be accepted. */
export async function readTeam(
  ctx: Pick<Context, 'operator'>,
  accountId: string,
): Promise<{ members: Operator[]; invitations: OperatorLink[] }> {
  const [members, invitations] = await Promise.all([
    listOperators(ctx.operator, accountId),
    listOpenInvitations(ctx.operator, accountId),
  ]);
  return { members, invitations };
}
