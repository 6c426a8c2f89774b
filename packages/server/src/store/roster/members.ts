import type { MemberStatus } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Environment, type Tenant } from '../database/tenant.ts';

export interface Member {
  id: string;
  userId: string;
  /** Whether the user was created by the person's acceptance and belongs to the person. */
  born: boolean;
  name: string | null;
  email: string;
  status: MemberStatus;
  joinedAt: string;
  archivedAt: string | null;
}

/** A member as the person sees it, even after it ended. */
export interface OwnMember extends Omit<Member, 'email' | 'status'> {
  email: string | null;
  status: MemberStatus | 'removed';
  removedAt: string | null;
  /** The state of the user; null if it is erased. */
  userStatus: 'active' | 'withdrawn' | 'deleting' | null;
}

const columns = `m.id, m.user_id AS "userId", m.born, m.name, m.email, m.status, m.joined_at AS "joinedAt", m.archived_at AS "archivedAt"`;

/** `$1` and `$2` are the tenant. */
const ofTenant = `in_tenant(m.account_id, m.environment, $1::uuid, $2)`;

const selectBefore = tenantRead(
  'roster-members/list',
  `SELECT ${columns} FROM roster_members m WHERE ${ofTenant} AND m.status <> 'removed' AND m.id < $3 AND ($4::text IS NULL OR m.status = $4)
   ORDER BY m.id DESC LIMIT $5`,
);

const selectOwn = tenantRead(
  'roster-members/own',
  `SELECT ${columns}, m.removed_at AS "removedAt",
     (SELECT u.status FROM users u WHERE in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.id = m.user_id) AS "userStatus"
   FROM roster_members m WHERE ${ofTenant} AND m.id = $3`,
);

/** Up to `limit` members who joined before `beforeId`, newest first. */
export function listMembersBefore(
  db: Queryable,
  tenant: Tenant,
  { beforeId, status, limit }: { beforeId: string; status: MemberStatus | null; limit: number },
): Promise<Member[]> {
  return readAsTenant<Member>(db, tenant, selectBefore, [beforeId, status, limit]);
}

/** The member, removed or not, with the state of its user; null if this tenant never had it. */
export async function findOwnMember(db: Queryable, tenant: Tenant, id: string): Promise<OwnMember | null> {
  const [row] = await readAsTenant<OwnMember>(db, tenant, selectOwn, [id]);
  return row ?? null;
}

/** The member of a presented link and its tenant, in the transaction of the link's bearer. */
export async function findMemberByLink(
  tx: Queryable,
  hash: Buffer,
): Promise<{ id: string; tenant: Tenant } | null> {
  const result = await tx.query<{ id: string; accountId: string; environment: Environment }>({
    name: 'roster-members/by-link',
    text: `SELECT id, account_id AS "accountId", environment FROM roster_members WHERE link_hash = $1`,
    values: [hash],
  });
  const [row] = result.rows;
  return row ? { id: row.id, tenant: { accountId: row.accountId, environment: row.environment } } : null;
}

/** Whether a person with this address, or this user, is a member. */
export async function isMember(
  tx: Queryable,
  tenant: Tenant,
  { email, userId }: { email: string; userId: string | null },
): Promise<boolean> {
  const result = await tx.query({
    name: 'roster-members/is-member',
    text: `SELECT FROM roster_members m WHERE ${ofTenant} AND m.status <> 'removed' AND (lower(m.email) = lower($3) OR m.user_id = $4)`,
    values: [tenant.accountId, tenant.environment, email, userId],
  });
  return result.rowCount! > 0;
}

/** The withdrawn user of the person with this address, whose data can be shared again. */
export async function findWithdrawnUser(
  tx: Queryable,
  tenant: Tenant,
  email: string,
): Promise<string | null> {
  const result = await tx.query<{ userId: string }>({
    name: 'roster-members/withdrawn',
    text: `SELECT m.user_id AS "userId" FROM roster_members m JOIN users u ON u.id = m.user_id
             AND in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'withdrawn'
           WHERE ${ofTenant} AND m.status = 'removed' AND m.born AND lower(m.email) = lower($3)
           ORDER BY m.removed_at DESC, m.id DESC LIMIT 1`,
    values: [tenant.accountId, tenant.environment, email],
  });
  return result.rows[0]?.userId ?? null;
}

export interface NewMember {
  id: string;
  userId: string;
  born: boolean;
  email: string;
  name: string | null;
  linkHash: Buffer;
  linkKeyVersion: number;
}

export async function insertMember(tx: Queryable, tenant: Tenant, member: NewMember): Promise<void> {
  await tx.query({
    name: 'roster-members/insert',
    text: `INSERT INTO roster_members (account_id, environment, id, user_id, born, email, name, status, joined_at, link_hash, link_key_version)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', tributary_now(), $8, $9)`,
    values: [
      tenant.accountId,
      tenant.environment,
      member.id,
      member.userId,
      member.born,
      member.email,
      member.name,
      member.linkHash,
      member.linkKeyVersion,
    ],
  });
}

/** Archives or reactivates a member, and returns whether that changed anything. Null if there is no such member. */
export async function updateMemberStatus(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  status: MemberStatus,
): Promise<{ member: Member; changed: boolean } | null> {
  const result = await tx.query<Member & { before: MemberStatus }>({
    name: 'roster-members/update',
    text: `UPDATE roster_members m SET status = $4,
             archived_at = CASE WHEN $4 = 'active' THEN NULL ELSE coalesce(m.archived_at, tributary_now()) END
           FROM (SELECT m.id, m.status FROM roster_members m WHERE ${ofTenant} AND m.id = $3 AND m.status <> 'removed' FOR UPDATE) AS before
           WHERE ${ofTenant} AND m.id = before.id RETURNING ${columns}, before.status AS before`,
    values: [tenant.accountId, tenant.environment, id, status],
  });
  const [row] = result.rows;
  if (!row) return null;
  const { before, ...member } = row;
  return { member, changed: before !== status };
}

/** Ends a membership. Keeps the address of people who can return to their own user, and deletes it for others. */
export async function markMemberRemoved(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'roster-members/remove',
    text: `UPDATE roster_members m SET status = 'removed', removed_at = tributary_now(), archived_at = NULL,
             email = CASE WHEN m.born THEN m.email END, name = CASE WHEN m.born THEN m.name END
           WHERE ${ofTenant} AND m.id = $3 AND m.status <> 'removed'`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}

/** Ends the membership of a deleted user. Returns its id. */
export async function removeMemberOfUser(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<string | null> {
  const result = await tx.query<{ id: string }>({
    name: 'roster-members/remove-of-user',
    text: `UPDATE roster_members m SET status = 'removed', removed_at = tributary_now(), archived_at = NULL
           WHERE ${ofTenant} AND m.user_id = $3 AND m.status <> 'removed' RETURNING m.id`,
    values: [tenant.accountId, tenant.environment, userId],
  });
  return result.rows[0]?.id ?? null;
}
