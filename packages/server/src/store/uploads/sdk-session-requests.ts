import type { Scope } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';

/** Identifies a request of a user across retries. */
export interface RequestName {
  userId: string;
  idempotencyKey: string;
}

/** The stored response to a request, except the client token, which is derived again. */
export interface StoredResponse {
  bodyHash: Buffer;
  sessionId: string;
  clientGeneration: number;
  keyVersion: number;
  clientTokenExpiresAt: string;
  apiUrl: string;
  syncIntervalSeconds: number;
  scopes: Scope[];
}

/**
 * Claims a request until the transaction ends: false while another transaction has it, null if this tenant has no such user. What the previous
 * transaction wrote is visible to the next statement, not to this one.
 */
export async function claimRequest(
  tx: Queryable,
  tenant: Tenant,
  request: RequestName,
): Promise<boolean | null> {
  const result = await tx.query<{ claimed: boolean }>({
    name: 'sdk-session-requests/claim',
    text: `SELECT pg_try_advisory_xact_lock(hashtextextended('sdk-session:' || u.id || ':' || $4::uuid, 0)) AS claimed FROM users u
           WHERE in_tenant(u.account_id, u.environment, $1, $2) AND u.id = $3 AND u.status = 'active'`,
    values: [tenant.accountId, tenant.environment, request.userId, request.idempotencyKey],
  });
  return result.rows[0]?.claimed ?? null;
}

/** The response to the request within the last 24 hours, or null. */
export async function findStoredResponse(
  tx: Queryable,
  tenant: Tenant,
  request: RequestName,
): Promise<StoredResponse | null> {
  const result = await tx.query<StoredResponse>({
    name: 'sdk-session-requests/find',
    text: `SELECT r.body_hash AS "bodyHash", r.session_id AS "sessionId", r.client_generation AS "clientGeneration",
             r.key_version AS "keyVersion", r.client_token_expires_at AS "clientTokenExpiresAt", r.api_url AS "apiUrl",
             r.sync_interval_seconds AS "syncIntervalSeconds", r.scopes
           FROM sdk_session_requests r
           WHERE in_tenant(r.account_id, r.environment, $1, $2) AND r.user_id = $3 AND r.idempotency_key = $4
             AND r.created_at > tributary_now() - interval '1 day'`,
    values: [tenant.accountId, tenant.environment, request.userId, request.idempotencyKey],
  });
  return result.rows[0] ?? null;
}

/** Stores the response to a request, and replaces one that has expired. */
export async function insertStoredResponse(
  tx: Queryable,
  tenant: Tenant,
  request: RequestName,
  response: StoredResponse,
): Promise<void> {
  await tx.query({
    name: 'sdk-session-requests/insert',
    text: `INSERT INTO sdk_session_requests AS r (account_id, environment, user_id, idempotency_key, body_hash, session_id, client_generation,
             key_version, client_token_expires_at, api_url, sync_interval_seconds, scopes)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
           ON CONFLICT (user_id, idempotency_key) DO UPDATE SET
             (body_hash, session_id, client_generation, key_version, client_token_expires_at, api_url, sync_interval_seconds, scopes, created_at) =
             (excluded.body_hash, excluded.session_id, excluded.client_generation, excluded.key_version, excluded.client_token_expires_at,
              excluded.api_url, excluded.sync_interval_seconds, excluded.scopes, excluded.created_at)`,
    values: [
      tenant.accountId,
      tenant.environment,
      request.userId,
      request.idempotencyKey,
      response.bodyHash,
      response.sessionId,
      response.clientGeneration,
      response.keyVersion,
      response.clientTokenExpiresAt,
      response.apiUrl,
      response.syncIntervalSeconds,
      response.scopes,
    ],
  });
}

/** Deletes expired responses. */
export async function deleteOldRequests(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM sdk_session_requests WHERE created_at < tributary_now() - interval '1 day'`,
  });
  return result.rowCount ?? 0;
}
