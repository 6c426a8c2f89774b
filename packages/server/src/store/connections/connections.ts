import { cloudDevice } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import type { Environment, Tenant } from '../database/tenant.ts';

export type DeviceStatus = 'pending' | 'active' | 'suspect' | 'expired';

/** A user's authorization to read a provider. */
export interface Connection {
  deviceId: string;
  userId: string;
  accountId: string;
  environment: Environment;
  provider: string;
  externalId: string | null;
  status: DeviceStatus;
  /** Whether the device was removed. */
  removed: boolean;
  /** Sealed; null without a consent. */
  tokens: Buffer | null;
  tokenVersion: number;
  revokeTries: number;
}

const columns = `c.device_id AS "deviceId", c.user_id AS "userId", c.account_id AS "accountId", c.environment, c.provider,
  c.external_id AS "externalId", d.status, d.removed_at IS NOT NULL AS removed, c.tokens, c.token_version AS "tokenVersion",
  c.revoke_tries AS "revokeTries"`;
const joined = `connections c JOIN devices d ON d.user_id = c.user_id AND d.id = c.device_id`;

/** The connection of a device, of any user. For the operator's pool, or a transaction scoped to its user. */
export async function findConnection(db: Queryable, deviceId: string): Promise<Connection | null> {
  const result = await db.query<Connection>({
    name: 'connections/find',
    text: `SELECT ${columns} FROM ${joined} WHERE c.device_id = $1`,
    values: [deviceId],
  });
  return result.rows[0] ?? null;
}

/** A user's device of a provider. One that the sandbox simulates has no connection. */
interface DeviceOfProvider {
  id: string;
  status: DeviceStatus;
  hasConnection: boolean;
}

/** A locked user's device of a provider; null if there is none. Scopes the rest of the transaction to the user. */
export async function findDeviceOfProvider(
  tx: Queryable,
  userId: string,
  provider: string,
): Promise<DeviceOfProvider | null> {
  await setUserScope(tx, userId);
  const result = await tx.query<DeviceOfProvider>({
    name: 'connections/device-of-provider',
    text: `SELECT d.id, d.status, EXISTS (SELECT FROM connections c WHERE c.device_id = d.id) AS "hasConnection"
           FROM devices d WHERE d.user_id = $1 AND d.provider = $2 AND d.stable_id = $3 AND d.removed_at IS NULL`,
    values: [userId, provider, cloudDevice],
  });
  return result.rows[0] ?? null;
}

/** Inserts the device of a provider, pending the user's consent. The caller has locked the user. */
export async function insertPendingDevice(
  tx: Queryable,
  device: { id: string; userId: string; provider: string; kind: string },
): Promise<void> {
  await setUserScope(tx, device.userId);
  await tx.query({
    name: 'connections/insert-device',
    text: `INSERT INTO devices (user_id, device_no, id, provider, stable_id, kind, status, sync_state, sync_reason)
           SELECT $1, coalesce(max(device_no), 0) + 1, $2, $3, $4, $5, 'pending', 'silent', 'waiting_for_person'
           FROM devices WHERE user_id = $1`,
    values: [device.userId, device.id, device.provider, cloudDevice, device.kind],
  });
}

/** Inserts the connection of a device, unless it has one. A device that the sandbox simulates has none before. */
export async function insertConnection(
  tx: Queryable,
  tenant: Tenant,
  device: { id: string; userId: string; provider: string },
): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'connections/insert',
    text: `INSERT INTO connections (device_id, user_id, account_id, environment, provider) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (device_id) DO NOTHING`,
    values: [device.id, device.userId, tenant.accountId, tenant.environment, device.provider],
  });
  if (rowCount === 0) return;
  await tx.query({
    name: 'connections/await-person',
    text: `UPDATE devices SET sync_state = 'silent', sync_reason = 'waiting_for_person'
           WHERE user_id = $1 AND id = $2 AND sync_state IS NULL`,
    values: [device.userId, device.id],
  });
}

