import type { Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** An event at its position in the feed. */
export interface FeedEvent {
  position: number;
  id: string;
  userId: string;
  type: string;
  deviceId: string | null;
  metrics: number[];
  data: Record<string, unknown>;
  createdAt: string;
}

/** The result of one sequencer run. */
export interface Sequenced {
  events: number;
  /** The transaction of the last event. No earlier event can appear any more. */
  lastXid: string | null;
  /** Feeds that have grown, each with the last assigned position. */
  feeds: (readonly [account: string, environment: string, head: number])[];
  /** Webhooks that have new deliveries. */
  webhooks: string[];
}

/**
 * Gives events their positions, in the order of their transactions. Takes only events below the oldest running transaction: nothing can commit before
 * them any more, so a client that has read up to a position has missed nothing. Also creates the deliveries of each event to the webhooks that
 * subscribe to it. One statement, so all of it happens or nothing.
 */
export async function sequenceEvents(
  session: Queryable,
  sinceXid: string,
  limit: number,
): Promise<Sequenced> {
  const result = await session.query<Sequenced>({
    name: 'feed/sequence',
    text: `WITH oldest AS MATERIALIZED (
             SELECT xid, id FROM events WHERE xid >= $1::xid8 AND xid < pg_snapshot_xmin(pg_current_snapshot())
             ORDER BY xid, id LIMIT $2
           ), taken AS (
             DELETE FROM events e USING oldest o WHERE e.xid = o.xid AND e.id = o.id RETURNING e.*
           ), numbered AS MATERIALIZED (
             SELECT t.*, row_number() OVER (PARTITION BY account_id, environment ORDER BY xid, id) AS place,
               count(*) OVER (PARTITION BY account_id, environment) AS places FROM taken t
           ), heads AS (
             INSERT INTO feed_heads AS h (account_id, environment, position)
             SELECT account_id, environment, max(places) FROM numbered GROUP BY 1, 2
             ON CONFLICT (account_id, environment) DO UPDATE SET position = h.position + excluded.position
             RETURNING account_id, environment, position
           ), placed AS MATERIALIZED (
             SELECT n.*, h.position - n.places + n.place AS position, (SELECT tributary_now()) AS now
             FROM numbered n JOIN heads h USING (account_id, environment)
           ), fed AS (
             INSERT INTO feed (account_id, environment, position, id, user_id, type, device_id, metrics, data, created_at, sequenced_at)
             SELECT account_id, environment, position, id, user_id, type, device_id, metrics, data, created_at, now FROM placed
           ), due AS (
             INSERT INTO deliveries (webhook_id, event_id, account_id, environment, position, sequenced_at, user_id, type, backfill,
               created_at, due_at)
             SELECT w.id, p.id, p.account_id, p.environment, p.position, p.now, p.user_id, p.type,
               coalesce((p.data ->> 'backfill')::boolean, false), p.now, p.now + CASE WHEN p.type = 'data.updated' THEN w.coalesce_seconds ELSE 0 END * interval '1 second'
             FROM placed p JOIN webhooks w ON w.account_id = p.account_id AND w.environment = p.environment
               AND w.status = 'active' AND (w.events[1] = '*' OR p.type = ANY (w.events))
             RETURNING webhook_id
           )
           SELECT (SELECT count(*) FROM oldest) AS events,
             (SELECT xid::text FROM oldest ORDER BY oldest.xid DESC LIMIT 1) AS "lastXid",
             (SELECT coalesce(jsonb_agg(jsonb_build_array(account_id, environment, position)), '[]') FROM heads) AS feeds,
             (SELECT coalesce(jsonb_agg(DISTINCT webhook_id), '[]') FROM due) AS webhooks`,
    values: [sinceXid, limit],
  });
  return result.rows[0]!;
}

/** Creates partitions for the months to come and drops those past retention. */
export async function maintainFeed(db: Queryable, retentionDays: number): Promise<void> {
  await db.query({ text: 'SELECT tend_feed($1)', values: [retentionDays] });
}

/** Seconds that the oldest event has waited for its position; 0 if none waits. There is none before `sinceXid`. */
export async function readFeedLagSeconds(db: Queryable, sinceXid = '0'): Promise<number> {
  const result = await db.query<{ lag: number }>({
    name: 'feed/lag',
    text: `SELECT coalesce(extract(epoch FROM tributary_now() -
             (SELECT created_at FROM events WHERE xid >= $1::xid8 ORDER BY xid, id LIMIT 1)), 0)::float8 AS lag`,
    values: [sinceXid],
  });
  return Math.max(0, result.rows[0]!.lag);
}

/** Columns of an event, of `feed f`. */
export const feedColumns = `f.position, f.id, f.user_id AS "userId", f.type, f.device_id AS "deviceId", f.metrics, f.data, f.created_at AS "createdAt"`;

/** The retained range of the feed of a tenant, `$1` and `$2`: `head` is the last assigned position, `first` the first that is or will be retained. */
export const feedEnds = `SELECT coalesce(h.position, 0) AS head,
  coalesce((SELECT f.position FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) ORDER BY f.position LIMIT 1),
    h.position + 1, 1) AS first
FROM (SELECT) AS one LEFT JOIN feed_heads h ON in_tenant(h.account_id, h.environment, $1::uuid, $2)`;

// $3 is the position after which to scan, or null for the first retained one. $4 is the number of positions to scan, $5 the limit, $6 and $7 are
// filters. All from one snapshot, so a month that is dropped concurrently cannot leave a gap between two statements. The bounds are computed in a
// separate sub-select: under row-level security, a condition with arithmetic cannot use an index.
const selectFeed = tenantRead(
  'feed/read',
  `SELECT kept.head, kept.first, f.* FROM (
     SELECT head, first, coalesce($3::int8, first - 1) AS after, coalesce($3::int8, first - 1) + $4::int8 AS up_to FROM (
       ${feedEnds}
     ) AS ends OFFSET 0
   ) AS kept LEFT JOIN LATERAL (
     SELECT ${feedColumns} FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2)
       AND f.position > kept.after AND f.position <= kept.up_to
       AND ($6::text[] IS NULL OR f.type = ANY ($6::text[])) AND ($7::uuid IS NULL OR f.user_id = $7::uuid)
     ORDER BY f.position LIMIT $5
   ) AS f ON true ORDER BY f.position`,
);

/** A query for events of a feed. */
export interface FeedQuery {
  /** Null to begin with the first retained event. */
  after: number | null;
  /** Maximum positions to scan, so that a rare event type cannot make a request read the whole feed. */
  window: number;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/** A section of a feed. */
export interface FeedStretch {
  /** The last assigned position; 0 for none. */
  head: number;
  /** The first position that is or will be retained. */
  first: number;
  events: FeedEvent[];
}

/** Reads events after a position, and the retained range of the feed. */
export async function readFeed(
  db: Queryable,
  tenant: Tenant,
  { after, window, limit, types, userId }: FeedQuery,
): Promise<FeedStretch> {
  const rows = await readAsTenant<Omit<FeedStretch, 'events'> & (FeedEvent | { position: null })>(
    db,
    tenant,
    selectFeed,
    [after, window, limit, types, userId],
  );
  const { head, first } = rows[0]!; // there is a row even without events
  return { head, first, events: rows.filter((row): row is typeof row & FeedEvent => row.position !== null) };
}

/** The last assigned positions of these tenants' feeds, without empty ones. Sees all tenants. */
export async function listFeedHeads(
  db: Queryable,
  tenants: readonly Tenant[],
): Promise<(Tenant & { head: number })[]> {
  const result = await db.query<Tenant & { head: number }>({
    name: 'feed/heads',
    text: `SELECT h.account_id AS "accountId", h.environment, h.position AS head
           FROM unnest($1::uuid[], $2::text[]) AS t (account_id, environment) JOIN feed_heads h USING (account_id, environment)`,
    values: [tenants.map(({ accountId }) => accountId), tenants.map(({ environment }) => environment)],
  });
  return result.rows;
}
