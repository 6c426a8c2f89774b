import type { Queryable } from './database.ts';
import { feedEnds } from './feed.ts';
import { readAsTenant, tenantRead, type Tenant } from './tenant.ts';

// Places follow one another, and so do their times: the first since a time is found by halving, however long the feed is. The middle is
// worked out apart (`OFFSET 0`): row level security lets no condition with arithmetic in it look into an index.
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

/** The place after which events got theirs since a time, and the last place that was given. */
export async function findPlaceOfTime(
  db: Queryable,
  tenant: Tenant,
  sinceMs: number,
): Promise<{ place: number; head: number }> {
  const [row] = await readAsTenant<{ place: number; head: number }>(db, tenant, selectPlace, [sinceMs]);
  return row!; // one row, also without a feed
}
