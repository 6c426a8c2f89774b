import type { Queryable } from '../database/database.ts';

/** An entry of the audit log, complete and exact, as it is hashed. */
export interface AuditEntry {
  id: string;
  accountId: string;
  environment: string | null;
  /** Whole milliseconds. A fraction means that the service did not write it. */
  at: number;
  actorType: string;
  actorId: string;
  action: string;
  targetType: string;
  targetId: string;
  address: string | null;
  requestId: string | null;
  /** JSON, exactly as it was written. */
  data: string;
  person: string | null;
  /** In hexadecimal. */
  textHash: string | null;
}

/** The end of a chain: the last position and its hash. */
export interface ChainEnd {
  accountId: string;
  position: number;
  hash: Buffer;
}

export interface SignedHead extends ChainEnd {
  signature: Buffer;
}

/** All hashed columns of a row `e` of the intake or the log. */
export const entryColumns = `e.id, e.account_id AS "accountId", e.environment, (extract(epoch FROM e.at) * 1000)::float8 AS at,
  e.actor_type AS "actorType", e.actor_id AS "actorId", e.action, e.target_type AS "targetType", e.target_id AS "targetId", e.address,
  e.request_id AS "requestId", e.data::text AS data, e.person, encode(e.text_hash, 'hex') AS "textHash"`;

export interface Waiting {
  entries: (AuditEntry & { xid: string })[];
  /** Every transaction below it has ended, so no more entries can appear there. */
  horizon: string;
}

/** The first entries that wait to be chained, in the order of their transactions. */
export async function listWaitingEntries(
  session: Queryable,
  sinceXid: string,
  limit: number,
): Promise<Waiting> {
  const result = await session.query<{ horizon: string } & (Waiting['entries'][number] | { id: null })>({
    name: 'audit/waiting',
    text: `SELECT now.horizon, w.* FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon) AS now LEFT JOIN LATERAL (
             SELECT e.xid::text AS xid, ${entryColumns} FROM audit_intake e WHERE e.xid >= $1::xid8 ORDER BY e.xid, e.id LIMIT $2
           ) AS w ON true`,
    values: [sinceXid, limit],
  });
  const entries = result.rows.filter(
    (row): row is typeof row & Waiting['entries'][number] => row.id !== null,
  );
  return { entries, horizon: result.rows[0]!.horizon };
}

/** The ends of these chains, by their heads and by their last entries. Both agree unless one of them was tampered with. */
export async function listChainEnds(
  tx: Queryable,
  accountIds: readonly string[],
): Promise<{ heads: SignedHead[]; lasts: ChainEnd[] }> {
  const [heads, lasts] = await Promise.all([
    tx.query<SignedHead>({
      name: 'audit/heads',
      text: `SELECT account_id AS "accountId", position, hash, signature FROM audit_heads WHERE account_id = ANY ($1::uuid[])`,
      values: [accountIds],
    }),
    tx.query<ChainEnd>({
      name: 'audit/lasts',
      text: `SELECT l.* FROM unnest($1::uuid[]) AS a (id), LATERAL (
               SELECT account_id AS "accountId", position, hash FROM audit_log WHERE account_id = a.id ORDER BY position DESC LIMIT 1
             ) AS l`,
      values: [accountIds],
    }),
  ]);
  return { heads: heads.rows, lasts: lasts.rows };
}

/** Moves entries from the intake to their positions in the log, and advances the heads. Returns the number of moved entries. */
export async function moveIntoLog(
  tx: Queryable,
  entries: readonly { id: string; position: number; hash: Buffer }[],
  heads: readonly SignedHead[],
): Promise<number> {
  const [moved] = await Promise.all([
    tx.query({
      name: 'audit/move',
      text: `WITH taken AS (
               DELETE FROM audit_intake i USING unnest($1::uuid[], $2::int8[], $3::text[]) AS g (id, position, hash)
               WHERE i.id = g.id RETURNING i.*, g.position, decode(g.hash, 'hex') AS hash
             )
             INSERT INTO audit_log (account_id, position, id, environment, at, actor_type, actor_id, action, target_type, target_id,
               address, request_id, data, person, text_hash, hash)
             SELECT account_id, position, id, environment, at, actor_type, actor_id, action, target_type, target_id,
               address, request_id, data, person, text_hash, hash FROM taken`,
      values: [
        entries.map(({ id }) => id),
        entries.map(({ position }) => position),
        entries.map(({ hash }) => hash.toString('hex')),
      ],
    }),
    tx.query({
      name: 'audit/move-heads',
      text: `INSERT INTO audit_heads (account_id, position, hash, signature)
             SELECT account_id, position, decode(hash, 'hex'), decode(signature, 'hex')
             FROM unnest($1::uuid[], $2::int8[], $3::text[], $4::text[]) AS h (account_id, position, hash, signature)
             ON CONFLICT (account_id) DO UPDATE
               SET position = excluded.position, hash = excluded.hash, signature = excluded.signature`,
      values: [
        heads.map(({ accountId }) => accountId),
        heads.map(({ position }) => position),
        heads.map(({ hash }) => hash.toString('hex')),
        heads.map(({ signature }) => signature.toString('hex')),
      ],
    }),
  ]);
  return moved.rowCount ?? 0;
}

/** Seconds that the oldest entry has waited to be chained; 0 if none waits. There is none before `sinceXid`. */
export async function readAuditLagSeconds(db: Queryable, sinceXid = '0'): Promise<number> {
  const result = await db.query<{ lag: number }>({
    name: 'audit/lag',
    text: `SELECT coalesce(extract(epoch FROM tributary_now() -
             (SELECT at FROM audit_intake WHERE xid >= $1::xid8 ORDER BY xid, id LIMIT 1)), 0)::float8 AS lag`,
    values: [sinceXid],
  });
  return Math.max(0, result.rows[0]!.lag);
}

/** The head of every chain. */
export async function listHeads(db: Queryable): Promise<SignedHead[]> {
  const result = await db.query<SignedHead>({
    text: `SELECT account_id AS "accountId", position, hash, signature FROM audit_heads`,
  });
  return result.rows;
}

/** Replaces the signatures of heads that have not changed since they were read. */
export async function updateHeadSignatures(db: Queryable, heads: readonly SignedHead[]): Promise<void> {
  await db.query({
    text: `UPDATE audit_heads h SET signature = decode(n.signature, 'hex')
           FROM unnest($1::uuid[], $2::int8[], $3::text[], $4::text[]) AS n (account_id, position, hash, signature)
           WHERE h.account_id = n.account_id AND h.position = n.position AND h.hash = decode(n.hash, 'hex')`,
    values: [
      heads.map(({ accountId }) => accountId),
      heads.map(({ position }) => position),
      heads.map(({ hash }) => hash.toString('hex')),
      heads.map(({ signature }) => signature.toString('hex')),
    ],
  });
}

/** The hashes at these positions, null where there is no entry. */
export async function listHashesAt(
  db: Queryable,
  places: readonly { accountId: string; position: number }[],
): Promise<(Buffer | null)[]> {
  const result = await db.query<{ hash: Buffer | null }>({
    text: `SELECT l.hash FROM unnest($1::uuid[], $2::int8[]) WITH ORDINALITY AS p (account_id, position, number)
           LEFT JOIN audit_log l USING (account_id, position) ORDER BY p.number`,
    values: [places.map(({ accountId }) => accountId), places.map(({ position }) => position)],
  });
  return result.rows.map(({ hash }) => hash);
}
