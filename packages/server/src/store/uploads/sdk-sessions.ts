import type { Scope } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** What a backend reports about an installation. */
export interface Installation {
  platform: 'ios' | 'android' | 'react_native' | 'web' | 'other' | null;
  installationId: string | null;
  appVersion: string | null;
  deviceModel: string | null;
}

/** A session as a list shows it. */
export interface SdkSession extends Pick<Installation, 'platform' | 'installationId'> {
  id: string;
  status: 'pending' | 'active';
  createdAt: string;
  lastSeenAt: string | null;
}

const inTenant = `in_tenant(s.account_id, s.environment, $1::uuid, $2)`;

/** Ends a session permanently and deletes the hashes that its tokens are found by. */
const revoked = `status = 'revoked', revoked_at = coalesce(revoked_at, tributary_now()), client_token_hash = NULL,
  refresh_family_hash = NULL, refresh_hash = NULL, previous_refresh_hash = NULL, refresh_request_id = NULL`;

const selectOfUser = tenantRead(
  'sdk-sessions/of-user',
  `SELECT list.sessions FROM users u, LATERAL (
     SELECT coalesce(json_agg(json_build_object(
       'id', s.id, 'status', s.status, 'platform', s.platform, 'installationId', s.installation_id,
       'createdAt', iso_timestamp(s.created_at), 'lastSeenAt', iso_timestamp(s.last_seen_at)
     ) ORDER BY s.id DESC), '[]') AS sessions
     FROM sdk_sessions s WHERE ${inTenant} AND s.user_id = u.id AND s.status <> 'revoked') AS list
   WHERE in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.id = $3 AND u.status = 'active'`,
);

const selectLive = tenantRead(
  'sdk-sessions/live',
  `SELECT s.id FROM sdk_sessions s JOIN users u ON u.id = s.user_id
   WHERE ${inTenant} AND s.id = $3 AND s.user_id = $4 AND s.status = 'active'
     AND in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.status = 'active'`,
);

/** Pending and active sessions of a user, newest first; null if this tenant has no such user. */
export async function findSessionsOfUser(
  db: Queryable,
  tenant: Tenant,
  userId: string,
): Promise<SdkSession[] | null> {
  const [row] = await readAsTenant<{ sessions: SdkSession[] }>(db, tenant, selectOfUser, [userId]);
  return row?.sessions ?? null;
}

/** Whether a session and its user are active. */
export async function isLiveSession(
  db: Queryable,
  tenant: Tenant,
  session: { id: string; userId: string },
): Promise<boolean> {
  const rows = await readAsTenant<{ id: string }>(db, tenant, selectLive, [session.id, session.userId]);
  return rows.length > 0;
}

/** Inserts a session without tokens, for a user that was found within its tenant. */
export async function insertSession(
  tx: Queryable,
  tenant: Tenant,
  session: { id: string; userId: string; scopes: readonly Scope[] } & Installation,
): Promise<void> {
  await tx.query({
    name: 'sdk-sessions/insert',
    text: `INSERT INTO sdk_sessions (id, account_id, environment, user_id, status, scopes, platform, installation_id, app_version, device_model)
           VALUES ($3, $1, $2, $4, 'pending', $5, $6, $7, $8, $9)`,
    values: [
      tenant.accountId,
      tenant.environment,
      session.id,
      session.userId,
      session.scopes,
      session.platform,
      session.installationId,
      session.appVersion,
      session.deviceModel,
    ],
  });
}

/** Finds and locks the unrevoked session of an installation. */
export async function lockSessionOfInstallation(
  tx: Queryable,
  tenant: Tenant,
  userId: string,
  installationId: string,
): Promise<{ id: string; clientGeneration: number } | null> {
  const result = await tx.query<{ id: string; clientGeneration: number }>({
    name: 'sdk-sessions/lock-of-installation',
    text: `SELECT s.id, s.client_generation AS "clientGeneration" FROM sdk_sessions s
           WHERE ${inTenant} AND s.user_id = $3 AND s.installation_id = $4 AND s.status <> 'revoked' FOR UPDATE`,
    values: [tenant.accountId, tenant.environment, userId, installationId],
  });
  return result.rows[0] ?? null;
}

/** Revokes a session of a user; false if this tenant has no such user or unrevoked session. */
export async function revokeSessionOfUser(
  tx: Queryable,
  tenant: Tenant,
  session: { id: string; userId: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'sdk-sessions/revoke-of-user',
    text: `UPDATE sdk_sessions s SET ${revoked} FROM users u
           WHERE ${inTenant} AND s.id = $3 AND s.user_id = $4 AND s.status <> 'revoked'
             AND u.id = s.user_id AND in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'active'`,
    values: [tenant.accountId, tenant.environment, session.id, session.userId],
  });
  return result.rowCount === 1;
}

/** Whether a user of this tenant has such a session, revoked or not. */
export async function sessionExists(
  tx: Queryable,
  tenant: Tenant,
  session: { id: string; userId: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'sdk-sessions/exists',
    text: `SELECT FROM sdk_sessions s JOIN users u ON u.id = s.user_id
           WHERE ${inTenant} AND s.id = $3 AND s.user_id = $4
             AND in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'active'`,
    values: [tenant.accountId, tenant.environment, session.id, session.userId],
  });
  return result.rowCount === 1;
}

/** Revokes an active session; false if it is not active. */
export async function revokeActiveSession(
  tx: Queryable,
  tenant: Tenant,
  session: { id: string; userId: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'sdk-sessions/revoke-active',
    text: `UPDATE sdk_sessions s SET ${revoked} WHERE ${inTenant} AND s.id = $3 AND s.user_id = $4 AND s.status = 'active'`,
    values: [tenant.accountId, tenant.environment, session.id, session.userId],
  });
  return result.rowCount === 1;
}

/** Revokes all sessions of a user. */
export async function revokeSessionsOfUser(tx: Queryable, tenant: Tenant, userId: string): Promise<void> {
  await tx.query({
    name: 'sdk-sessions/revoke-all-of-user',
    text: `UPDATE sdk_sessions s SET ${revoked} WHERE ${inTenant} AND s.user_id = $3 AND s.status <> 'revoked'`,
    values: [tenant.accountId, tenant.environment, userId],
  });
}

/** Revokes sessions that no token can revive: not started for a day, or not refreshed in time. */
export async function revokeExpiredSessions(db: Queryable, refreshLifetimeSeconds: number): Promise<number> {
  const result = await db.query({
    text: `UPDATE sdk_sessions SET ${revoked}
           WHERE coalesce(client_token_expires_at, '-infinity') < tributary_now() - interval '1 day'
             AND (status = 'pending' OR (status = 'active' AND refreshed_at < tributary_now() - $1 * interval '1 second'))`,
    values: [refreshLifetimeSeconds],
  });
  return result.rowCount ?? 0;
}

/** Deletes sessions that were revoked longer ago than `olderThanDays`. */
export async function deleteRevokedSessions(db: Queryable, olderThanDays: number): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM sdk_sessions WHERE status = 'revoked' AND revoked_at < tributary_now() - $1 * interval '1 day'`,
    values: [olderThanDays],
  });
  return result.rowCount ?? 0;
}
