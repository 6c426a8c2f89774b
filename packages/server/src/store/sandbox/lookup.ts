import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

/** A user that an operator may mean, with its tenant. */
export interface NamedUser extends Tenant {
  userId: string;
}

/** Users of any tenant with this id, or with this reference by account. Sandbox users come first. */
export async function listUsersNamed(
  db: Queryable,
  name: { userId: string } | { referenceId: string },
): Promise<NamedUser[]> {
  const [text, value] = 'userId' in name ? [byId, name.userId] : [byReference, name.referenceId];
  const result = await db.query<NamedUser>({ text, values: [value] });
  return result.rows;
}

const columns = `u.id AS "userId", u.account_id AS "accountId", u.environment`;
const byId = `SELECT ${columns} FROM users u WHERE u.id = $1 AND u.status = 'active'`;

// References are indexed per tenant, so the query goes through the tenants.
const byReference = `SELECT ${columns}
  FROM accounts a CROSS JOIN (VALUES ('sandbox'), ('live')) AS e (environment)
  JOIN users u ON u.account_id = a.id AND u.environment = e.environment AND u.reference_id = $1 AND u.status = 'active'
  ORDER BY u.environment = 'live', a.id`;
