import type { Scope } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import type { Installation } from './sdk-sessions.ts';
import type { Environment, Tenant } from '../database/tenant.ts';

/** A session that was found and locked by one of its tokens. */
export interface PresentedSession {
  id: string;
  tenant: Tenant;
  userId: string;
  scopes: Scope[];
}

const inTenant = `in_tenant(s.account_id, s.environment, $1::uuid, $2)`;

/** Gives a session its next client token, which invalidates the previous one, and updates the given fields of the installation. */
export async function replaceClientToken(
  tx: Queryable,
  tenant: Tenant,
  session: { id: string; scopes: readonly Scope[] | null } & Installation,
  token: { generation: number; hash: Buffer; lifetimeSeconds: number },
): Promise<{ scopes: Scope[]; expiresAt: string }> {
  const result = await tx.query<{ scopes: Scope[]; expiresAt: string }>({
    name: 'sdk-sessions/replace-client-token',
    text: `UPDATE sdk_sessions s SET client_generation = $4, client_token_hash = $5,
             client_token_expires_at = tributary_now() + $6 * interval '1 second', scopes = coalesce($7, s.scopes),
             platform = coalesce($8, s.platform), app_version = coalesce($9, s.app_version), device_model = coalesce($10, s.device_model)
           WHERE ${inTenant} AND s.id = $3
           RETURNING s.scopes, s.client_token_expires_at AS "expiresAt"`,
    values: [
      tenant.accountId,
      tenant.environment,
      session.id,
      token.generation,
      token.hash,
      token.lifetimeSeconds,
      session.scopes,
      session.platform,
      session.appVersion,
      session.deviceModel,
    ],
  });
  return result.rows[0]!; // locked or inserted by this transaction
}

interface PresentedRow {
  id: string;
  accountId: string;
  environment: Environment;
  userId: string;
  scopes: Scope[];
}

const presentedColumns = `id, account_id AS "accountId", environment, user_id AS "userId", scopes`;

/** Finds and locks the session of a valid client token, in the transaction of its bearer. */
export async function lockSessionByClientToken(
  tx: Queryable,
  hash: Buffer,
): Promise<PresentedSession | null> {
  const result = await tx.query<PresentedRow>({
    name: 'sdk-sessions/lock-by-client-token',
    text: `SELECT ${presentedColumns} FROM sdk_sessions
           WHERE client_token_hash = $1 AND client_token_expires_at > tributary_now() FOR UPDATE`,
    values: [hash],
  });
  return result.rows[0] ? toPresented(result.rows[0]) : null;
}

/** The refresh state of a session that was found by one of its refresh tokens. */
export interface RefreshState extends PresentedSession {
  generation: number;
  keyVersion: number;
  currentHash: Buffer;
  previousHash: Buffer | null;
  requestId: string | null;
  refreshedAt: string;
  /** By the database's clock. */
  ageSeconds: number;
}

/** Finds and locks the active session of a family of refresh tokens, in the transaction of its bearer. */
export async function lockSessionByFamily(tx: Queryable, hash: Buffer): Promise<RefreshState | null> {
  const result = await tx.query<PresentedRow & Omit<RefreshState, 'tenant'>>({
    name: 'sdk-sessions/lock-by-family',
    text: `SELECT ${presentedColumns}, refresh_generation AS generation, refresh_key_version AS "keyVersion",
             refresh_hash AS "currentHash", previous_refresh_hash AS "previousHash", refresh_request_id AS "requestId",
             refreshed_at AS "refreshedAt", extract(epoch FROM tributary_now() - refreshed_at)::float8 AS "ageSeconds"
           FROM sdk_sessions WHERE refresh_family_hash = $1 AND status = 'active' AND refresh_key_version IS NOT NULL FOR UPDATE`,
    values: [hash],
  });
  const [row] = result.rows;
  if (!row) return null;
  const { generation, keyVersion, currentHash, previousHash, requestId, refreshedAt, ageSeconds } = row;
  const state = { generation, keyVersion, currentHash, previousHash, requestId, refreshedAt, ageSeconds };
  return { ...toPresented(row), ...state };
}

/** Starts a family of refresh tokens: activates the session and uses up its client token. Returns the time of that. */
export async function startRefreshFamily(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  token: { familyHash: Buffer; hash: Buffer; keyVersion: number },
): Promise<string> {
  const result = await tx.query<{ refreshedAt: string }>({
    name: 'sdk-sessions/start-family',
    text: `UPDATE sdk_sessions s SET status = 'active', client_token_hash = NULL, client_token_expires_at = NULL,
             refresh_family_hash = $4, refresh_generation = 1, refresh_hash = $5, previous_refresh_hash = NULL, refresh_key_version = $6,
             refresh_request_id = NULL, refreshed_at = tributary_now(), last_seen_at = tributary_now()
           WHERE ${inTenant} AND s.id = $3 RETURNING s.refreshed_at AS "refreshedAt"`,
    values: [tenant.accountId, tenant.environment, id, token.familyHash, token.hash, token.keyVersion],
  });
  return result.rows[0]!.refreshedAt; // locked or inserted by this transaction
}

/** Replaces the current refresh token with the next one. Returns the time of that. */
export async function replaceRefreshToken(
  tx: Queryable,
  tenant: Tenant,
  id: string,
  token: { generation: number; hash: Buffer; keyVersion: number; requestId: string | null },
): Promise<string> {
  const result = await tx.query<{ refreshedAt: string }>({
    name: 'sdk-sessions/replace-refresh-token',
    text: `UPDATE sdk_sessions s SET refresh_generation = $4, previous_refresh_hash = s.refresh_hash, refresh_hash = $5, refresh_key_version = $6,
             refresh_request_id = $7, refreshed_at = tributary_now(), last_seen_at = tributary_now()
           WHERE ${inTenant} AND s.id = $3 RETURNING s.refreshed_at AS "refreshedAt"`,
    values: [
      tenant.accountId,
      tenant.environment,
      id,
      token.generation,
      token.hash,
      token.keyVersion,
      token.requestId,
    ],
  });
  return result.rows[0]!.refreshedAt; // locked by this transaction
}

function toPresented({ id, accountId, environment, userId, scopes }: PresentedRow): PresentedSession {
  return { id, tenant: { accountId, environment }, userId, scopes };
}
