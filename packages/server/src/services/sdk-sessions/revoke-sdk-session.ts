import type { Context } from '../../context.ts';
import { revokeSessionOfUser } from '../../store/sdk-sessions.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { sessionNotFound } from './session-not-found.ts';

/** Revokes a session of a user, again if need be; throws `not_found`. */
export async function revokeSdkSession(
  ctx: Context,
  tenant: Tenant,
  session: { id: string; userId: string },
): Promise<void> {
  const found = await asTenant(ctx.db, tenant, (tx) => revokeSessionOfUser(tx, tenant, session));
  if (!found) throw sessionNotFound(session.id);
}
