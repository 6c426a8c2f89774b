import type { InvitationStatus } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import type { Queryable } from '../../store/database.ts';
import { getOrganization } from '../../store/organizations.ts';
import { findInvitation, findInvitationByLink } from '../../store/roster-invitations.ts';
import { asBearer, becomeTenant, type Tenant } from '../../store/tenant.ts';

/** An invitation as the person sees it. */
export interface InvitationView {
  organization: string;
  contactEmail: string | null;
  name: string | null;
  email: string;
  status: InvitationStatus;
  expiresAt: string;
  /** Accepting shares a user that the organization keeps already. */
  existing: boolean;
}

/** What a link opens; null when it opens nothing. Looking changes nothing: mail scanners look too. */
export function openInvitation(ctx: Pick<Context, 'db'>, token: string): Promise<InvitationView | null> {
  const hash = hashSecret(token);
  return asBearer(ctx.db, hash, async (tx) => {
    const found = await findInvitationByLink(tx, hash);
    if (!found) return null;
    await becomeTenant(tx, found.tenant);
    return viewInvitation(tx, found.tenant, found.id);
  });
}

/** The invitation as the person sees it now. */
export async function viewInvitation(tx: Queryable, tenant: Tenant, id: string): Promise<InvitationView> {
  const invitation = (await findInvitation(tx, tenant, id))!; // its link was found by this transaction
  const organization = await getOrganization(tx, tenant);
  return {
    // An operator may take the name back while people hold links.
    organization: organization.name ?? 'An organization',
    contactEmail: organization.contactEmail,
    name: invitation.name,
    email: invitation.email,
    status: invitation.status,
    expiresAt: invitation.expiresAt,
    existing: invitation.kind === 'existing',
  };
}
