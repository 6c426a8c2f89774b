import type { Queryable } from './database.ts';
import type { SessionKind } from './device-sessions.ts';

const tables = { sleep: 'canonical_sleep', workout: 'canonical_workouts' } as const;

/** A session as the API answers it. */
export interface CanonicalSession {
  id: string;
  day: number;
  /** Of sleep alone. */
  isMain: boolean;
  deviceNo: number;
  sourceId: string;
  startMs: number;
  endMs: number;
  content: unknown;
  gaveWay: readonly (readonly [number, string])[];
}

/** Replaces the answers that stand for these sessions; says whether anything is different now. */
export async function replaceCanonicalSessions(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  stoodFor: readonly { deviceNo: number; sourceId: string }[],
  rows: readonly CanonicalSession[],
): Promise<boolean> {
  const fingerprint = kind === 'sleep' ? ', is_main' : '';
  const key = `md5(row(id, day, device_no, source_id, start_at, end_at, content, gave_way${fingerprint})::text)`;
  const removed = tx.query<{ key: string }>({
    name: `canonical-sessions/delete-${kind}`,
    text: `DELETE FROM ${tables[kind]} WHERE user_id = $1
           AND (device_no, source_id) IN (SELECT * FROM unnest($2::int2[], $3::text[])) RETURNING ${key} AS key`,
    values: [userId, stoodFor.map(({ deviceNo }) => deviceNo), stoodFor.map(({ sourceId }) => sourceId)],
  });
  const inserted = tx.query<{ key: string }>({
    name: `canonical-sessions/insert-${kind}`,
    text: `INSERT INTO ${tables[kind]} (user_id, id, day, device_no, source_id, start_at, end_at, content, gave_way${fingerprint})
           SELECT $1, id, date '1970-01-01' + day, device_no, source_id, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000),
             content, gave_way ${fingerprint}
           FROM unnest($2::uuid[], $3::int4[], $4::int2[], $5::text[], $6::float8[], $7::float8[], $8::jsonb[], $9::jsonb[], $10::bool[])
             AS s (id, day, device_no, source_id, start_ms, end_ms, content, gave_way, is_main)
           RETURNING ${key} AS key`,
    values: [
      userId,
      rows.map(({ id }) => id),
      rows.map(({ day }) => day),
      rows.map(({ deviceNo }) => deviceNo),
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ startMs }) => startMs),
      rows.map(({ endMs }) => endMs),
      rows.map(({ content }) => JSON.stringify(content)),
      rows.map(({ gaveWay }) => JSON.stringify(gaveWay)),
      rows.map(({ isMain }) => isMain),
    ],
  });
  const [before, after] = await Promise.all([removed, inserted]);
  const left = new Set(before.rows.map(({ key }) => key));
  return left.size !== after.rows.length || after.rows.some(({ key }) => !left.has(key));
}

/** The days that have answers now. */
export async function readAnsweredDays(tx: Queryable, kind: SessionKind, userId: string): Promise<number[]> {
  const result = await tx.query<{ day: number }>({
    text: `SELECT DISTINCT day - date '1970-01-01' AS day FROM ${tables[kind]} WHERE user_id = $1`,
    values: [userId],
  });
  return result.rows.map(({ day }) => day);
}
