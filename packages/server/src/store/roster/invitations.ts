import type { InvitationStatus, MailStatus } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Environment, type Tenant } from '../database/tenant.ts';

/** The effect of accepting: an existing user is shared, a withdrawn user returns, or a new user is created. */
export type InvitationKind = 'existing' | 'returning' | 'new';

export interface Invitation {
  id: string;
  email: string;
  name: string | null;
  /** The user that the new member will have. */
  userId: string;
  kind: InvitationKind;
  referenceId: string | null;
  status: InvitationStatus;
  mailStatus: MailStatus;
  memberId: string | null;
  createdAt: string;
  expiresAt: string;
}

/** An invitation past its end is expired, even if its row does not say so yet. */
const status = `CASE WHEN i.status = 'pending' AND i.expires_at <= tributary_now() THEN 'expired' ELSE i.status END`;

const columns = `i.id, i.email, i.name, i.user_id AS "userId", i.kind, i.reference_id AS "referenceId", ${status} AS status,
  (SELECT m.status FROM mails m WHERE m.invitation_id = i.id AND m.kind = 'invitation' ORDER BY m.id DESC LIMIT 1) AS "mailStatus",
  i.member_id AS "memberId", i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** `$1` and `$2` are the tenant. */
const ofTenant = `in_tenant(i.account_id, i.environment, $1::uuid, $2)`;

const selectOne = tenantRead(
  'roster-invitations/find',
  `SELECT ${columns} FROM roster_invitations i WHERE ${ofTenant} AND i.id = $3`,
);

const selectBefore = tenantRead(
  'roster-invitations/list',
  `SELECT ${columns} FROM roster_invitations i WHERE ${ofTenant} AND i.id < $3 AND ($4::text IS NULL OR ${status} = $4)
   ORDER BY i.id DESC LIMIT $5`,
);

export async function findInvitation(db: Queryable, tenant: Tenant, id: string): Promise<Invitation | null> {
  const [row] = await readAsTenant<Invitation>(db, tenant, selectOne, [id]);
  return row ?? null;
}

/** Up to `limit` invitations older than `beforeId`, newest first. */
export function listInvitationsBefore(
  db: Queryable,
  tenant: Tenant,
  { beforeId, status, limit }: { beforeId: string; status: InvitationStatus | null; limit: number },
): Promise<Invitation[]> {
  return readAsTenant<Invitation>(db, tenant, selectBefore, [beforeId, status, limit]);
}

/** The invitation of a presented link and its tenant, in the transaction of the link's bearer. */
export async function findInvitationByLink(
  tx: Queryable,
  hash: Buffer,
): Promise<{ id: string; tenant: Tenant } | null> {
  const result = await tx.query<{ id: string; accountId: string; environment: Environment }>({
    name: 'roster-invitations/by-link',
    text: `SELECT id, account_id AS "accountId", environment FROM roster_invitations WHERE link_hash = $1`,
    values: [hash],
  });
  const [row] = result.rows;
  return row ? { id: row.id, tenant: { accountId: row.accountId, environment: row.environment } } : null;
}

export interface NewInvitation {
  id: string;
  email: string;
  name: string | null;
  userId: string;
  kind: InvitationKind;
  referenceId: string | null;
  days: number;
  linkHash: Buffer;
  linkKeyVersion: number;
}

export async function insertInvitation(
  tx: Queryable,
  tenant: Tenant,
  invitation: NewInvitation,
): Promise<void> {
  await tx.query({
    name: 'roster-invitations/insert',
    text: `INSERT INTO roster_invitations (account_id, environment, id, email, name, user_id, kind, reference_id, created_at, expires_at,
             link_hash, link_key_version)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, tributary_now(), tributary_now() + $9 * interval '1 day', $10, $11)`,
    values: [
      tenant.accountId,
      tenant.environment,
      invitation.id,
      invitation.email,
      invitation.name,
      invitation.userId,
      invitation.kind,
      invitation.referenceId,
      invitation.days,
      invitation.linkHash,
      invitation.linkKeyVersion,
    ],
  });
}

/** Marks invitations to this address or for this user as expired, so that another can replace them. */
export async function markExpired(
  tx: Queryable,
  tenant: Tenant,
  { email, userId }: { email: string; userId: string | null },
): Promise<void> {
  await tx.query({
    name: 'roster-invitations/expire',
    text: `UPDATE roster_invitations i SET status = 'expired', ended_at = i.expires_at
           WHERE ${ofTenant} AND i.status = 'pending' AND i.expires_at <= tributary_now() AND (lower(i.email) = lower($3) OR i.user_id = $4)`,
    values: [tenant.accountId, tenant.environment, email, userId],
  });
}

/** Whether this address or user has an open invitation. */
export async function hasPendingInvitation(
  tx: Queryable,
  tenant: Tenant,
  { email, userId }: { email: string; userId: string | null },
): Promise<boolean> {
  const result = await tx.query({
    name: 'roster-invitations/pending',
    text: `SELECT FROM roster_invitations i WHERE ${ofTenant} AND i.status = 'pending' AND (lower(i.email) = lower($3) OR i.user_id = $4)`,
    values: [tenant.accountId, tenant.environment, email, userId],
  });
  return result.rowCount! > 0;
}

/** Ends an open invitation; false if it is not open. */
export async function endInvitation(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  end: { status: 'declined' | 'revoked' } | { status: 'accepted'; memberId: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'roster-invitations/end',
    text: `UPDATE roster_invitations i SET status = $4, member_id = $5, ended_at = tributary_now()
           WHERE ${ofTenant} AND i.id = $3 AND i.status = 'pending' AND i.expires_at > tributary_now()`,
    values: [
      tenant.accountId,
      tenant.environment,
      id,
      end.status,
      end.status === 'accepted' ? end.memberId : null,
    ],
  });
  return result.rowCount === 1;
}

/** Revokes the open invitations of a deleted user. Returns their ids. */
export async function revokeInvitationsOfUser(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<string[]> {
  const result = await tx.query<{ id: string }>({
    name: 'roster-invitations/revoke-of-user',
    text: `UPDATE roster_invitations i SET status = 'revoked', ended_at = tributary_now()
           WHERE ${ofTenant} AND i.user_id = $3 AND i.status = 'pending' RETURNING i.id`,
    values: [tenant.accountId, tenant.environment, userId],
  });
  return result.rows.map(({ id }) => id);
}