/** Applies a user's consent: stores the tokens and what the user shares, and starts everything that depends on them. */
export async function authorizeConnection(
  tx: Queryable,
  { deviceId, userId }: { deviceId: string; userId: string },
  consent: { externalId: string; tokens: Buffer; historyDays: number; scopes: number },
): Promise<void> {
  await setUserScope(tx, userId);
  await tx.query({
    name: 'connections/authorize',
    text: `UPDATE connections SET external_id = $2, tokens = $3, token_version = token_version + 1, authorized_at = tributary_now(),
             refusals = 0, failures = 0, failure = NULL, run_no = run_no + 1, due_at = tributary_now(), poll_at = tributary_now(), deep_at = NULL,
             history_began_at = NULL, history_streams = '{}', poll_streams = '{}', history_top = tributary_now(), history_to = tributary_now(),
             -- A returning user has already been read up to the day the previous consent ended.
             history_from = greatest(tributary_now() - $4 * interval '1 day',
               CASE WHEN external_id = $2 AND history_top IS NOT NULL AND history_due_at IS NULL THEN last_success_at - interval '10 days' END),
             -- Ahead of runs in progress: the first days matter most, and some providers return even those only as history.
             history_due_at = CASE WHEN $4 > 0 THEN tributary_now() - interval '1 day' END, scopes = $5
           WHERE device_id = $1`,
    values: [deviceId, consent.externalId, consent.tokens, consent.historyDays, consent.scopes],
  });
  await tx.query({
    name: 'connections/activate-device',
    text: `UPDATE devices SET status = 'active', connected_at = coalesce(connected_at, tributary_now()), sync_state = 'fresh', sync_reason = 'on_time'
           WHERE user_id = $1 AND id = $2`,
    values: [userId, deviceId],
  });
}

/** Changes the status of a device; false if it already has that status or is gone. */
export async function setDeviceStatus(
  tx: Queryable,
  { deviceId, userId }: { deviceId: string; userId: string },
  status: DeviceStatus,
  sync: { state: string; reason: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'connections/device-status',
    text: `UPDATE devices SET status = $3, sync_state = $4, sync_reason = $5
           WHERE user_id = $1 AND id = $2 AND removed_at IS NULL AND status <> 'pending'
             AND (status, sync_state, sync_reason) IS DISTINCT FROM ($3, $4, $5)`,
    values: [userId, deviceId, status, sync.state, sync.reason],
  });
  return result.rowCount === 1;
}

/** Replaces tokens after a refresh, unless they were replaced since. */
export async function replaceTokens(
  db: Queryable,
  deviceId: string,
  seenVersion: number,
  tokens: Buffer,
): Promise<void> {
  await db.query({
    name: 'connections/replace-tokens',
    text: `UPDATE connections SET tokens = $3, token_version = token_version + 1, refusals = 0 WHERE device_id = $1 AND token_version = $2`,
    values: [deviceId, seenVersion, tokens],
  });
}

/** Counts a rejected refresh. Returns the number of consecutive rejections. */
export async function countRefusal(tx: Queryable, deviceId: string): Promise<number> {
  const result = await tx.query<{ refusals: number }>({
    text: `UPDATE connections SET refusals = refusals + 1 WHERE device_id = $1 RETURNING refusals`,
    values: [deviceId],
  });
  return result.rows[0]?.refusals ?? 0;
}

/** Deletes tokens and cancels all work that needs them. */
export async function endConnection(tx: Queryable, deviceId: string): Promise<void> {
  await tx.query({
    text: `UPDATE connections SET tokens = NULL, token_version = token_version + 1, run_no = run_no + 1, due_at = NULL, poll_at = NULL, history_due_at = NULL
           WHERE device_id = $1`,
    values: [deviceId],
  });
  await tx.query({ text: 'DELETE FROM sync_notices WHERE device_id = $1', values: [deviceId] });
}

