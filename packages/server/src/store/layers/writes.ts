import type { Queryable } from '../database/database.ts';
import { joined } from '../database/joined-bytes.ts';
import type { ChunkKey, DayKey, MonthKey } from './reads.ts';

export async function writeChunks(
  tx: Queryable,
  rows: readonly (ChunkKey & { data: Uint8Array })[],
): Promise<void> {
  const { bytes, starts, lengths } = joined(rows.map(({ data }) => data));
  await tx.query({
    name: 'layers/write-chunks',
    text: `INSERT INTO sample_chunks (user_id, metric_no, device_no, chunk, data)
           SELECT user_id, metric_no, device_no, chunk, substring($5::bytea FROM start FOR length)
           FROM unnest($1::uuid[], $2::int2[], $3::int2[], $4::int4[], $6::int4[], $7::int4[])
             AS r (user_id, metric_no, device_no, chunk, start, length)
           ON CONFLICT (user_id, metric_no, device_no, chunk) DO UPDATE SET data = excluded.data`,
    values: [
      rows.map(({ userId }) => userId),
      rows.map(({ metricNo }) => metricNo),
      rows.map(({ deviceNo }) => deviceNo),
      rows.map(({ chunk }) => chunk),
      bytes,
      starts,
      lengths,
    ],
  });
}

/** Days without data are deleted. */
export async function writeDeviceDays(
  tx: Queryable,
  rows: readonly (DayKey & { deviceNo: number; data: Uint8Array | null })[],
): Promise<void> {
  const storedRows = rows.filter((row): row is typeof row & { data: Uint8Array } => row.data !== null);
  const { bytes, starts, lengths } = joined(storedRows.map(({ data }) => data));
  await tx.query({
    name: 'layers/write-device-days',
    text: `INSERT INTO device_days (user_id, day, device_no, data)
           SELECT user_id, date '1970-01-01' + day, device_no, substring($4::bytea FROM start FOR length)
           FROM unnest($1::uuid[], $2::int4[], $3::int2[], $5::int4[], $6::int4[]) AS r (user_id, day, device_no, start, length)
           ON CONFLICT (user_id, day, device_no) DO UPDATE SET data = excluded.data`,
    values: [
      storedRows.map(({ userId }) => userId),
      storedRows.map(({ day }) => day),
      storedRows.map(({ deviceNo }) => deviceNo),
      bytes,
      starts,
      lengths,
    ],
  });
  const emptied = rows.filter(({ data }) => data === null);
  if (emptied.length === 0) return;
  await tx.query({
    text: `DELETE FROM device_days d USING unnest($1::uuid[], $2::int4[], $3::int2[]) AS r (user_id, day, device_no)
           WHERE d.user_id = r.user_id AND d.day = date '1970-01-01' + r.day AND d.device_no = r.device_no`,
    values: [
      emptied.map(({ userId }) => userId),
      emptied.map(({ day }) => day),
      emptied.map(({ deviceNo }) => deviceNo),
    ],
  });
}

/** Months without values are deleted. */
export async function writeMonths(
  tx: Queryable,
  rows: readonly (MonthKey & { printed: string; detail: Uint8Array | null })[],
): Promise<void> {
  const storedRows = rows.filter((row): row is typeof row & { detail: Uint8Array } => row.detail !== null);
  const { bytes, starts, lengths } = joined(storedRows.map(({ detail }) => detail));
  await tx.query({
    name: 'layers/write-months',
    text: `INSERT INTO canonical_months (user_id, metric_no, month, printed, detail)
           SELECT user_id, metric_no, month, printed, substring($5::bytea FROM start FOR length)
           FROM unnest($1::uuid[], $2::int2[], $3::int2[], $4::text[], $6::int4[], $7::int4[])
             AS r (user_id, metric_no, month, printed, start, length)
           ON CONFLICT (user_id, metric_no, month) DO UPDATE SET printed = excluded.printed, detail = excluded.detail`,
    values: [
      storedRows.map(({ userId }) => userId),
      storedRows.map(({ metricNo }) => metricNo),
      storedRows.map(({ month }) => month),
      storedRows.map(({ printed }) => printed),
      bytes,
      starts,
      lengths,
    ],
  });
  const emptied = rows.filter(({ detail }) => detail === null);
  if (emptied.length === 0) return;
  await tx.query({
    text: `DELETE FROM canonical_months m USING unnest($1::uuid[], $2::int2[], $3::int2[]) AS r (user_id, metric_no, month)
           WHERE m.user_id = r.user_id AND m.metric_no = r.metric_no AND m.month = r.month`,
    values: [
      emptied.map(({ userId }) => userId),
      emptied.map(({ metricNo }) => metricNo),
      emptied.map(({ month }) => month),
    ],
  });
}
