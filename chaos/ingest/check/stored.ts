import type { RunStack } from '@tributary/rig';
import { decodeChunk, findMetric, metricOf, scoreMetrics, uuidText } from '@tributary/domain';
import { unpack } from '@tributary/server/testing/reads';

/** A reading as stored. */
interface StoredReading {
  device: string;
  metric: string;
  atMs: number;
  micros: number;
  durationMs: number;
  batchId: string;
}

export interface StoredSession {
  device: string;
  id: string;
  startMs: number;
  endMs: number;
}

export interface StoredCanonicalSession extends StoredSession {
  date: string;
  isMain: boolean;
  mergedFrom: string[];
  content: Record<string, unknown>;
}

/** Everything stored for one user. */
export interface StoredUser {
  readings: StoredReading[];
  /** `date metric` → formatted value. */
  canonicalValues: Map<string, string>;
  deviceSleep: StoredSession[];
  deviceWorkouts: StoredSession[];
  sleep: StoredCanonicalSession[];
  workouts: StoredCanonicalSession[];
  updates: number;
}

/** Scores are derived from canonical values and compared in other tests. */
const scoreMetricNumbers = scoreMetrics.map((id) => findMetric(id)!.no).join(', ');

const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;
const chunkMs = 4 * 3_600_000;

/** Reads all layers of a user as a superuser, with the layouts that the service uses. */
export async function readUser(db: RunStack['admin'], userId: string): Promise<StoredUser> {
  const queryRows = async <Row extends object>(text: string) => (await db.query<Row>(text, [userId])).rows;
  const devices = await queryRows<{ device_no: number; stable_id: string }>(
    `SELECT device_no, stable_id FROM devices WHERE user_id = $1`,
  );
  const nameOf = (no: number) =>
    devices.find(({ device_no }) => device_no === no)?.stable_id.replace(/-1$/, '') ?? `device ${no}`;
  const chunks = await queryRows<{ metric_no: number; device_no: number; chunk: number; data: Buffer }>(
    `SELECT metric_no, device_no, chunk, data FROM sample_chunks WHERE user_id = $1`,
  );
  const months = await queryRows<{ metric_no: number; first: string; printed: string }>(
    `SELECT metric_no, to_char(date '1970-01-01' + month * interval '1 month', 'YYYY-MM') AS first, printed
     FROM canonical_months WHERE user_id = $1 AND metric_no NOT IN (${scoreMetricNumbers})`,
  );
  const sessions = (table: string) =>
    queryRows<{ device_no: number; id: string; startMs: number; endMs: number }>(
      `SELECT device_no, source_id AS id, ${epochMs('start_at')} AS "startMs", ${epochMs('end_at')} AS "endMs"
       FROM ${table} WHERE user_id = $1 AND start_at IS NOT NULL`,
    );
  const readCanonicalSessions = (table: string, isMain: string) =>
    queryRows<
      Omit<StoredCanonicalSession, 'device' | 'mergedFrom'> & {
        device_no: number;
        gave_way: [number, string][];
      }
    >(
      `SELECT device_no, source_id AS id, ${epochMs('start_at')} AS "startMs", ${epochMs('end_at')} AS "endMs",
         to_char(day, 'YYYY-MM-DD') AS date, ${isMain} AS "isMain", gave_way, content FROM ${table} WHERE user_id = $1`,
    );
  const named = <S extends { device_no: number }>({ device_no, ...rest }: S) => ({
    ...rest,
    device: nameOf(device_no),
  });
  const namedCanonicalSession = <S extends { device_no: number; gave_way: [number, string][] }>(row: S) => ({
    ...named(row),
    mergedFrom: row.gave_way.map(([no, id]) => `${nameOf(no)} ${id}`),
  });
  const [updates] = await queryRows<{ count: number }>(
    `SELECT (SELECT count(*) FROM events WHERE user_id = $1 AND type = 'data.updated') +
       (SELECT count(*) FROM feed WHERE user_id = $1 AND type = 'data.updated') AS count`,
  );
  return {
    readings: chunks.flatMap((row) => readingsOf(row, nameOf(row.device_no))),
    canonicalValues: new Map(
      months.flatMap(({ metric_no, first, printed }) =>
        printed
          .split(',')
          .map((value, at) => [
            `${first}-${String(at + 1).padStart(2, '0')} ${metricOf(metric_no).id}`,
            value,
          ])
          .filter((entry): entry is [string, string] => entry[1] !== 'null'),
      ),
    ),
    deviceSleep: (await sessions('device_sleep')).map(named),
    deviceWorkouts: (await sessions('device_workouts')).map(named),
    sleep: (await readCanonicalSessions('canonical_sleep', 'is_main')).map(namedCanonicalSession),
    workouts: (await readCanonicalSessions('canonical_workouts', 'false')).map(namedCanonicalSession),
    updates: updates!.count,
  };
}

/** Returns only values. A deletion marker does not count as a stored reading. */
function readingsOf(
  { metric_no, chunk, data }: { metric_no: number; chunk: number; data: Buffer },
  device: string,
): StoredReading[] {
  const { times, values, durations, ownerOf, owners } = decodeChunk(unpack(data), chunk);
  const batchIds = owners.map(({ batchId }) => uuidText(batchId));
  const metric = metricOf(metric_no).id;
  const readings: StoredReading[] = [];
  times.forEach((time, at) => {
    if (Number.isNaN(values[at]!)) return;
    readings.push({
      device,
      metric,
      atMs: chunk * chunkMs + time,
      micros: values[at]!,
      durationMs: durations?.[at] ?? 0,
      batchId: batchIds[ownerOf[at]!]!,
    });
  });
  return readings;
}
