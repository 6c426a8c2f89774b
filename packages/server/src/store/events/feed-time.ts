import type { Queryable } from '../database/database.ts';
import { feedEnds } from './feed.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

// Positions and their times increase together, so a binary search finds the first event since a time, however long the feed is. The middle is
// computed in a separate sub-select (`OFFSET 0`): under row-level security, a condition with arithmetic cannot use an index.
const selectPlace = tenantRead(
  'feed/time',
  `WITH RECURSIVE kept AS (
     ${feedEnds}
   ), halving (low, high) AS (
     SELECT first, head + 1 FROM kept
     UNION ALL
     SELECT CASE WHEN h.is_before THEN h.middle + 1 ELSE h.low END, CASE WHEN h.is_before THEN h.high ELSE h.middle END
     FROM (
       SELECT m.*, (SELECT f.sequenced_at < to_timestamp($3::float8 / 1000) FROM feed f
         WHERE in_tenant(f.account_id, f.environment, $1::uuid, $2) AND f.position = m.middle) AS is_before
       FROM (SELECT low, high, (low + high) / 2 AS middle FROM halving WHERE low < high OFFSET 0) AS m OFFSET 0
     ) AS h
   )
   SELECT head, (SELECT low - 1 FROM halving WHERE low >= high) AS place FROM kept`,
);

/** The position after which events were sequenced since a time, and the last assigned position. */
export async function findPlaceOfTime(
  db: Queryable,
  tenant: Tenant,
  sinceMs: number,
): Promise<{ place: number; head: number }> {
  const [row] = await readAsTenant<{ place: number; head: number }>(db, tenant, selectPlace, [sinceMs]);
  return row!; // one row, even without a feed
}
