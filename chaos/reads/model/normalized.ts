import { formatId } from '@tributary/server/testing/ids';
import { unpack } from '@tributary/server/testing/reads';
import {
  chunkMs,
  decodeChunk,
  decodeDeviceDay,
  formatDay,
  metricOf,
  type SportType,
} from '@tributary/domain';
import type { RunStack } from '@tributary/rig';

export interface ModelDevice {
  no: number;
  /** As the API formats it. */
  id: string;
  provider: string;
  stableId: string;
  onDevice: boolean;
  kind: string;
  connectedMs: number;
}

export interface Sample {
  atMs: number;
  durationMs: number;
  micros: number;
  unitCode: number;
}

/** A session of one device. Its key decides the order when nothing else does. */
export interface ModelSession<Content> {
  key: string;
  device: ModelDevice;
  startMs: number;
  endMs: number;
  content: Content;
}

export interface SleepContent {
  stages: { stage: string; startMs: number; endMs: number }[];
  minutes: { asleep?: number; deep?: number; light?: number; rem?: number; awake?: number; in_bed?: number };
  vitals: Record<string, number>;
}

export interface WorkoutContent {
  utcOffsetMinutes?: number | null;
  sport: SportType;
  name: string | null;
  values: Record<string, number>;
  heartRate: { offsetsMs: number[]; bpm: number[] };
}

/** A total that a platform reported for a date. */
export interface Total {
  micros: number;
  unitCode: number;
  /** When the batch with the total was created. */
  createdMs: number;
}

/** The normalized data of one user, per device. */
export interface Normalized {
  devices: ModelDevice[];
  /** `device metric` → samples in order of time. */
  samples: Map<string, Sample[]>;
  /** `device date metric` → the platform's own total. */
  totals: Map<string, Total>;
  sleep: ModelSession<SleepContent>[];
  workouts: ModelSession<WorkoutContent>[];
}

const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)::float8`;

/** Reads the normalized layer of a user as a superuser. Of the device days it takes only totals, since the rest follows from the other tables. */
export async function readNormalized(db: RunStack['admin'], userId: string): Promise<Normalized> {
  const queryRows = async <Row extends object>(text: string) => (await db.query<Row>(text, [userId])).rows;
  const rows = await queryRows<{
    no: number;
    id: string;
    provider: string;
    stableId: string;
    onDevice: boolean;
    kind: string;
    connectedMs: number;
  }>(`SELECT device_no AS no, id, provider, stable_id AS "stableId", on_device AS "onDevice", kind,
        ${epochMs('connected_at')} AS "connectedMs" FROM devices WHERE user_id = $1 AND removed_at IS NULL`);
  const devices = new Map(rows.map((row) => [row.no, { ...row, id: formatId('dev', row.id) }]));
  const chunks = await queryRows<{ metric_no: number; device_no: number; chunk: number; data: Buffer }>(
    `SELECT metric_no, device_no, chunk, data FROM sample_chunks WHERE user_id = $1 ORDER BY chunk`,
  );
  const samples = new Map<string, Sample[]>();
  for (const { metric_no, device_no, chunk, data } of chunks) {
    if (!devices.has(device_no)) continue;
    const key = `${device_no} ${metricOf(metric_no).id}`;
    const list = samples.get(key) ?? [];
    samples.set(key, list);
    list.push(...samplesOf(data, chunk));
  }
  const days = await queryRows<{ day: number; device_no: number; data: Buffer }>(
    `SELECT day - date '1970-01-01' AS day, device_no, data FROM device_days WHERE user_id = $1`,
  );
  const totals: Normalized['totals'] = new Map();
  for (const { day, device_no, data } of days) {
    if (!devices.has(device_no)) continue;
    for (const [metricNo, { micros, owner }] of decodeDeviceDay(unpack(data), day).reported)
      totals.set(`${device_no} ${formatDay(day)} ${metricOf(metricNo).id}`, {
        micros,
        unitCode: owner.unitCode,
        createdMs: owner.createdMs,
      });
  }
  const sessions = async <Content>(table: string): Promise<ModelSession<Content>[]> => {
    const rows = await queryRows<{
      no: number;
      sourceId: string;
      startMs: number;
      endMs: number;
      content: Content;
    }>(
      `SELECT device_no AS no, source_id AS "sourceId", ${epochMs('start_at')} AS "startMs", ${epochMs('end_at')} AS "endMs", content
       FROM ${table} WHERE user_id = $1 AND start_at IS NOT NULL`,
    );
    return rows.flatMap(({ no, sourceId, ...rest }) => {
      const device = devices.get(no);
      return device ? [{ ...rest, device, key: `${device.provider}/${device.stableId}/${sourceId}` }] : [];
    });
  };
  return {
    devices: [...devices.values()],
    samples,
    totals,
    sleep: await sessions<SleepContent>('device_sleep'),
    workouts: await sessions<WorkoutContent>('device_workouts'),
  };
}

function samplesOf(data: Buffer, chunk: number): Sample[] {
  const { times, values, durations, ownerOf, owners } = decodeChunk(unpack(data), chunk);
  const samples: Sample[] = [];
  for (let at = 0; at < times.length; at += 1) {
    if (Number.isNaN(values[at]!)) continue; // deleted
    samples.push({
      atMs: chunk * chunkMs + times[at]!,
      durationMs: durations?.[at] ?? 0,
      micros: values[at]!,
      unitCode: owners[ownerOf[at]!]!.unitCode,
    });
  }
  return samples;
}
