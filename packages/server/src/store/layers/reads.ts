import type { Queryable } from '../database/database.ts';

/** The primary key of a chunk. */
export interface ChunkKey {
  userId: string;
  metricNo: number;
  deviceNo: number;
  chunk: number;
}

export interface DayKey {
  userId: string;
  day: number;
}

export interface MonthKey {
  userId: string;
  metricNo: number;
  month: number;
}

const sinceEpoch = `date '1970-01-01'`;

/** The chunks with these keys, each with the index of its key in the list. */
export async function readChunks(
  tx: Queryable,
  keys: readonly ChunkKey[],
): Promise<{ at: number; data: Buffer }[]> {
  const result = await tx.query<{ at: number; data: Buffer }>({
    name: 'layers/read-chunks',
    text: `SELECT k.at::int4 AS at, c.data
           FROM unnest($1::uuid[], $2::int2[], $3::int2[], $4::int4[]) WITH ORDINALITY AS k (user_id, metric_no, device_no, chunk, at),
           LATERAL (SELECT data FROM sample_chunks c WHERE c.user_id = k.user_id AND c.metric_no = k.metric_no
                    AND c.device_no = k.device_no AND c.chunk = k.chunk OFFSET 0) AS c`,
    values: [
      keys.map(({ userId }) => userId),
      keys.map(({ metricNo }) => metricNo),
      keys.map(({ deviceNo }) => deviceNo),
      keys.map(({ chunk }) => chunk),
    ],
  });
  return result.rows.map(({ at, data }) => ({ at: at - 1, data }));
}

export interface DeviceDayRow extends DayKey {
  deviceNo: number;
  data: Buffer;
}

/** The values of every device for these days. */
export async function readDeviceDays(tx: Queryable, keys: readonly DayKey[]): Promise<DeviceDayRow[]> {
  const result = await tx.query<DeviceDayRow>({
    name: 'layers/read-device-days',
    text: `SELECT k.user_id AS "userId", k.day, d.device_no AS "deviceNo", d.data
           FROM unnest($1::uuid[], $2::int4[]) AS k (user_id, day),
           LATERAL (SELECT device_no, data FROM device_days d WHERE d.user_id = k.user_id AND d.day = ${sinceEpoch} + k.day OFFSET 0) AS d`,
    values: [keys.map(({ userId }) => userId), keys.map(({ day }) => day)],
  });
  return result.rows;
}

/** The canonical months with these keys, each with the index of its key in the list. */
export async function readMonths(
  tx: Queryable,
  keys: readonly MonthKey[],
): Promise<{ at: number; detail: Buffer }[]> {
  const result = await tx.query<{ at: number; detail: Buffer }>({
    name: 'layers/read-months',
    text: `SELECT k.at::int4 AS at, m.detail
           FROM unnest($1::uuid[], $2::int2[], $3::int2[]) WITH ORDINALITY AS k (user_id, metric_no, month, at),
           LATERAL (SELECT detail FROM canonical_months m WHERE m.user_id = k.user_id AND m.metric_no = k.metric_no
                    AND m.month = k.month OFFSET 0) AS m`,
    values: [
      keys.map(({ userId }) => userId),
      keys.map(({ metricNo }) => metricNo),
      keys.map(({ month }) => month),
    ],
  });
  return result.rows.map(({ at, detail }) => ({ at: at - 1, detail }));
}

/** Whether a user has more than this number of stored days, counting each device. */
export async function hasMoreDeviceDays(tx: Queryable, userId: string, count: number): Promise<boolean> {
  const result = await tx.query({
    text: `SELECT FROM device_days WHERE user_id = $1 ORDER BY day, device_no OFFSET $2 LIMIT 1`,
    values: [userId, count],
  });
  return result.rows.length > 0;
}

export async function readAllDeviceDays(tx: Queryable, userId: string): Promise<DeviceDayRow[]> {
  const result = await tx.query<DeviceDayRow>({
    text: `SELECT user_id AS "userId", day - ${sinceEpoch} AS day, device_no AS "deviceNo", data FROM device_days
           WHERE user_id = $1 ORDER BY day, device_no`,
    values: [userId],
  });
  return result.rows;
}

/** All canonical values of one calendar month. */
export async function readCanonicalValuesOfMonth(
  tx: Queryable,
  userId: string,
  month: number,
): Promise<{ metricNo: number; detail: Buffer }[]> {
  const result = await tx.query<{ metricNo: number; detail: Buffer }>({
    name: 'layers/read-canonical-month',
    text: `SELECT metric_no AS "metricNo", detail FROM canonical_months WHERE user_id = $1 AND month = $2`,
    values: [userId, month],
  });
  return result.rows;
}

export async function readAllMonths(
  tx: Queryable,
  userId: string,
): Promise<(MonthKey & { detail: Buffer })[]> {
  const result = await tx.query<MonthKey & { detail: Buffer }>({
    text: `SELECT user_id AS "userId", metric_no AS "metricNo", month, detail FROM canonical_months WHERE user_id = $1`,
    values: [userId],
  });
  return result.rows;
}
