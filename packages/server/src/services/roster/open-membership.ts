import type { MemberStatus } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import type { Queryable } from '../../store/database/database.ts';
import { getOrganization } from '../../store/accounts/organizations.ts';
import { findMemberByLink, findOwnMember } from '../../store/roster/members.ts';
import { asBearer, becomeTenant, type Tenant } from '../../store/database/tenant.ts';

/** A membership as the person sees it. */
export interface MembershipView {
  organization: string;
  contactEmail: string | null;
  name: string | null;
  email: string | null;
  status: MemberStatus | 'removed';
  joinedAt: string;
  removedAt: string | null;
  /** Whether the data exists by this person's consent, so that they can erase it here. */
  own: boolean;
  /** Whether the data is deleted or being deleted. */
  erased: boolean;
}

/** Returns the membership of a link, or null for an invalid link. */
export function openMembership(ctx: Pick<Context, 'db'>, token: string): Promise<MembershipView | null> {
  const hash = hashSecret(token);
  return asBearer(ctx.db, hash, async (tx) => {
    const row = await findMemberByLink(tx, hash);
    if (!row) return null;
    await becomeTenant(tx, row.tenant);
    return viewMembership(tx, row.tenant, row.id);
  });
}

/** Returns the current membership as the person sees it. */
export async function viewMembership(tx: Queryable, tenant: Tenant, id: string): Promise<MembershipView> {
  const member = (await findOwnMember(tx, tenant, id))!; // this transaction found the link
  const organization = await getOrganization(tx, tenant);
  return {
    organization: organization.name ?? 'An organization',
    contactEmail: organization.contactEmail,
    name: member.name,
    email: member.email,
    status: member.status,
    joinedAt: member.joinedAt,
    removedAt: member.removedAt,
    own: member.born,
    erased: member.userStatus === null || member.userStatus === 'deleting',
  };
}