/** Stops syncing a device that was just hidden. Its tokens are kept until the consent is revoked with the provider. */
export async function stopConnection(tx: Queryable, deviceId: string): Promise<void> {
  await tx.query({
    name: 'connections/stop',
    text: `UPDATE connections SET run_no = run_no + 1, due_at = NULL, poll_at = NULL, history_due_at = NULL WHERE device_id = $1`,
    values: [deviceId],
  });
}

export async function countRevokeTry(db: Queryable, deviceId: string): Promise<void> {
  await db.query({
    text: `UPDATE connections SET revoke_tries = revoke_tries + 1 WHERE device_id = $1`,
    values: [deviceId],
  });
}

export async function deleteConnection(db: Queryable, deviceId: string): Promise<void> {
  await db.query({ text: 'DELETE FROM connections WHERE device_id = $1', values: [deviceId] });
}

/** A consent to revoke with its provider. The device may be gone by now. */
export type LastingConsent = Pick<
  Connection,
  'deviceId' | 'environment' | 'provider' | 'externalId' | 'tokens' | 'tokenVersion' | 'revokeTries'
>;

const lasting = `device_id AS "deviceId", environment, provider, external_id AS "externalId", tokens, token_version AS "tokenVersion",
  revoke_tries AS "revokeTries"`;

/** The connection of a removed device; null if its consent was already revoked with the provider. */
export async function findConsentOfRemoved(db: Queryable, deviceId: string): Promise<LastingConsent | null> {
  const result = await db.query<LastingConsent>({
    text: `SELECT ${lasting} FROM connections c WHERE device_id = $1
             AND NOT EXISTS (SELECT FROM devices d WHERE d.user_id = c.user_id AND d.id = c.device_id AND d.removed_at IS NULL)`,
    values: [deviceId],
  });
  return result.rows[0] ?? null;
}

export async function listConsentsOfUser(db: Queryable, userId: string): Promise<LastingConsent[]> {
  const result = await db.query<LastingConsent>({
    text: `SELECT ${lasting} FROM connections WHERE user_id = $1`,
    values: [userId],
  });
  return result.rows;
}

/** Authorized connections by the provider's user id. There are several if several users are the same person. */
export async function listConnectionsOfPerson(
  db: Queryable,
  app: { environment: Environment; provider: string },
  externalId: string,
): Promise<{ deviceId: string; userId: string; scopes: number }[]> {
  const result = await db.query<{ deviceId: string; userId: string; scopes: number }>({
    name: 'connections/of-person',
    text: `SELECT c.device_id AS "deviceId", c.user_id AS "userId", c.scopes FROM ${joined} JOIN users u ON u.id = c.user_id AND u.status = 'active'
           WHERE c.environment = $1 AND c.provider = $2 AND c.external_id = $3 AND c.tokens IS NOT NULL AND d.removed_at IS NULL
           ORDER BY c.device_id`,
    values: [app.environment, app.provider, externalId],
  });
  return result.rows;
}

/** Number of users who have connected a provider. */
export async function countConnected(
  db: Queryable,
  { environment, provider }: { environment: Environment; provider: string },
): Promise<number> {
  const result = await db.query<{ people: number }>({
    name: 'connections/count',
    text: `SELECT count(*) AS people FROM connections WHERE environment = $1 AND provider = $2 AND tokens IS NOT NULL`,
    values: [environment, provider],
  });
  return result.rows[0]!.people;
}

async function setUserScope(tx: Queryable, userId: string): Promise<void> {
  await tx.query({ text: `SELECT set_config('tributary.user_id', $1, true)`, values: [userId] });
}

/** Providers with at least one connected user. */
export async function listConnectedProviders(
  db: Queryable,
): Promise<{ environment: Environment; provider: string }[]> {
  const result = await db.query<{ environment: Environment; provider: string }>({
    text: `SELECT DISTINCT environment, provider FROM connections WHERE tokens IS NOT NULL`,
  });
  return result.rows;
}
