import type { Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Tenant } from './tenant.ts';

/** An event at its place in the feed. */
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

/** What one look of the sequencer brought into the feeds. */
export interface Sequenced {
  events: number;
  /** The transaction of the last one: nothing earlier can come any more. */
  lastXid: string | null;
  /** Feeds that have grown, each with the last place that was given. */
  feeds: (readonly [account: string, environment: string, head: number])[];
  /** Webhooks that have something new to deliver. */
  webhooks: string[];
}

/**
 * Gives events their places, in the order of their transactions. Only those below the oldest transaction that still runs are taken: nothing can
 * commit before them any more, so that whoever has read up to a place has missed nothing. With its place each event gets its deliveries to the
 * webhooks that want it. One statement, so all of it or nothing.
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

/** Makes room for the months to come, and lets go of those that are too old. */
export async function tendFeed(db: Queryable, retentionDays: number): Promise<void> {
  await db.query({ text: 'SELECT tend_feed($1)', values: [retentionDays] });
}

/** For how many seconds the oldest event has been waiting for its place; 0 when none waits. Before `sinceXid` there is none. */
export async function readFeedLagSeconds(db: Queryable, sinceXid = '0'): Promise<number> {
  const result = await db.query<{ lag: number }>({
    name: 'feed/lag',
    text: `SELECT coalesce(extract(epoch FROM tributary_now() -
             (SELECT created_at FROM events WHERE xid >= $1::xid8 ORDER BY xid, id LIMIT 1)), 0)::float8 AS lag`,
    values: [sinceXid],
  });
  return Math.max(0, result.rows[0]!.lag);
}

/** An event of `feed f`. */
export const feedColumns = `f.position, f.id, f.user_id AS "userId", f.type, f.device_id AS "deviceId", f.metrics, f.data, f.created_at AS "createdAt"`;

/** From where to where the feed of a tenant, `$1` and `$2`, is kept: `head`, the last place that was given, and `first`, that is kept or will be. */
export const feedEnds = `SELECT coalesce(h.position, 0) AS head,
  coalesce((SELECT f.position FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) ORDER BY f.position LIMIT 1),
    h.position + 1, 1) AS first
FROM (SELECT) AS one LEFT JOIN feed_heads h ON in_tenant(h.account_id, h.environment, $1::uuid, $2)`;

// $3 is the place after which to look, or null to begin with the first that is kept; $4 is how many places to look at, $5 how many events to
// answer, $6 and $7 what they must be. All of one snapshot: a month that is dropped meanwhile cannot make a hole between two statements.
// The bounds are worked out apart: behind row level security an index takes no arithmetic.
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

/** Which events of a feed are asked for. */
export interface FeedQuery {
  /** Null to begin with the first that is kept. */
  after: number | null;
  /** Places to look at, so that a rare kind of event cannot make a request read the whole feed. */
  window: number;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/** A stretch of a feed. */
export interface FeedStretch {
  /** The last place that was given; 0 for none. */
  head: number;
  /** The first place that is still kept, or will be. */
  first: number;
  events: FeedEvent[];
}

/** Events after a place, and from where to where the feed is kept. */
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
  const { head, first } = rows[0]!; // there is one also without events
  return { head, first, events: rows.filter((row): row is typeof row & FeedEvent => row.position !== null) };
}

/** Where the feeds of these tenants end; those without an event are left out. Sees all tenants. */
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
