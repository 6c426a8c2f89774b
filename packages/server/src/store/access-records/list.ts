import type { AccessOutcome, CredentialType } from '@tributary/contract';
import type pg from 'pg';
import { inIndexOrder } from '../audit/list.ts';
import { inTransaction } from '../database/database.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';

/** An access record, as shown. */
export interface ListedAccessRecord {
  id: string;
  at: string;
  credentialType: CredentialType;
  credentialId: string;
  userId: string | null;
  operation: string;
  firstDay: string | null;
  lastDay: string | null;
  outcome: AccessOutcome;
}

/** A position in the list, by time and then by id. */
export interface AccessPlace {
  at: string;
  id: string;
}

export interface AccessFilter {
  userId: string | null;
  credentialId: string | null;
  operation: string | null;
  from: string | null;
}

const columns = `r.id, r.at, r.credential_type AS "credentialType", r.credential_id AS "credentialId", r.user_id AS "userId", r.operation,
  r.first_day::text AS "firstDay", r.last_day::text AS "lastDay", r.outcome`;

/** Maximum records scanned for a filter without an index, so that a rare match cannot make it read everything. */
const scanLimit = 2_500;

// $3 and $4 are the position before which to begin, $5 is the limit, and the filter follows.
function selectList({ userId, credentialId, operation, from }: AccessFilter): string {
  // Uses the index on the user, the credential or only the time. The remaining conditions filter its rows.
  const indexed = [
    '(r.at, r.id) < ($3::timestamptz, $4::uuid)',
    ...(from === null ? [] : ['r.at >= $9::timestamptz']),
    ...(userId === null ? [] : ['r.user_id = $6::uuid']),
    ...(credentialId === null || userId !== null ? [] : ['r.credential_id = $7::uuid']),
  ].join(' AND ');
  const left = [
    ...(credentialId !== null && userId !== null ? ['r.credential_id = $7::uuid'] : []),
    ...(operation === null ? [] : ['r.operation = $8']),
  ];
  const newest = 'ORDER BY r.at DESC, r.id DESC LIMIT';
  const scan = (limit: string) => `SELECT r.* FROM access_records r
    WHERE in_tenant(r.account_id, r.environment, $1::uuid, $2) AND ${indexed} ${newest} ${limit}`;
  const used = `(SELECT $6::uuid, $7::uuid, $8::text, $9::timestamptz) AS given`;
  if (left.length === 0)
    return `SELECT false AS "isTruncated", NULL::timestamptz AS "scannedToAt", NULL::uuid AS "scannedToId", ${columns}
      FROM ${used}, LATERAL (${scan('$5')}) AS r ORDER BY r.at DESC, r.id DESC`;
  return `WITH scanned AS MATERIALIZED (${scan(String(scanLimit))}),
      last AS (SELECT r.at, r.id, (SELECT count(*) FROM scanned) = ${scanLimit} AS "isTruncated" FROM scanned r ORDER BY r.at, r.id LIMIT 1)
    SELECT coalesce(last."isTruncated", false) AS "isTruncated", last.at AS "scannedToAt", last.id AS "scannedToId", ${columns}
    FROM ${used} LEFT JOIN last ON true
      LEFT JOIN (SELECT * FROM scanned r WHERE ${left.join(' AND ')} ${newest} $5) AS r ON true ORDER BY r.at DESC, r.id DESC`;
}

type ListRow = { isTruncated: boolean; scannedToAt: string; scannedToId: string } & (
  | ListedAccessRecord
  | { id: null }
);

/** Up to `limit` records before that position, newest first, and the last scanned position if the scan stopped early. */
export async function listAccessRecords(
  pool: pg.Pool,
  tenant: Tenant,
  { before, limit, ...filter }: AccessFilter & { before: AccessPlace; limit: number },
): Promise<{ records: ListedAccessRecord[]; scannedTo: AccessPlace | null }> {
  const { userId, credentialId, operation, from } = filter;
  const kind = [userId, credentialId, operation, from].map((value) => (value === null ? '-' : 'x')).join('');
  const statement = tenantRead(`access-records/list-${kind}`, selectList(filter));
  const values = [before.at, before.id, limit, userId, credentialId, operation, from];
  const rows = await inTransaction(pool, (tx) => readAsTenant<ListRow>(tx, tenant, statement, values), [
    inIndexOrder,
  ]);
  const records = rows.filter((row): row is ListRow & ListedAccessRecord => row.id !== null);
  const first = rows[0];
  const scannedTo = first?.isTruncated ? { at: first.scannedToAt, id: first.scannedToId } : null;
  return { records, scannedTo };
}
