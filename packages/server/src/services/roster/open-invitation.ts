import type { InvitationStatus } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import type { Queryable } from '../../store/database/database.ts';
import { getOrganization } from '../../store/accounts/organizations.ts';
import { findInvitation, findInvitationByLink } from '../../store/roster/invitations.ts';
import { asBearer, becomeTenant, type Tenant } from '../../store/database/tenant.ts';

/** An invitation as the person sees it. */
export interface InvitationView {
  organization: string;
  contactEmail: string | null;
  name: string | null;
  email: string;
  status: InvitationStatus;
  expiresAt: string;
  /** Whether accepting shares a user that the organization already has. */
  existing: boolean;
}

/** Returns the invitation of a link, or null for an invalid link. Viewing changes nothing, because mail scanners open links too. */
export function openInvitation(ctx: Pick<Context, 'db'>, token: string): Promise<InvitationView | null> {
  const hash = hashSecret(token);
  return asBearer(ctx.db, hash, async (tx) => {
    const row = await findInvitationByLink(tx, hash);
    if (!row) return null;
    await becomeTenant(tx, row.tenant);
    return viewInvitation(tx, row.tenant, row.id);
  });
}

/** Returns the current invitation as the person sees it. */
export async function viewInvitation(tx: Queryable, tenant: Tenant, id: string): Promise<InvitationView> {
  const invitation = (await findInvitation(tx, tenant, id))!; // this transaction found the link
  const organization = await getOrganization(tx, tenant);
  return {
    // An operator may remove the organization name while links are open.
    organization: organization.name ?? 'An organization',
    contactEmail: organization.contactEmail,
    name: invitation.name,
    email: invitation.email,
    status: invitation.status,
    expiresAt: invitation.expiresAt,
    existing: invitation.kind === 'existing',
  };
}
