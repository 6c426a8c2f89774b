import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findInvitation, type Invitation } from '../../store/roster/invitations.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { rosterNotFound } from './roster-not-found.ts';

/** Returns an invitation. Throws `not_found`. */
export async function getInvitation(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  id: string,
): Promise<Invitation> {
  const invitation = await findInvitation(ctx.db, tenant, id);
  if (!invitation) throw rosterNotFound('Invitation', formatId('inv', id));
  return invitation;
}
