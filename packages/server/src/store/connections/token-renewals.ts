import type { FailureKind } from '@tributary/providers';
import type { Queryable } from '../database/database.ts';

/** A refresh that is to be done: whose tokens, and the version that no longer works. */
export interface Renewal {
  deviceId: string;
  seenVersion: number;
}

export interface RenewalFailure {
  /** `unexpected` means that the log has the cause. */
  kind: FailureKind | 'unexpected';
  message: string;
  retryAtMs: number | null;
}

/**
 * How long a started refresh belongs to the process that started it. More than a provider's response and the commit can take: two processes that use
 * one refresh token can end a consent.
 */
const leaseSeconds = 60;

/** Requests a refresh, or joins the one that is waiting or running. Returns false if the connection has no tokens. */
export async function requestRenewal(db: Queryable, { deviceId, seenVersion }: Renewal): Promise<boolean> {
  const { rows } = await db.query<{ isRequested: boolean }>({
    name: 'token-renewals/request',
    text: `WITH known AS (SELECT device_id FROM connections WHERE device_id = $1 AND tokens IS NOT NULL), requested AS (
             INSERT INTO token_renewals AS t (device_id, seen_version, requested_at)
             SELECT device_id, $2, clock_timestamp() FROM known
             ON CONFLICT (device_id) DO UPDATE
             SET seen_version = excluded.seen_version, requested_at = excluded.requested_at, started_at = NULL, failure = NULL
             WHERE t.failure IS NOT NULL OR t.seen_version < excluded.seen_version)
           SELECT EXISTS (SELECT FROM known) AS "isRequested"`,
    values: [deviceId, seenVersion],
  });
  return rows[0]!.isRequested;
}

export interface RenewalState {
  /** Whether the connection still has tokens. */
  isConnected: boolean;
  /** Whether the tokens are newer than those seen. */
  isRenewed: boolean;
  /** Whether the request still exists. */
  isRequested: boolean;
  isStarted: boolean;
  failure: RenewalFailure | null;
}

/** How far a refresh is. Null if the connection is gone. */
export async function findRenewal(
  db: Queryable,
  { deviceId, seenVersion }: Renewal,
): Promise<RenewalState | null> {
  const { rows } = await db.query<RenewalState>({
    name: 'token-renewals/find',
    text: `SELECT c.tokens IS NOT NULL AS "isConnected", c.token_version > $2 AS "isRenewed", t.device_id IS NOT NULL AS "isRequested",
             t.started_at IS NOT NULL AS "isStarted", t.failure
           FROM connections c LEFT JOIN token_renewals t USING (device_id) WHERE c.device_id = $1`,
    values: [deviceId, seenVersion],
  });
  return rows[0] ?? null;
}

/** Takes waiting refreshes, oldest first, and those whose process was lost: all, or that of one connection. */
export async function takeRenewals(
  db: Queryable,
  most: number,
  deviceId: string | null = null,
): Promise<Renewal[]> {
  const { rows } = await db.query<Renewal>({
    name: 'token-renewals/take',
    text: `UPDATE token_renewals t SET started_at = clock_timestamp() FROM (
             SELECT device_id FROM token_renewals
             WHERE failure IS NULL AND (started_at IS NULL OR started_at < clock_timestamp() - $2 * interval '1 second')
               AND ($3::uuid IS NULL OR device_id = $3)
             ORDER BY requested_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
           WHERE t.device_id = due.device_id RETURNING t.device_id AS "deviceId", t.seen_version AS "seenVersion"`,
    values: [most, leaseSeconds, deviceId],
  });
  return rows;
}

/** Ends a refresh: forgets it, or keeps the reason why there are no new tokens. */
export async function finishRenewal(
  db: Queryable,
  { deviceId, seenVersion }: Renewal,
  failure: RenewalFailure | null,
): Promise<void> {
  await db.query(
    failure
      ? {
          name: 'token-renewals/fail',
          text: 'UPDATE token_renewals SET failure = $3 WHERE device_id = $1 AND seen_version = $2',
          values: [deviceId, seenVersion, failure],
        }
      : {
          name: 'token-renewals/forget',
          text: 'DELETE FROM token_renewals WHERE device_id = $1 AND seen_version <= $2',
          values: [deviceId, seenVersion],
        },
  );
}

/** Seconds that the oldest refresh has waited. */
export async function findRenewalLag(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ lag: number }>({
    text: `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(requested_at)), 0)::float8 AS lag
           FROM token_renewals WHERE failure IS NULL`,
  });
  return rows[0]!.lag;
}
