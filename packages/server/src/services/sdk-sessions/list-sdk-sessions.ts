import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findSessionsOfUser, type SdkSession } from '../../store/uploads/sdk-sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Lists the pending and active sessions of a user, newest first. Throws `not_found`. */
export async function listSdkSessions(ctx: Context, tenant: Tenant, userId: string): Promise<SdkSession[]> {
  const sessions = await findSessionsOfUser(ctx.db, tenant, userId);
  if (!sessions) throw userNotFound(formatId('user', userId));
  return sessions;
}
