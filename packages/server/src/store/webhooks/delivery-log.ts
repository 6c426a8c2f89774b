import type { AttemptWire, DeliveryStatus, EventWire } from '@tributary/contract';
import type pg from 'pg';
import type { Queryable } from '../database/database.ts';
import type { FeedEvent } from '../events/feed.ts';
import { readAsTenant, readPlannedAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** The state of one event for one webhook. */
export interface LoggedDelivery {
  eventId: string;
  type: string;
  userId: string | null;
  state: DeliveryStatus;
  /** A test event, which is not in the feed. */
  isTest: boolean;
  createdAt: string;
  dueAt: string;
  endedAt: string | null;
  attemptCount: number;
  lastAttempt: AttemptWire | null;
  mergedInto: string | null;
}

const columns = `d.event_id AS "eventId", d.type, d.user_id AS "userId", d.state, d.position IS NULL AS "isTest", d.created_at AS "createdAt",
  d.due_at AS "dueAt", d.ended_at AS "endedAt", jsonb_array_length(d.attempts) AS "attemptCount", d.attempts -> -1 AS "lastAttempt",
  d.merged_into AS "mergedInto"`;

/** `$1` and `$2` are the tenant, `$3` is the webhook. */
const ofWebhook = `in_tenant(d.account_id, d.environment, $1::uuid, $2) AND d.webhook_id = $3`;

/** Maximum deliveries scanned for a state without an index, so that a rare state cannot make it read everything. */
const scanLimit = 10_000;

// $4 is the event before which to begin, $5 is the limit.
function selectList(state: DeliveryStatus | null): string {
  const before = `${ofWebhook} AND d.event_id < $4`;
  const newest = 'ORDER BY d.event_id DESC LIMIT';
  if (state === 'succeeded' || state === 'merged')
    return `WITH scanned AS MATERIALIZED (SELECT d.* FROM deliveries d WHERE ${before} ${newest} ${scanLimit})
      SELECT (SELECT event_id FROM scanned ORDER BY event_id OFFSET ${scanLimit - 1}) IS NOT NULL AS "isTruncated",
        (SELECT event_id FROM scanned ORDER BY event_id LIMIT 1) AS "scannedTo", d.*
      FROM (SELECT) AS one LEFT JOIN (SELECT ${columns} FROM scanned d WHERE d.state = '${state}' ${newest} $5) AS d ON true`;
  const only = state === null ? '' : `AND d.state = '${state}'`;
  return `SELECT false AS "isTruncated", NULL::uuid AS "scannedTo", ${columns} FROM deliveries d WHERE ${before} ${only} ${newest} $5`;
}

type ListRow = { isTruncated: boolean; scannedTo: string } & (LoggedDelivery | { eventId: null });

/** Up to `limit` deliveries before that event, newest first, and the last scanned event if the scan stopped early. */
export async function listDeliveries(
  pool: pg.Pool,
  tenant: Tenant,
  webhookId: string,
  { state, before, limit }: { state: DeliveryStatus | null; before: string; limit: number },
): Promise<{ deliveries: LoggedDelivery[]; scannedTo: string | null }> {
  const statement = tenantRead(`deliveries/list-${state ?? 'all'}`, selectList(state));
  const rows = await readPlannedAsTenant<ListRow>(pool, tenant, statement, [webhookId, before, limit]);
  const deliveries = rows.filter((row): row is ListRow & LoggedDelivery => row.eventId !== null);
  return { deliveries, scannedTo: rows[0]?.isTruncated ? rows[0].scannedTo : null };
}

/** A delivery with its attempts and its payload: `sent`, or else the event while the feed retains it. */
export interface DeliveryInDetail extends LoggedDelivery {
  attempts: AttemptWire[];
  sent: EventWire | null;
  event: Omit<FeedEvent, 'position'> | null;
}

const selectDetail = tenantRead(
  'deliveries/detail',
  `SELECT ${columns}, d.attempts, d.sent, CASE WHEN f.id IS NOT NULL THEN json_build_object('id', f.id, 'userId', f.user_id, 'type', f.type,
     'deviceId', f.device_id, 'metrics', f.metrics, 'data', f.data, 'createdAt', iso_timestamp(f.created_at)) END AS event
   FROM deliveries d LEFT JOIN feed f ON in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position = d.position
     AND f.sequenced_at = d.sequenced_at
   WHERE ${ofWebhook} AND d.event_id = $4`,
);

export async function findDelivery(
  db: Queryable,
  tenant: Tenant,
  webhookId: string,
  eventId: string,
): Promise<DeliveryInDetail | null> {
  const [row] = await readAsTenant<DeliveryInDetail>(db, tenant, selectDetail, [webhookId, eventId]);
  return row ?? null;
}

/**
 * Makes a delivery due now. One that has ended gets all its attempts again; one that waits for a retry keeps the remaining ones. One that waits for
 * its first attempt is unchanged, since it may wait for others to merge with. Null if it was merged or does not exist.
 */
export async function resendDelivery(
  tx: Queryable,
  tenant: Tenant,
  webhookId: string,
  eventId: string,
): Promise<LoggedDelivery | null> {
  const result = await tx.query<LoggedDelivery>({
    name: 'deliveries/resend',
    text: `UPDATE deliveries d SET state = 'pending', ended_at = NULL, tries = CASE WHEN d.state = 'pending' THEN d.tries ELSE 0 END,
             due_at = CASE WHEN d.state = 'pending' AND d.tries = 0 AND d.due_at > tributary_now() THEN d.due_at ELSE tributary_now() END
           WHERE ${ofWebhook} AND d.event_id = $4 AND d.state <> 'merged' RETURNING ${columns}`,
    values: [tenant.accountId, tenant.environment, webhookId, eventId],
  });
  return result.rows[0] ?? null;
}

/** Queues a test event, which is in no feed. */
export async function insertTestDelivery(
  tx: Queryable,
  tenant: Tenant,
  webhookId: string,
  { id, sent }: { id: string; sent: EventWire },
): Promise<LoggedDelivery> {
  const result = await tx.query<LoggedDelivery>({
    name: 'deliveries/test',
    text: `INSERT INTO deliveries AS d (account_id, environment, webhook_id, event_id, type, created_at, due_at, sent)
           VALUES ($1, $2, $3, $4, $5, tributary_now(), tributary_now(), $6) RETURNING ${columns}`,
    values: [tenant.accountId, tenant.environment, webhookId, id, sent.event_type, JSON.stringify(sent)],
  });
  return result.rows[0]!;
}

/**
 * Queues the events at positions after `after`, up to `upTo`, that a webhook subscribes to and has not acknowledged. Returns their number. For a
 * deleted user, only the deletion is queued.
 */
export async function queueMissedEvents(
  tx: Queryable,
  tenant: Tenant,
  webhook: { id: string; events: readonly string[] },
  { after, upTo }: { after: number; upTo: number },
): Promise<number> {
  const result = await tx.query({
    name: 'deliveries/recover',
    text: `INSERT INTO deliveries AS d (webhook_id, event_id, account_id, environment, position, sequenced_at, user_id, type, backfill, created_at, due_at)
           SELECT $3, f.id, f.account_id, f.environment, f.position, f.sequenced_at, f.user_id, f.type,
             coalesce((f.data ->> 'backfill')::boolean, false), now.at, now.at
           FROM (SELECT tributary_now() AS at) AS now, feed f
           WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position > $5 AND f.position <= $6
             AND ($4::text[] = '{*}' OR f.type = ANY ($4::text[]))
             AND (f.type = 'user.deleted' OR (SELECT true FROM users u
               WHERE in_tenant(u.account_id, u.environment, $1::uuid, $2) AND u.id = f.user_id AND u.status = 'active'))
           ORDER BY f.position
           ON CONFLICT (webhook_id, event_id) DO UPDATE SET state = 'pending', tries = 0, due_at = excluded.due_at, ended_at = NULL
             WHERE d.state = 'failed'`,
    values: [tenant.accountId, tenant.environment, webhook.id, webhook.events, after, upTo],
  });
  return result.rowCount ?? 0;
}
