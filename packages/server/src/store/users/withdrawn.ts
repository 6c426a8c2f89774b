import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

const ofTenant = `in_tenant(u.account_id, u.environment, $1, $2)`;

/** Withdraws a user: hides it from the organization and keeps all data. False if it is not active. */
export async function withdrawUser(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'users/withdraw',
    text: `UPDATE users u SET status = 'withdrawn' WHERE ${ofTenant} AND u.id = $3 AND u.status = 'active'`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}

/** Reactivates a withdrawn user with this reference. Throws PostgreSQL's 23505 if another user has it by now. */
export async function returnUser(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  referenceId: string,
): Promise<boolean> {
  const result = await tx.query({
    name: 'users/return',
    text: `UPDATE users u SET status = 'active', reference_id = $4 WHERE ${ofTenant} AND u.id = $3 AND u.status = 'withdrawn'`,
    values: [tenant.accountId, tenant.environment, id, referenceId],
  });
  return result.rowCount === 1;
}

/** The reference of a withdrawn user; null if there is no such user. */
export async function findWithdrawnReference(
  tx: Queryable,
  tenant: Tenant,
  id: string,
): Promise<string | null> {
  const result = await tx.query<{ referenceId: string }>({
    name: 'users/withdrawn-reference',
    text: `SELECT u.reference_id AS "referenceId" FROM users u WHERE ${ofTenant} AND u.id = $3 AND u.status = 'withdrawn' FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0]?.referenceId ?? null;
}

/** Marks a withdrawn user for deletion; false if it is not withdrawn. */
export async function markWithdrawnDeleting(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'users/delete-withdrawn',
    text: `UPDATE users u SET status = 'deleting', deleted_at = tributary_now() WHERE ${ofTenant} AND u.id = $3 AND u.status = 'withdrawn'`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}
