import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Environment, Tenant } from '../database/tenant.ts';

export type ConnectLinkStatus = 'open' | 'continued' | 'connected' | 'cancelled' | 'declined' | 'failed';

export interface ConnectLink {
  id: string;
  accountId: string;
  environment: Environment;
  userId: string;
  deviceId: string;
  provider: string;
  redirectUrl: string | null;
  status: ConnectLinkStatus;
  expiresMs: number;
  browserHash: Buffer | null;
  sealed: Buffer | null;
  /** The categories that the user chose to share, as bits. */
  scopes: number;
}

const columns = `id, account_id AS "accountId", environment, user_id AS "userId", device_id AS "deviceId", provider, redirect_url AS "redirectUrl",
  status, ${epochMs('expires_at')} AS "expiresMs", browser_hash AS "browserHash", sealed, scopes`;

export async function insertConnectLink(
  tx: Queryable,
  tenant: Tenant,
  link: {
    id: string;
    userId: string;
    deviceId: string;
    provider: string;
    redirectUrl: string | null;
    linkHash: Buffer;
    minutes: number;
  },
): Promise<void> {
  await tx.query({
    name: 'connect-links/insert',
    text: `INSERT INTO connect_links (id, account_id, environment, user_id, device_id, provider, redirect_url, link_hash, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, tributary_now(), tributary_now() + $9 * interval '1 minute')`,
    values: [
      link.id,
      tenant.accountId,
      tenant.environment,
      link.userId,
      link.deviceId,
      link.provider,
      link.redirectUrl,
      link.linkHash,
      link.minutes,
    ],
  });
}

/** Finds the link of a presented secret or state. The transaction carries the hash as its credential. */
export async function findConnectLink(
  tx: Queryable,
  by: 'link_hash' | 'state_hash',
  hash: Buffer,
): Promise<ConnectLink | null> {
  const result = await tx.query<ConnectLink>({
    name: `connect-links/by-${by}`,
    text: `SELECT ${columns} FROM connect_links WHERE ${by} = $1`,
    values: [hash],
  });
  return result.rows[0] ?? null;
}

/** Continues a link, once: it then waits for the state to return, with a new deadline. False if it was continued already or has expired. */
export async function continueConnectLink(
  tx: Queryable,
  id: string,
  continuation: { stateHash: Buffer; browserHash: Buffer; sealed: Buffer; minutes: number; scopes: number },
): Promise<boolean> {
  const result = await tx.query({
    name: 'connect-links/continue',
    text: `UPDATE connect_links SET status = 'continued', state_hash = $2, browser_hash = $3, sealed = $4, scopes = $6,
             expires_at = tributary_now() + $5 * interval '1 minute'
           WHERE id = $1 AND status = 'open' AND expires_at > tributary_now()`,
    values: [
      id,
      continuation.stateHash,
      continuation.browserHash,
      continuation.sealed,
      continuation.minutes,
      continuation.scopes,
    ],
  });
  return result.rowCount === 1;
}

/** Ends a link in the given state and deletes its sealed data; false if it is no longer in that state. */
export async function endConnectLink(
  tx: Queryable,
  id: string,
  from: 'open' | 'continued',
  status: Exclude<ConnectLinkStatus, 'open' | 'continued'>,
): Promise<boolean> {
  const result = await tx.query({
    name: 'connect-links/end',
    text: `UPDATE connect_links SET status = $3, sealed = NULL WHERE id = $1 AND status = $2 AND expires_at > tributary_now()`,
    values: [id, from, status],
  });
  return result.rowCount === 1;
}

/** Marks a link as failed although it was marked as connected. */
export async function failConnectLink(tx: Queryable, id: string): Promise<void> {
  await tx.query({
    text: `UPDATE connect_links SET status = 'failed' WHERE id = $1 AND status = 'connected'`,
    values: [id],
  });
}

/** Deletes links a day after they expire. */
export async function deleteOldConnectLinks(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM connect_links WHERE expires_at < tributary_now() - interval '1 day'`,
  });
  return result.rowCount ?? 0;
}
