import type { OperatorRole } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { accountRead, readAsAccount } from '../database/tenant.ts';

export type OperatorLinkKind = 'owner' | 'invitation' | 'password';

/** A link for one person and one use. */
export interface OperatorLink {
  id: string;
  accountId: string;
  accountName: string;
  kind: OperatorLinkKind;
  /** The recipient. Null for an owner link: the person who opens it chooses the address. */
  email: string | null;
  /** Null for a password reset. */
  role: OperatorRole | null;
  /** The dashboard user whose password it resets. */
  operatorId: string | null;
  invitedBy: string | null;
  keyVersion: number;
  createdAt: string;
  expiresAt: string;
}

const columns = `l.id, l.account_id AS "accountId", a.name AS "accountName", l.kind, l.email, l.role, l.operator_id AS "operatorId",
  o.name AS "invitedBy", l.link_key_version AS "keyVersion", l.created_at AS "createdAt", l.expires_at AS "expiresAt"`;
const openOnes = `FROM operator_links l JOIN accounts a ON a.id = l.account_id LEFT JOIN auth.operators o ON o.id = l.invited_by
  WHERE l.status = 'pending' AND l.expires_at > tributary_now()`;

export async function findOpenLink(db: Queryable, hash: Buffer): Promise<OperatorLink | null> {
  const result = await db.query<OperatorLink>({
    name: 'operator-links/by-hash',
    text: `SELECT ${columns} ${openOnes} AND l.link_hash = $1`,
    values: [hash],
  });
  return result.rows[0] ?? null;
}

export async function findOpenLinkById(db: Queryable, id: string): Promise<OperatorLink | null> {
  const result = await db.query<OperatorLink>({
    text: `SELECT ${columns} ${openOnes} AND l.id = $1`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** An invitation as the team of its account sees it. */
export interface OpenInvitation extends Pick<
  OperatorLink,
  'id' | 'email' | 'role' | 'createdAt' | 'expiresAt'
> {
  inviterId: string | null;
}

const selectInvitations = accountRead(
  'operator-links/invitations',
  `SELECT l.id, l.email, l.role, l.invited_by AS "inviterId", l.created_at AS "createdAt", l.expires_at AS "expiresAt"
   FROM operator_links l WHERE in_account(l.account_id, $1::uuid) AND l.kind = 'invitation' AND l.status = 'pending'
     AND l.expires_at > tributary_now() ORDER BY l.id DESC`,
);

/** Invitations of an account that can still be accepted, newest first. */
export function listOpenInvitations(db: Queryable, accountId: string): Promise<OpenInvitation[]> {
  return readAsAccount<OpenInvitation>(db, accountId, selectInvitations, []);
}

export interface NewOperatorLink {
  id: string;
  accountId: string;
  kind: OperatorLinkKind;
  email: string | null;
  role: OperatorRole | null;
  operatorId: string | null;
  invitedBy: string | null;
  hash: Buffer;
  keyVersion: number;
  hours: number;
}

export async function insertLink(tx: Queryable, link: NewOperatorLink): Promise<void> {
  await tx.query({
    text: `INSERT INTO operator_links (id, account_id, kind, email, role, operator_id, invited_by, link_hash, link_key_version, created_at, expires_at)
           VALUES ($1, $2, $3, lower($4), $5, $6, $7, $8, $9, tributary_now(), tributary_now() + $10 * interval '1 hour')`,
    values: [
      link.id,
      link.accountId,
      link.kind,
      link.email,
      link.role,
      link.operatorId,
      link.invitedBy,
      link.hash,
      link.keyVersion,
      link.hours,
    ],
  });
}

/** Number of password reset links sent to a dashboard user within the last hour. */
export async function countPasswordLinks(tx: Queryable, operatorId: string): Promise<number> {
  const result = await tx.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM operator_links
           WHERE kind = 'password' AND operator_id = $1 AND created_at > tributary_now() - interval '1 hour'`,
    values: [operatorId],
  });
  return result.rows[0]!.count;
}

/** The open invitations of an account, and the mails with invitations that it requested within the last hour. */
export interface InvitationCount {
  open: number;
  mailed: number;
  /** Seconds until the oldest of these mails is an hour old; null without one. */
  freeInSeconds: number | null;
}

export async function countInvitations(tx: Queryable, accountId: string): Promise<InvitationCount> {
  const result = await tx.query<InvitationCount>({
    text: `SELECT count(*) FILTER (WHERE status = 'pending' AND expires_at > tributary_now())::int AS open,
             count(*) FILTER (WHERE created_at > tributary_now() - interval '1 hour')::int AS mailed,
             ceil(extract(epoch FROM min(created_at) FILTER (WHERE created_at > tributary_now() - interval '1 hour')
               + interval '1 hour' - tributary_now()))::int AS "freeInSeconds"
           FROM operator_links WHERE account_id = $1 AND kind = 'invitation'`,
    values: [accountId],
  });
  return result.rows[0]!;
}

/** Ends an open link; false if it is not open. */
export async function endLink(tx: Queryable, id: string, status: 'used' | 'revoked'): Promise<boolean> {
  const result = await tx.query({
    text: `UPDATE operator_links SET status = $2 WHERE id = $1 AND status = 'pending' AND expires_at > tributary_now()`,
    values: [id, status],
  });
  return result.rowCount === 1;
}

/** Revokes open links that conflict with a new one: of the same kind and to the same address, or for the same dashboard user. */
export async function revokeLinksLike(
  tx: Queryable,
  {
    accountId,
    kind,
    email,
    operatorId,
  }: Pick<NewOperatorLink, 'accountId' | 'kind' | 'email' | 'operatorId'>,
): Promise<void> {
  await tx.query({
    text: `UPDATE operator_links SET status = 'revoked' WHERE account_id = $1 AND kind = $2 AND status = 'pending'
             AND lower(email) IS NOT DISTINCT FROM lower($3) AND operator_id IS NOT DISTINCT FROM $4`,
    values: [accountId, kind, email, operatorId],
  });
}
