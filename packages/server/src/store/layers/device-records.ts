import type { RecordState } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';

/** A record with its own id: where its latest version is, and which batch deleted it. */
export interface RecordRow extends RecordState {
  userId: string;
  deviceNo: number;
  sourceId: string;
}

type RecordKey = Pick<RecordRow, 'userId' | 'deviceNo' | 'sourceId'>;

export async function readRecords(tx: Queryable, keys: readonly RecordKey[]): Promise<RecordRow[]> {
  const result = await tx.query<RecordRow>({
    name: 'device-records/read',
    text: `SELECT r.user_id AS "userId", r.device_no AS "deviceNo", r.source_id AS "sourceId", r.slots,
             ${epochMs('r.deleted_at')} AS "deletedMs", r.deleted_by AS "deletedBy"
           FROM unnest($1::uuid[], $2::int2[], $3::text[]) AS k (user_id, device_no, source_id),
           LATERAL (SELECT * FROM device_records r WHERE r.user_id = k.user_id AND r.device_no = k.device_no
                    AND r.source_id = k.source_id OFFSET 0) AS r`,
    values: [
      keys.map(({ userId }) => userId),
      keys.map(({ deviceNo }) => deviceNo),
      keys.map(({ sourceId }) => sourceId),
    ],
  });
  return result.rows;
}

export async function writeRecords(tx: Queryable, rows: readonly RecordRow[]): Promise<void> {
  await tx.query({
    name: 'device-records/write',
    text: `INSERT INTO device_records (user_id, device_no, source_id, slots, deleted_at, deleted_by)
           SELECT user_id, device_no, source_id, slots, to_timestamp(deleted_ms / 1000), deleted_by
           FROM unnest($1::uuid[], $2::int2[], $3::text[], $4::jsonb[], $5::float8[], $6::uuid[])
             AS r (user_id, device_no, source_id, slots, deleted_ms, deleted_by)
           ON CONFLICT (user_id, device_no, source_id) DO UPDATE
             SET slots = excluded.slots, deleted_at = excluded.deleted_at, deleted_by = excluded.deleted_by`,
    values: [
      rows.map(({ userId }) => userId),
      rows.map(({ deviceNo }) => deviceNo),
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ slots }) => JSON.stringify(slots)),
      rows.map(({ deletedMs }) => deletedMs),
      rows.map(({ deletedBy }) => deletedBy),
    ],
  });
}
