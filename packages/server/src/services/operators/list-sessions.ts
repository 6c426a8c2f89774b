import type { Context } from '../../context.ts';
import { listOperatorSessions, type OperatorSession } from '../../store/accounts/operator-sessions.ts';
import type { SignedInOperator } from './authenticate-operator.ts';

/** Returns the sessions of a dashboard user and whether each is the one that asks. */
export async function listSessions(
  ctx: Pick<Context, 'operator' | 'config'>,
  { id, sessionId }: Pick<SignedInOperator, 'id' | 'sessionId'>,
): Promise<(OperatorSession & { isCurrent: boolean })[]> {
  const sessions = await listOperatorSessions(ctx.operator, id, ctx.config.dashboard.idleSeconds);
  return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}
