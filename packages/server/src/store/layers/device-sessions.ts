import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';

export type SessionKind = 'sleep' | 'workout';

const tables = { sleep: 'device_sleep', workout: 'device_workouts' } as const;

/** A sleep session or workout as one device reported it. Without a span, it was deleted. */
export interface SessionRow<Content = unknown> {
  deviceNo: number;
  sourceId: string;
  createdMs: number;
  batchId: string;
  span: { startMs: number; endMs: number } | null;
  content: Content | null;
}

type Row = Omit<SessionRow, 'span'> & { startMs: number | null; endMs: number | null };

const columns = `device_no AS "deviceNo", source_id AS "sourceId", ${epochMs('created_at')} AS "createdMs", batch_id AS "batchId",
  ${epochMs('start_at')} AS "startMs", ${epochMs('end_at')} AS "endMs", content`;

export async function readSessionsByKey<Content>(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  keys: readonly { deviceNo: number; sourceId: string }[],
): Promise<SessionRow<Content>[]> {
  const result = await tx.query<Row>({
    name: `device-sessions/by-key-${kind}`,
    text: `SELECT ${columns} FROM ${tables[kind]} WHERE user_id = $1
           AND (device_no, source_id) IN (SELECT * FROM unnest($2::int2[], $3::text[]))`,
    values: [userId, keys.map(({ deviceNo }) => deviceNo), keys.map(({ sourceId }) => sourceId)],
  });
  return result.rows.map((row) => fromRow<Content>(row));
}

/** Sessions that were not deleted and start inside the window. */
export async function readSessionsBetween<Content>(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  fromMs: number,
  toMs: number,
): Promise<SessionRow<Content>[]> {
  const result = await tx.query<Row>({
    name: `device-sessions/between-${kind}`,
    text: `SELECT ${columns} FROM ${tables[kind]}
           WHERE user_id = $1 AND start_at >= to_timestamp($2::float8 / 1000) AND start_at < to_timestamp($3::float8 / 1000)
           ORDER BY start_at, device_no, source_id`,
    values: [userId, fromMs, toMs],
  });
  return result.rows.map((row) => fromRow<Content>(row));
}

/** The source ids of sessions that a device reported between two instants and has not deleted. */
export async function listSessionIds(
  db: Queryable,
  kind: SessionKind,
  { userId, deviceId }: { userId: string; deviceId: string },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<string[]> {
  const result = await db.query<{ sourceId: string }>({
    name: `device-sessions/ids-${kind}`,
    text: `SELECT s.source_id AS "sourceId" FROM ${tables[kind]} s JOIN devices d ON d.user_id = s.user_id AND d.device_no = s.device_no
           WHERE s.user_id = $1 AND d.id = $2 AND s.start_at >= to_timestamp($3::float8 / 1000) AND s.start_at < to_timestamp($4::float8 / 1000)
           ORDER BY s.start_at`,
    values: [userId, deviceId, fromMs, toMs],
  });
  return result.rows.map(({ sourceId }) => sourceId);
}

export async function readAllSessions<Content>(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
): Promise<SessionRow<Content>[]> {
  const result = await tx.query<Row>({
    text: `SELECT ${columns} FROM ${tables[kind]} WHERE user_id = $1 AND start_at IS NOT NULL ORDER BY start_at, device_no, source_id`,
    values: [userId],
  });
  return result.rows.map((row) => fromRow<Content>(row));
}

function fromRow<Content>({ startMs, endMs, content, ...row }: Row): SessionRow<Content> {
  const span = startMs === null || endMs === null ? null : { startMs, endMs };
  return { ...row, span, content: content as Content | null };
}

export async function writeSessions(
  tx: Queryable,
  kind: SessionKind,
  userId: string,
  rows: readonly SessionRow[],
): Promise<void> {
  await tx.query({
    name: `device-sessions/write-${kind}`,
    text: `INSERT INTO ${tables[kind]} (user_id, device_no, source_id, created_at, batch_id, start_at, end_at, content)
           SELECT $1, device_no, source_id, to_timestamp(created_ms / 1000), batch_id, to_timestamp(start_ms / 1000),
             to_timestamp(end_ms / 1000), content
           FROM unnest($2::int2[], $3::text[], $4::float8[], $5::uuid[], $6::float8[], $7::float8[], $8::jsonb[])
             AS s (device_no, source_id, created_ms, batch_id, start_ms, end_ms, content)
           ON CONFLICT (user_id, device_no, source_id) DO UPDATE SET created_at = excluded.created_at, batch_id = excluded.batch_id,
             start_at = excluded.start_at, end_at = excluded.end_at, content = excluded.content`,
    values: [
      userId,
      rows.map(({ deviceNo }) => deviceNo),
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ createdMs }) => createdMs),
      rows.map(({ batchId }) => batchId),
      rows.map(({ span }) => span?.startMs ?? null),
      rows.map(({ span }) => span?.endMs ?? null),
      rows.map(({ content }) => (content === null ? null : JSON.stringify(content))),
    ],
  });
}
