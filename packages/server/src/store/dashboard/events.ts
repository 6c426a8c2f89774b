import type pg from 'pg';
import { inIndexOrder } from '../audit/list.ts';
import { inTransaction, type Queryable } from '../database/database.ts';
import { feedColumns, type FeedEvent } from '../events/feed.ts';
import { readAsTenant, tenantRead, type Statement, type Tenant } from '../database/tenant.ts';

/** A query for events of a feed, newest first. */
export interface EventsBefore {
  /** The position before which to scan. */
  before: number;
  /** Maximum events to scan, so that a rare type cannot make a request read the whole feed. */
  window: number;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/** Events before a position, and how far the scan went. */
export interface OlderEvents {
  /** The last assigned position; 0 for none. */
  head: number;
  events: FeedEvent[];
  /** The last scanned position if there may be more before it, otherwise null. */
  scannedTo: number | null;
}

// $3 is the position before which to scan, $4 the maximum events to scan, $5 the limit, $6 the types, and $7 the user.
function selectBefore(name: string, whose: string): Statement {
  return tenantRead(
    name,
    `WITH scanned AS MATERIALIZED (
       SELECT ${feedColumns} FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position < $3 ${whose}
       ORDER BY f.position DESC LIMIT $4
     )
     SELECT coalesce((SELECT h.position FROM feed_heads h WHERE in_tenant(h.account_id, h.environment, $1::uuid, $2)), 0) AS head,
       (SELECT min(l.position) FROM scanned l HAVING count(*) = $4) AS "scannedTo", shown.*
     FROM (SELECT) AS one LEFT JOIN (
       SELECT * FROM scanned l WHERE $6::text[] IS NULL OR l.type = ANY ($6::text[]) ORDER BY l.position DESC LIMIT $5
     ) AS shown ON true ORDER BY shown.position DESC`,
  );
}
const ofAll = selectBefore('dashboard-events/before', '');
const ofUser = selectBefore('dashboard-events/of-user', 'AND f.user_id = $7');

type Row = Omit<OlderEvents, 'events'> & (FeedEvent | { position: null });

/** Lists events before a position, newest first. */
export async function listEventsBefore(
  pool: pg.Pool,
  tenant: Tenant,
  { before, window, limit, types, userId }: EventsBefore,
): Promise<OlderEvents> {
  const values = [before, window, limit, types, ...(userId === null ? [] : [userId])];
  const statement = userId === null ? ofAll : ofUser;
  const rows = await inTransaction(pool, (tx) => readAsTenant<Row>(tx, tenant, statement, values), [
    inIndexOrder,
  ]);
  const { head, scannedTo } = rows[0]!; // there is a row even without events
  const events = rows.filter((row): row is typeof row & FeedEvent => row.position !== null);
  return { head, events, scannedTo };
}

const selectOne = tenantRead(
  'dashboard-events/one',
  `SELECT ${feedColumns} FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.id = $3`,
);

export async function findEvent(db: Queryable, tenant: Tenant, id: string): Promise<FeedEvent | null> {
  const [event] = await readAsTenant<FeedEvent>(db, tenant, selectOne, [id]);
  return event ?? null;
}
