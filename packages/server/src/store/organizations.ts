import type { Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Tenant } from './tenant.ts';

/** Who asks people for their data, as they see it. */
export interface Organization {
  name: string | null;
  contactEmail: string | null;
  suspended: boolean;
  userLimit: number | null;
  /** Where people may be sent back to after connecting. */
  redirectUrls: string[];
}

const selectOne = tenantRead(
  'organizations/find',
  `SELECT a.organization_name AS name, a.contact_email AS "contactEmail", a.status = 'suspended' AS suspended, a.user_limit AS "userLimit",
     a.redirect_urls AS "redirectUrls"
   FROM accounts a WHERE a.id = $1::uuid`,
);

/** The organization behind a tenant, which exists. */
export async function getOrganization(db: Queryable, tenant: Tenant): Promise<Organization> {
  const [row] = await readAsTenant<Organization>(db, tenant, selectOne, []);
  if (!row) throw new Error(`account ${tenant.accountId} is gone`);
  return row;
}
