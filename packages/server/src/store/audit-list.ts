import type { ActorType, AuditAction } from '@tributary/contract';
import type pg from 'pg';
import { inTransaction, type Queryable } from './database.ts';
import { readAsTenant, tenantRead, type Environment, type Tenant } from './tenant.ts';

/** An entry of the audit log, as it is shown. */
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

/** A place in the list: by time, and by position where times are the same. */
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

/** Entries that are looked at for those that a filter without an index lets pass, so that a rare one cannot make it read everything. */
const widestLook = 2_500;

/** The entries that `from` selects, with what they say about people. */
const withText = (from: string) => `SELECT ${columns}, t.text FROM (${from}) AS l
  LEFT JOIN audit_texts t ON t.entry_id = l.id AND in_tenant(t.account_id, coalesce(t.environment, $2), $1::uuid, $2)`;

// $3 and $4 are the place before which to begin, $5 how many, and the filter follows.
function selectList({ action, targetId, actorId, since }: AuditFilter): string {
  // By the index of the target, of the action, or of the time alone; what is left is asked of what that index finds.
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
  // The environment and the account as a whole lie apart in the index, so they are two scans. IS NULL is no equality to the planner: named in
  // the order, the index still gives it.
  const both = (limit: string) => `SELECT * FROM (
      (SELECT l.* FROM audit_log l WHERE in_tenant(l.account_id, l.environment, $1::uuid, $2) AND l.environment IS NOT NULL
         AND ${indexed} ${newest} ${limit})
      UNION ALL
      (SELECT l.* FROM audit_log l WHERE in_tenant(l.account_id, $2, $1::uuid, $2) AND l.environment IS NULL
         AND ${indexed} ORDER BY l.environment DESC, l.at DESC, l.position DESC LIMIT ${limit})
    ) AS l ${newest} ${limit}`;
  const used = `(SELECT $6::text, $7::text, $8::text, $9::timestamptz) AS given`;
  if (left.length === 0)
    return `SELECT false AS "isCut", NULL::timestamptz AS "lookedToAt", NULL::int8 AS "lookedToPosition", shown.*
      FROM ${used}, LATERAL (${withText(both('$5'))}) AS shown ORDER BY shown.at DESC, shown.position DESC`;
  return `WITH looked AS MATERIALIZED (${both(String(widestLook))}),
      last AS (SELECT l.at, l.position, (SELECT count(*) FROM looked) = ${widestLook} AS "isCut" FROM looked l
        ORDER BY l.at, l.position LIMIT 1)
    SELECT coalesce(last."isCut", false) AS "isCut", last.at AS "lookedToAt", last.position AS "lookedToPosition", shown.*
    FROM ${used} LEFT JOIN last ON true LEFT JOIN (
      ${withText(`SELECT * FROM looked l WHERE ${left.join(' AND ')} ${newest} $5`)}
    ) AS shown ON true ORDER BY shown.at DESC, shown.position DESC`;
}

// Planned for the values at hand, and by an index in its order: the planner takes the walls for filters that let next to nothing pass, and
// would rather sort that than read a hundred entries where they lie.
export const inIndexOrder = {
  text: `SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`,
  values: [],
};

type ListRow = { isCut: boolean; lookedToAt: string; lookedToPosition: number } & (
  | ShownAuditEntry
  | { id: null }
);

/** Up to `limit` entries before that place, newest first; and how far was looked, where that was not to the end. */
export async function listAuditEntries(
  pool: pg.Pool,
  tenant: Tenant,
  { before, limit, ...filter }: AuditFilter & { before: AuditPlaceInTime; limit: number },
): Promise<{ entries: ShownAuditEntry[]; lookedTo: AuditPlaceInTime | null }> {
  const { action, targetId, actorId, since } = filter;
  const kind = [action, targetId, actorId, since].map((value) => (value === null ? '-' : 'x')).join('');
  const statement = tenantRead(`audit/list-${kind}`, selectList(filter));
  const values = [before.at, before.position, limit, action, targetId, actorId, since];
  const rows = await inTransaction(pool, (tx) => readAsTenant<ListRow>(tx, tenant, statement, values), [
    inIndexOrder,
  ]);
  const entries = rows.filter((row): row is ListRow & ShownAuditEntry => row.id !== null);
  const first = rows[0];
  const lookedTo = first?.isCut ? { at: first.lookedToAt, position: first.lookedToPosition } : null;
  return { entries, lookedTo };
}

/** The newest entries of one account or all of them. Sees all tenants. */
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
