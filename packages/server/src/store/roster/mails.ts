import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

export type MailKind = 'invitation' | 'welcome';

export interface NewMail {
  id: string;
  kind: MailKind;
  invitationId: string;
  userId: string;
}

export async function insertMail(tx: Queryable, tenant: Tenant, mail: NewMail): Promise<void> {
  await tx.query({
    name: 'mails/insert',
    text: `INSERT INTO mails (account_id, environment, id, kind, invitation_id, user_id, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, tributary_now())`,
    values: [tenant.accountId, tenant.environment, mail.id, mail.kind, mail.invitationId, mail.userId],
  });
}

/** The last invitation mail of an invitation. */
export async function findLastInvitationMail(
  tx: Queryable,
  tenant: Tenant,
  invitationId: string,
): Promise<{ status: string; createdAt: string } | null> {
  const result = await tx.query<{ status: string; createdAt: string }>({
    name: 'mails/last-invitation',
    text: `SELECT m.status, m.created_at AS "createdAt" FROM mails m
           WHERE in_tenant(m.account_id, m.environment, $1::uuid, $2) AND m.invitation_id = $3 AND m.kind = 'invitation'
           ORDER BY m.id DESC LIMIT 1`,
    values: [tenant.accountId, tenant.environment, invitationId],
  });
  return result.rows[0] ?? null;
}

const lockClass = 0x7472_6d6c;

/**
 * Locks a mail until the transaction ends, and waits for another transaction that has it. Not a row lock, which would make this a writing
 * transaction: no later event would get its position in the feeds for as long as the mail server takes.
 */
export async function lockMail(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: `SELECT pg_advisory_xact_lock(${lockClass}, hashtext($1))`, values: [id] });
}

/** A mail to be sent, with the data that its text depends on. */
export interface WaitingMail {
  kind: MailKind;
  organization: string | null;
  contactEmail: string | null;
  isAccountActive: boolean;
  invitation: {
    id: string;
    email: string;
    name: string | null;
    /** For a user that the organization had before. */
    isExisting: boolean;
    /** Pending and not expired. */
    isOpen: boolean;
    expiresAt: string;
    keyVersion: number;
  };
  /** The member who accepted, while they are a member. */
  member: { id: string; email: string; name: string | null; keyVersion: number } | null;
}

interface MailRow {
  kind: MailKind;
  organization: string | null;
  contactEmail: string | null;
  isAccountActive: boolean;
  invitationId: string;
  invitationEmail: string;
  invitationName: string | null;
  isExisting: boolean;
  isOpen: boolean;
  expiresAt: string;
  invitationKeyVersion: number;
  memberId: string | null;
  memberEmail: string;
  memberName: string | null;
  memberKeyVersion: number;
}

/** Returns null if the mail has ended or was deleted with its user. */
export async function findWaitingMail(tx: Queryable, id: string): Promise<WaitingMail | null> {
  const result = await tx.query<MailRow>({
    name: 'mails/find-waiting',
    text: `SELECT e.kind, a.organization_name AS organization, a.contact_email AS "contactEmail", a.status = 'active' AS "isAccountActive",
             i.id AS "invitationId", i.email AS "invitationEmail", i.name AS "invitationName", i.kind = 'existing' AS "isExisting",
             i.status = 'pending' AND i.expires_at > tributary_now() AS "isOpen", i.expires_at AS "expiresAt",
             i.link_key_version AS "invitationKeyVersion",
             m.id AS "memberId", m.email AS "memberEmail", m.name AS "memberName", m.link_key_version AS "memberKeyVersion"
           FROM mails e JOIN accounts a ON a.id = e.account_id JOIN roster_invitations i ON i.id = e.invitation_id
             LEFT JOIN roster_members m ON m.id = i.member_id AND m.status <> 'removed'
           WHERE e.id = $1 AND e.status = 'waiting'`,
    values: [id],
  });
  const [row] = result.rows;
  if (!row) return null;
  const { kind, organization, contactEmail, isAccountActive } = row;
  return {
    kind,
    organization,
    contactEmail,
    isAccountActive,
    invitation: {
      id: row.invitationId,
      email: row.invitationEmail,
      name: row.invitationName,
      isExisting: row.isExisting,
      isOpen: row.isOpen,
      expiresAt: row.expiresAt,
      keyVersion: row.invitationKeyVersion,
    },
    member:
      row.memberId === null
        ? null
        : {
            id: row.memberId,
            email: row.memberEmail,
            name: row.memberName,
            keyVersion: row.memberKeyVersion,
          },
  };
}

/** Records the outcome of a mail, unless it has ended already. */
export async function updateMailOutcome(
  tx: Queryable,
  id: string,
  { status, refusal }: { status: 'sent' | 'failed' | 'cancelled'; refusal: string | null },
): Promise<void> {
  await tx.query({
    name: 'mails/update-outcome',
    text: `UPDATE mails SET status = $2, refusal = $3, ended_at = tributary_now() WHERE id = $1 AND status = 'waiting'`,
    values: [id, status, refusal],
  });
}
