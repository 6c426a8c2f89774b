import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { SessionKind } from './device-sessions.ts';

const tables = { sleep: 'canonical_sleep', workout: 'canonical_workouts' } as const;

/** A canonical session, as the API returns it. */
export interface CanonicalSession {
  id: string;
  day: number;
  /** Only for sleep. */
  isMain: boolean;
  deviceNo: number;
  sourceId: string;
  startMs: number;
  endMs: number;
  content: unknown;
  mergedFrom: readonly (readonly [number, string])[];
}

/** A canonical session without its identity. */
export type ShownContent = Pick<
  CanonicalSession,
  'day' | 'deviceNo' | 'startMs' | 'endMs' | 'isMain' | 'content'
>;

interface ReplacedRow {
  id: string;
  day: number;
  /** Digests of the returned content and of the sessions that were merged into it. */
  digest: string;
  mergedFrom: string;
}

/** What a replacement changed. */
interface SessionDifference {
  /** Days whose canonical sessions changed. */
  days: number[];
  /** Whether other sessions were merged than previously. Only explanations show that. */
  mergedFromChanged: boolean;
}

/** Replaces the canonical sessions that represent these sessions. Returns what changed. */
export async function replaceCanonicalSessions(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  stoodFor: readonly { deviceNo: number; sourceId: string }[],
  rows: readonly CanonicalSession[],
): Promise<SessionDifference> {
  const fingerprint = kind === 'sleep' ? ', is_main' : '';
  const returned = `id, day - date '1970-01-01' AS day, md5(gave_way::text) AS "mergedFrom",
    md5(row(day, device_no, source_id, start_at, end_at, content${fingerprint})::text) AS digest`;
  const removed = tx.query<ReplacedRow>({
    name: `canonical-sessions/delete-${kind}`,
    text: `DELETE FROM ${tables[kind]} WHERE user_id = $1
           AND (device_no, source_id) IN (SELECT * FROM unnest($2::int2[], $3::text[])) RETURNING ${returned}`,
    values: [userId, stoodFor.map(({ deviceNo }) => deviceNo), stoodFor.map(({ sourceId }) => sourceId)],
  });
  const inserted = tx.query<ReplacedRow>({
    name: `canonical-sessions/insert-${kind}`,
    text: `INSERT INTO ${tables[kind]} (user_id, id, day, device_no, source_id, start_at, end_at, content, gave_way${fingerprint})
           SELECT $1, id, date '1970-01-01' + day, device_no, source_id, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000),
             content, gave_way ${fingerprint}
           FROM unnest($2::uuid[], $3::int4[], $4::int2[], $5::text[], $6::float8[], $7::float8[], $8::jsonb[], $9::jsonb[], $10::bool[])
             AS s (id, day, device_no, source_id, start_ms, end_ms, content, gave_way, is_main)
           RETURNING ${returned}`,
    values: [
      userId,
      rows.map(({ id }) => id),
      rows.map(({ day }) => day),
      rows.map(({ deviceNo }) => deviceNo),
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ startMs }) => startMs),
      rows.map(({ endMs }) => endMs),
      rows.map(({ content }) => JSON.stringify(content)),
      rows.map(({ mergedFrom }) => JSON.stringify(mergedFrom)),
      rows.map(({ isMain }) => isMain),
    ],
  });
  const [before, after] = await Promise.all([removed, inserted]);
  const old = new Map(before.rows.map((row) => [row.id, row]));
  const now = new Map(after.rows.map((row) => [row.id, row]));
  const different = [...before.rows, ...after.rows].filter(
    ({ id }) => old.get(id)?.digest !== now.get(id)?.digest,
  );
  return {
    days: [...new Set(different.map(({ day }) => day))],
    mergedFromChanged: after.rows.some(({ id, mergedFrom }) => old.get(id)?.mergedFrom !== mergedFrom),
  };
}

/** The canonical sessions of days from `from` to `to`, inclusive, by start. */
export async function readCanonicalSessions(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  { from, to }: { from: number; to: number },
): Promise<ShownContent[]> {
  const result = await tx.query<ShownContent>({
    name: `canonical-sessions/contents-${kind}`,
    text: `SELECT day - date '1970-01-01' AS day, device_no AS "deviceNo", ${epochMs('start_at')} AS "startMs", ${epochMs('end_at')} AS "endMs",
             ${kind === 'sleep' ? 'is_main' : 'false'} AS "isMain", content FROM ${tables[kind]} WHERE user_id = $1
           AND day BETWEEN date '1970-01-01' + $2::int4 AND date '1970-01-01' + $3::int4 ORDER BY start_at, id`,
    values: [userId, from, to],
  });
  return result.rows;
}

/** The ids of canonical sessions for days from `from` to `to`, inclusive, by start. */
export async function readSessionIds(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  { from, to }: { from: number; to: number },
): Promise<{ day: number; id: string }[]> {
  const result = await tx.query<{ day: number; id: string }>({
    name: `canonical-sessions/ids-${kind}`,
    text: `SELECT day - date '1970-01-01' AS day, id FROM ${tables[kind]} WHERE user_id = $1
           AND day BETWEEN date '1970-01-01' + $2::int4 AND date '1970-01-01' + $3::int4 ORDER BY start_at, id`,
    values: [userId, from, to],
  });
  return result.rows;
}

/** The days that have canonical sessions. */
export async function readCanonicalSessionDays(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
): Promise<number[]> {
  const result = await tx.query<{ day: number }>({
    text: `SELECT DISTINCT day - date '1970-01-01' AS day FROM ${tables[kind]} WHERE user_id = $1`,
    values: [userId],
  });
  return result.rows.map(({ day }) => day);
}
