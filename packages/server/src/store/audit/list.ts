import type { ActorType, AuditAction } from '@tributary/contract';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../database/database.ts';
import { readAsTenant, tenantRead, type Environment, type Tenant } from '../database/tenant.ts';

/** An entry of the audit log, as shown. */
export interface ListedAuditEntry {
  id: string;
  accountId: string;
  position: number;
  environment: Environment | null;
  at: string;
  actorType: ActorType;
  actorId: string;
  action: AuditAction;
  targetType: string;
  targetId: string;
  address: string | null;
  requestId: string | null;
  data: Record<string, unknown>;
  hash: Buffer;
}

export interface ShownAuditEntry extends ListedAuditEntry {
  text: Record<string, string | null> | null;
}

/** A position in the list, by time and then by audit position. */
export interface AuditPlaceInTime {
  at: string;
  position: number;
}

export interface AuditFilter {
  action: string | null;
  targetId: string | null;
  actorId: string | null;
  since: string | null;
  until: string | null;
}

const columns = `l.id, l.account_id AS "accountId", l.position, l.environment, l.at, l.actor_type AS "actorType", l.actor_id AS "actorId",
  l.action, l.target_type AS "targetType", l.target_id AS "targetId", l.address, l.request_id AS "requestId", l.data, l.hash`;

/** Maximum entries scanned for a filter without an index, so that a rare match cannot make it read everything. */
const scanLimit = 2_500;

/** The entries that `from` selects, with their personal text. */
const withText = (from: string) => `SELECT ${columns}, t.text FROM (${from}) AS l
  LEFT JOIN audit_texts t ON t.entry_id = l.id AND in_tenant(t.account_id, coalesce(t.environment, $2), $1::uuid, $2)`;

// $3 and $4 are the position before which to begin, $5 is the limit, and the filter follows.
function selectList({ action, targetId, actorId, since }: AuditFilter): string {
  // Uses the index on the target, the action or only the time. The remaining conditions filter its rows.
  const indexed = [
    '(l.at, l.position) < ($3::timestamptz, $4::int8)',
    ...(since === null ? [] : ['l.at >= $9::timestamptz']),
    ...(targetId === null ? [] : ['l.target_id = $7']),
    ...(action === null || targetId !== null ? [] : ['l.action = $6']),
  ].join(' AND ');
  const left = [
    ...(action !== null && targetId !== null ? ['l.action = $6'] : []),
    ...(actorId === null ? [] : ['l.actor_id = $8']),
  ];
  const newest = 'ORDER BY l.at DESC, l.position DESC LIMIT';
  // Entries of the environment and of the whole account are apart in the index, so they are two scans. The planner does not treat IS NULL as an
  // equality; naming the column in the order still lets it use the index.
  const both = (limit: string) => `SELECT * FROM (
      (SELECT l.* FROM audit_log l WHERE in_tenant(l.account_id, l.environment, $1::uuid, $2) AND l.environment IS NOT NULL
         AND ${indexed} ${newest} ${limit})
      UNION ALL
      (SELECT l.* FROM audit_log l WHERE in_tenant(l.account_id, $2, $1::uuid, $2) AND l.environment IS NULL
         AND ${indexed} ORDER BY l.environment DESC, l.at DESC, l.position DESC LIMIT ${limit})
    ) AS l ${newest} ${limit}`;
  const used = `(SELECT $6::text, $7::text, $8::text, $9::timestamptz) AS given`;
  if (left.length === 0)
    return `SELECT false AS "isTruncated", NULL::timestamptz AS "scannedToAt", NULL::int8 AS "scannedToPosition", shown.*
      FROM ${used}, LATERAL (${withText(both('$5'))}) AS shown ORDER BY shown.at DESC, shown.position DESC`;
  return `WITH scanned AS MATERIALIZED (${both(String(scanLimit))}),
      last AS (SELECT l.at, l.position, (SELECT count(*) FROM scanned) = ${scanLimit} AS "isTruncated" FROM scanned l
        ORDER BY l.at, l.position LIMIT 1)
    SELECT coalesce(last."isTruncated", false) AS "isTruncated", last.at AS "scannedToAt", last.position AS "scannedToPosition", shown.*
    FROM ${used} LEFT JOIN last ON true LEFT JOIN (
      ${withText(`SELECT * FROM scanned l WHERE ${left.join(' AND ')} ${newest} $5`)}
    ) AS shown ON true ORDER BY shown.at DESC, shown.position DESC`;
}

// Planned for the given values, in index order. The planner assumes that the tenant policies let almost nothing pass, and would rather sort than read
// a hundred entries in order.
export const inIndexOrder = {
  text: `SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`,
  values: [],
};

type ListRow = { isTruncated: boolean; scannedToAt: string; scannedToPosition: number } & (
  | ShownAuditEntry
  | { id: null }
);

/** Up to `limit` entries before that position, newest first, and the last scanned position if the scan stopped early. */
export async function listAuditEntries(
  pool: pg.Pool,
  tenant: Tenant,
  { before, limit, ...filter }: AuditFilter & { before: AuditPlaceInTime; limit: number },
): Promise<{ entries: ShownAuditEntry[]; scannedTo: AuditPlaceInTime | null }> {
  const { action, targetId, actorId, since } = filter;
  const kind = [action, targetId, actorId, since].map((value) => (value === null ? '-' : 'x')).join('');
  const statement = tenantRead(`audit/list-${kind}`, selectList(filter));
  const values = [before.at, before.position, limit, action, targetId, actorId, since];
  const rows = await inTransaction(pool, (tx) => readAsTenant<ListRow>(tx, tenant, statement, values), [
    inIndexOrder,
  ]);
  const entries = rows.filter((row): row is ListRow & ShownAuditEntry => row.id !== null);
  const first = rows[0];
  const lastScanned = first?.isTruncated
    ? { at: first.scannedToAt, position: first.scannedToPosition }
    : null;
  return { entries, scannedTo: lastScanned };
}

/** The newest entries of one account or of all. Sees all tenants. */
export async function listOperatedAuditEntries(
  db: Queryable,
  {
    accountId,
    action,
    targetId,
    since,
    limit,
  }: Pick<AuditFilter, 'action' | 'targetId' | 'since'> & { accountId: string | null; limit: number },
): Promise<ListedAuditEntry[]> {
  const result = await db.query<ListedAuditEntry>({
    text: `SELECT ${columns} FROM audit_log l WHERE ($1::uuid IS NULL OR l.account_id = $1) AND ($2::text IS NULL OR l.action = $2)
             AND ($3::text IS NULL OR l.target_id = $3) AND ($4::timestamptz IS NULL OR l.at >= $4)
           ORDER BY l.id DESC LIMIT $5`,
    values: [accountId, action, targetId, since, limit],
  });
  return result.rows;
}
