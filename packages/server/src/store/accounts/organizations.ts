import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** The organization that requests data, as invitees see it. */
export interface Organization {
  name: string | null;
  contactEmail: string | null;
  suspended: boolean;
  userLimit: number | null;
  /** URLs that users may be redirected to after connecting. */
  redirectUrls: string[];
}

const selectOne = tenantRead(
  'organizations/find',
  `SELECT a.organization_name AS name, a.contact_email AS "contactEmail", a.status = 'suspended' AS suspended, a.user_limit AS "userLimit",
     a.redirect_urls AS "redirectUrls"
   FROM accounts a WHERE a.id = $1::uuid`,
);

/** Reads the organization of an existing tenant. */
export async function getOrganization(db: Queryable, tenant: Tenant): Promise<Organization> {
  const [row] = await readAsTenant<Organization>(db, tenant, selectOne, []);
  if (!row) throw new Error(`account ${tenant.accountId} no longer exists`);
  return row;
}
