import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

type Owned = 'users' | 'webhooks' | 'roster_members' | 'roster_invitations';

const conditions: Record<Owned, string> = {
  users: `t.status IN ('active', 'deleting')`,
  webhooks: `t.status <> 'deleted'`,
  roster_members: `t.status <> 'removed'`,
  roster_invitations: 'true',
};

/** Whether a tenant has such a row. */
export async function tenantHas(db: Queryable, tenant: Tenant, table: Owned, id: string): Promise<boolean> {
  const statement = tenantRead(
    `dashboard-find/${table}`,
    `SELECT t.id FROM ${table} t WHERE in_tenant(t.account_id, t.environment, $1::uuid, $2) AND t.id = $3 AND ${conditions[table]}`,
  );
  return (await readAsTenant<{ id: string }>(db, tenant, statement, [id])).length > 0;
}

// Row-level security on health tables is by user, who is not known yet, so these conditions name the tenant themselves.
const byUser = {
  devices: 't.id = $3 AND t.removed_at IS NULL',
  dead_letters: 't.batch_id = $3',
};

/** The user of a device or dead letter, if it belongs to the tenant. As operator. */
export async function findUserOf(
  operator: Queryable,
  tenant: Tenant,
  table: keyof typeof byUser,
  id: string,
): Promise<string | null> {
  const result = await operator.query<{ userId: string }>({
    name: `dashboard-find/user-of-${table}`,
    text: `SELECT u.id AS "userId" FROM ${table} t JOIN users u ON u.id = t.user_id
           WHERE in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.status = 'active' AND ${byUser[table]}`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0]?.userId ?? null;
}

const ofAccount = {
  api_keys: 't.account_id = $1 AND t.environment = $2 AND t.id = $3',
  operator_roles: 't.account_id = $1 AND $2::text IS NOT NULL AND t.operator_id = $3',
  operator_links: `t.account_id = $1 AND $2::text IS NOT NULL AND t.id = $3 AND t.kind = 'invitation'`,
};

/** Whether the account has such a row. As operator. */
export async function accountHas(
  operator: Queryable,
  { accountId, environment }: Tenant,
  table: keyof typeof ofAccount,
  id: string,
): Promise<boolean> {
  const result = await operator.query({
    name: `dashboard-find/${table}`,
    text: `SELECT FROM ${table} t WHERE ${ofAccount[table]}`,
    values: [accountId, environment, id],
  });
  return result.rowCount === 1;
}
