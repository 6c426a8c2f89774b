import type { UserFilter } from '@tributary/contract';
import type pg from 'pg';
import type { Queryable } from '../database/database.ts';
import {
  readAsTenant,
  readPlannedAsTenant,
  tenantRead,
  type Statement,
  type Tenant,
} from '../database/tenant.ts';
import { activeInTenant } from '../users/read.ts';

/** A user in the list of the dashboard. */
export interface UserRow {
  id: string;
  referenceId: string;
  status: 'active' | 'deleting';
  timezone: string | null;
  devices: number;
  /** Devices that do not sync. */
  notSyncing: number;
  hasScores: boolean;
  lastSyncAt: string | null;
  createdAt: string;
}

const columns = `u.id, u.reference_id AS "referenceId", u.status, u.timezone, u.device_count AS devices, u.idle_devices AS "notSyncing",
  u.last_score_at IS NOT NULL AS "hasScores", u.last_sync_at AS "lastSyncAt", u.created_at AS "createdAt"`;

const inTenant = 'in_tenant(u.account_id, u.environment, $1::uuid, $2)';

/** Each has an index by reference. */
const narrowed: Record<UserFilter | 'any', string> = {
  any: activeInTenant,
  not_syncing: `${activeInTenant} AND u.idle_devices > 0`,
  no_device: `${activeInTenant} AND u.device_count = 0`,
  deleting: `${inTenant} AND u.status = 'deleting'`,
};

const selectNewest = tenantRead(
  'dashboard-users/newest',
  `SELECT ${columns} FROM users u WHERE ${activeInTenant} AND u.id < $3 ORDER BY u.id DESC LIMIT $4`,
);

// Compares bytes, with operators that row-level security allows in an index scan. References of users being deleted may occur twice.
function selectByReference(filter: UserFilter | 'any'): Statement {
  return tenantRead(
    `dashboard-users/${filter}`,
    `SELECT ${columns} FROM users u
     WHERE ${narrowed[filter]} AND u.reference_id ~>=~ $3 AND u.reference_id ~<=~ $4 AND (u.reference_id <> $5 OR u.id > $6)
     ORDER BY u.reference_id USING ~<~ ${filter === 'deleting' ? ', u.id' : ''} LIMIT $7`,
  );
}
const byReference = {
  any: selectByReference('any'),
  not_syncing: selectByReference('not_syncing'),
  no_device: selectByReference('no_device'),
  deleting: selectByReference('deleting'),
};

const selectOne = tenantRead(
  'dashboard-users/one',
  `SELECT ${columns} FROM users u WHERE ${inTenant} AND u.status IN ('active', 'deleting') AND u.id = $3`,
);

/** Up to `limit` users older than `beforeId`, newest first. */
export function listNewestUsers(
  pool: pg.Pool,
  tenant: Tenant,
  beforeId: string,
  limit: number,
): Promise<UserRow[]> {
  return readPlannedAsTenant<UserRow>(pool, tenant, selectNewest, [beforeId, limit]);
}

/** The user after which a list by reference continues. */
export interface ReferencePlace {
  reference: string;
  id: string;
}

/** Sorts before every other user. */
export const firstPlace: ReferencePlace = { reference: '', id: '00000000-0000-0000-0000-000000000000' };

/** Up to `limit` users whose reference starts with `start`, by reference. */
export function listUsersByReference(
  pool: pg.Pool,
  tenant: Tenant,
  list: { filter: UserFilter | 'any'; start: string; after: ReferencePlace; limit: number },
): Promise<UserRow[]> {
  const { filter, start, after, limit } = list;
  const from = after.reference === '' ? start : after.reference;
  const values = [from, `${start}\u{10FFFF}`, after.reference, after.id, limit];
  return readPlannedAsTenant<UserRow>(pool, tenant, byReference[filter], values);
}

export async function findUserRow(db: Queryable, tenant: Tenant, id: string): Promise<UserRow | null> {
  const [row] = await readAsTenant<UserRow>(db, tenant, selectOne, [id]);
  return row ?? null;
}

/** Counting stops here. */
export const mostCounted = 10_000;

// Ordered by the index. Without the order, the planner may scan the table until it has enough rows.
const count = (filter: UserFilter) =>
  `(SELECT count(*) FROM (SELECT FROM users u WHERE ${narrowed[filter]} ORDER BY u.reference_id USING ~<~ LIMIT ${mostCounted + 1}) AS counted)`;

const selectCounts = tenantRead(
  'dashboard-users/counts',
  `SELECT (SELECT coalesce(sum(c.active), 0)::int8 FROM user_counts c WHERE in_tenant(c.account_id, c.environment, $1::uuid, $2)) AS "all",
     ${count('not_syncing')} AS not_syncing, ${count('no_device')} AS no_device, ${count('deleting')} AS deleting`,
);

/** Number of users of each kind: exact for all, and up to one more than the counting limit for the others. */
export async function countUserRows(
  db: Queryable,
  tenant: Tenant,
): Promise<Record<UserFilter | 'all', number>> {
  const [row] = await readAsTenant<Record<UserFilter | 'all', number>>(db, tenant, selectCounts, []);
  return row!;
}
