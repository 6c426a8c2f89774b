import type pg from 'pg';
import { inIndexOrder } from './audit-list.ts';
import { inTransaction, type Queryable } from './database.ts';
import { feedColumns, type FeedEvent } from './feed.ts';
import { readAsTenant, tenantRead, type Statement, type Tenant } from './tenant.ts';

/** Which events of a feed are asked for, newest first. */
export interface EventsBefore {
  /** The place before which to look. */
  before: number;
  /** Events to look at, so that a rare type cannot make a request read the whole feed. */
  window: number;
  limit: number;
  types: readonly string[] | null;
  userId: string | null;
}

/** Events before a place, and how far was looked for them. */
export interface OlderEvents {
  /** The last place that was given; 0 for none. */
  head: number;
  events: FeedEvent[];
  /** The last place that was looked at, where there may be more before it; else null. */
  lookedTo: number | null;
}

// $3 is the place before which to look, $4 how many events to look at, $5 how many to answer, $6 their types, and $7 whose they are.
function selectBefore(name: string, whose: string): Statement {
  return tenantRead(
    name,
    `WITH looked AS MATERIALIZED (
       SELECT ${feedColumns} FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position < $3 ${whose}
       ORDER BY f.position DESC LIMIT $4
     )
     SELECT coalesce((SELECT h.position FROM feed_heads h WHERE in_tenant(h.account_id, h.environment, $1::uuid, $2)), 0) AS head,
       (SELECT min(l.position) FROM looked l HAVING count(*) = $4) AS "lookedTo", shown.*
     FROM (SELECT) AS one LEFT JOIN (
       SELECT * FROM looked l WHERE $6::text[] IS NULL OR l.type = ANY ($6::text[]) ORDER BY l.position DESC LIMIT $5
     ) AS shown ON true ORDER BY shown.position DESC`,
  );
}
const ofAll = selectBefore('dashboard-events/before', '');
const ofUser = selectBefore('dashboard-events/of-user', 'AND f.user_id = $7');

type Row = Omit<OlderEvents, 'events'> & (FeedEvent | { position: null });

/** Events before a place, newest first. */
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
  const { head, lookedTo } = rows[0]!; // there is one also without events
  const events = rows.filter((row): row is typeof row & FeedEvent => row.position !== null);
  return { head, events, lookedTo };
}

const selectOne = tenantRead(
  'dashboard-events/one',
  `SELECT ${feedColumns} FROM feed f WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.id = $3`,
);

export async function findEvent(db: Queryable, tenant: Tenant, id: string): Promise<FeedEvent | null> {
  const [event] = await readAsTenant<FeedEvent>(db, tenant, selectOne, [id]);
  return event ?? null;
}
