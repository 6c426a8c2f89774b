import type { SyncReason, SyncState } from '@tributary/contract';
import type { Timezones } from '@tributary/domain';
import type pg from 'pg';
import type { Queryable } from '../database/database.ts';
import type { SandboxPerson } from '../sandbox/sandbox.ts';
import { readAsTenant, readPlannedAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';
import { activeInTenant, userScope } from './read.ts';
import { timezonesOf } from './timezones.ts';

export interface User {
  id: string;
  referenceId: string;
  timezone: string | null;
  status: 'active' | 'deleting';
  scoreStatus: 'pending' | 'computing' | 'ready';
  lastSyncAt: string | null;
  lastScoreAt: string | null;
  createdAt: string;
}

export interface Profile {
  birth_date?: string;
  sex?: 'female' | 'male' | 'other';
  height_cm?: number;
  weight_kg?: number;
  max_heart_rate?: number;
  goals?: Record<string, number>;
}

export interface Device {
  id: string;
  provider: string;
  status: 'pending' | 'active' | 'suspect' | 'expired';
  connectedAt: string | null;
  lastSyncAt: string | null;
  /** The sync state of its connection; null for data from a phone. */
  syncState: SyncState | null;
  syncReason: SyncReason | null;
}

export interface UserDetail extends User {
  timezones: Timezones;
  profile: Profile;
  lastBatchAt: string | null;
  pendingBatches: number;
  devices: Device[];
  daysAhead: number;
  sandbox: SandboxPerson | null;
}

/** Sorts after every other id: the start of a list, newest first. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const columns = `u.id, u.reference_id AS "referenceId", u.timezone, u.status, u.score_status AS "scoreStatus",
  u.last_sync_at AS "lastSyncAt", u.last_score_at AS "lastScoreAt", u.created_at AS "createdAt"`;

const devicesOfUser = `LATERAL (
  SELECT coalesce(json_agg(json_build_object(
    'id', d.id, 'provider', d.provider, 'status', d.status,
    'connectedAt', iso_timestamp(d.connected_at), 'lastSyncAt', iso_timestamp(d.last_sync_at),
    'syncState', d.sync_state, 'syncReason', d.sync_reason
  ) ORDER BY d.device_no), '[]') AS devices
  FROM devices d WHERE d.user_id = u.id AND d.removed_at IS NULL AND user_scope.user_id IS NOT NULL) AS device_list`;

/** Exported for the benchmark that compares the service with this statement. */
export const selectDetail = tenantRead(
  'users/detail',
  `SELECT ${columns}, ${timezonesOf('u')} AS timezones, u.profile, u.last_batch_at AS "lastBatchAt", u.days_ahead AS "daysAhead", u.sandbox, pending."pendingBatches", device_list.devices
   FROM users u, ${userScope}, ${devicesOfUser},
   LATERAL (SELECT count(*) AS "pendingBatches" FROM pending_batches b
            WHERE b.partition = partition_of(u.id) AND b.user_id = u.id AND user_scope.user_id IS NOT NULL) AS pending
   WHERE ${activeInTenant} AND u.id = $3`,
);

const selectDevices = tenantRead(
  'users/devices',
  `SELECT device_list.devices FROM users u, ${userScope}, ${devicesOfUser} WHERE ${activeInTenant} AND u.id = $3`,
);

const selectExists = tenantRead(
  'users/exists',
  `SELECT u.id FROM users u WHERE ${activeInTenant} AND u.id = $3`,
);

const selectAfter = tenantRead(
  'users/after',
  `SELECT ${columns} FROM users u WHERE ${activeInTenant} AND u.id < $3 ORDER BY u.id DESC LIMIT $4`,
);

const selectByReference = tenantRead(
  'users/by-reference',
  `SELECT ${columns} FROM users u WHERE ${activeInTenant} AND u.reference_id = $3`,
);

// Finds the page only in the index and joins afterwards, so that skipped rows are never fetched.
const selectPage = tenantRead(
  'users/page',
  `SELECT counted.total, page.* FROM
     (SELECT coalesce(sum(c.active), 0)::int8 AS total FROM user_counts c
      WHERE in_tenant(c.account_id, c.environment, $1::uuid, $2)) AS counted
     LEFT JOIN (
       SELECT ${columns} FROM
         (SELECT u.id FROM users u WHERE ${activeInTenant} ORDER BY u.id DESC LIMIT $3 OFFSET $4) AS key
         JOIN users u USING (id) WHERE ${activeInTenant}
       ORDER BY u.id DESC
     ) AS page ON true
   ORDER BY page.id DESC`,
);

/** The user with profile, devices and sync state, or null if this tenant has no such user. */
export async function findUserDetail(db: Queryable, tenant: Tenant, id: string): Promise<UserDetail | null> {
  const [row] = await readAsTenant<UserDetail>(db, tenant, selectDetail, [id]);
  return row ?? null;
}

/** The devices of a user, or null if this tenant has no such user. */
export async function findDevicesOfUser(
  db: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<Device[] | null> {
  const [row] = await readAsTenant<{ devices: Device[] }>(db, tenant, selectDevices, [userId]);
  return row?.devices ?? null;
}

export async function userExists(db: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await readAsTenant<{ id: string }>(db, tenant, selectExists, [id]);
  return rows.length > 0;
}

/** Locks the user until the transaction ends: it cannot be deleted, and no other session can be started for it. False if there is none. */
export async function lockUser(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'users/lock',
    text: `SELECT FROM users u WHERE ${activeInTenant} AND u.id = $3 FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}

/** Up to `limit` users older than `beforeId`, newest first. */
export function listUsersBefore(
  pool: pg.Pool,
  tenant: Tenant,
  beforeId: string,
  limit: number,
): Promise<User[]> {
  return readPlannedAsTenant<User>(pool, tenant, selectAfter, [beforeId, limit]);
}

export async function findUserByReference(
  db: Queryable,
  tenant: Tenant,
  referenceId: string,
): Promise<User | null> {
  const [row] = await readAsTenant<User>(db, tenant, selectByReference, [referenceId]);
  return row ?? null;
}

/** One page and the exact number of users, from one snapshot. */
export async function listUsersPage(
  pool: pg.Pool,
  tenant: Tenant,
  page: { limit: number; offset: number },
): Promise<{ total: number; users: User[] }> {
  const rows = await readPlannedAsTenant<{ total: number } & (User | { id: null })>(
    pool,
    tenant,
    selectPage,
    [page.limit, page.offset],
  );
  const users = rows.filter((row): row is { total: number } & User => row.id !== null);
  return { total: rows[0]?.total ?? 0, users };
}

/** Inserts a user inside the tenant's transaction; false if its reference is taken. */
export async function insertUser(
  tx: Queryable,
  tenant: Tenant,
  user: {
    id: string;
    referenceId: string;
    timezone: string | null;
    profile: Profile;
    sandbox: SandboxPerson | null;
  },
): Promise<boolean> {
  const result = await tx.query({
    name: 'users/insert',
    text: `INSERT INTO users (id, account_id, environment, reference_id, timezone, profile, sandbox) VALUES ($3, $1, $2, $4, $5, $6, $7)
           ON CONFLICT (account_id, environment, reference_id) WHERE status = 'active' DO NOTHING`,
    values: [
      tenant.accountId,
      tenant.environment,
      user.id,
      user.referenceId,
      user.timezone,
      user.profile,
      user.sandbox,
    ],
  });
  return result.rowCount === 1;
}

/** Serializes limited creates of this tenant, then counts its active users. */
export async function countUsersExclusively(tx: Queryable, tenant: Tenant): Promise<number> {
  await tx.query({
    text: `SELECT pg_advisory_xact_lock(hashtextextended('user-limit:' || $1 || ':' || $2, 0))`,
    values: [tenant.accountId, tenant.environment],
  });
  const result = await tx.query<{ total: number }>({
    text: `SELECT coalesce(sum(active), 0)::int8 AS total FROM user_counts c WHERE in_tenant(c.account_id, c.environment, $1, $2)`,
    values: [tenant.accountId, tenant.environment],
  });
  return result.rows[0]?.total ?? 0;
}

export interface UserChanges {
  referenceId?: string;
  /** The current zone as the client sent it, and those before it. */
  timezone?: { current: string | null; earlier: string | null };
  /** Merged into the stored profile; null clears a field. */
  profile?: Record<string, unknown>;
}

/** Applies the given changes; false if this tenant has no such user. Throws PostgreSQL's 23505 if the reference is taken. */
export async function updateUser(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  changes: UserChanges,
): Promise<boolean> {
  const result = await tx.query({
    name: 'users/update',
    text: `UPDATE users u SET
             reference_id = coalesce($4, u.reference_id),
             timezone = CASE WHEN $5 THEN $6 ELSE u.timezone END,
             earlier_timezones = CASE WHEN $5 THEN $8 ELSE u.earlier_timezones END,
             profile = jsonb_strip_nulls(u.profile || $7::jsonb)
           WHERE ${activeInTenant} AND u.id = $3`,
    values: [
      tenant.accountId,
      tenant.environment,
      id,
      changes.referenceId ?? null,
      changes.timezone !== undefined,
      changes.timezone?.current ?? null,
      changes.profile ?? {},
      changes.timezone?.earlier ?? null,
    ],
  });
  return result.rowCount === 1;
}

/** Hides the user from every read; false if there is none. */
export async function markUserDeleting(tx: Queryable, tenant: Tenant, id: string): Promise<boolean> {
  const result = await tx.query({
    name: 'users/delete',
    text: `UPDATE users u SET status = 'deleting', deleted_at = tributary_now() WHERE ${activeInTenant} AND u.id = $3`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rowCount === 1;
}

/** Records that data of these users was processed, and whether it leads to their first scores. */
export async function markUsersSynced(
  tx: Queryable,
  users: readonly { userId: string; lastBatchMs: number; scoring: boolean }[],
): Promise<void> {
  await tx.query({
    name: 'users/synced',
    text: `UPDATE users u SET last_sync_at = tributary_now(), last_batch_at = greatest(u.last_batch_at, to_timestamp(s.last_batch_ms / 1000)),
             score_status = CASE WHEN s.scoring AND u.score_status = 'pending' THEN 'computing' ELSE u.score_status END
           FROM unnest($1::uuid[], $2::float8[], $3::bool[]) AS s (user_id, last_batch_ms, scoring) WHERE u.id = s.user_id`,
    values: [
      users.map(({ userId }) => userId),
      users.map(({ lastBatchMs }) => lastBatchMs),
      users.map(({ scoring }) => scoring),
    ],
  });
}
