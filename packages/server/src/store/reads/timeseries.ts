import type { ConsolidationSettings } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { devicesOf, type DeviceRow } from '../uploads/pending-batches.ts';
import { readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';
import { activeInTenant, inUserScope, readUser, userRead, userScope, type ReadUser } from '../users/read.ts';

/** The facts that decide which device's samples are shown. */
export interface TimeseriesFacts {
  user: ReadUser;
  settings: ConsolidationSettings;
  devices: readonly DeviceRow[];
  months: readonly { metricNo: number; month: number; content: Buffer }[];
  days: readonly { day: number; deviceNo: number; data: Buffer }[];
  /** The packed stress of each day; empty unless requested. */
  stress: readonly { day: number; data: Buffer }[];
}

const factColumns = `u.consolidation AS settings, (SELECT ${devicesOf('u.id')} WHERE ${inUserScope}) AS devices,
   (SELECT json_agg(json_build_array(m.metric_no, m.month, encode(m.detail, 'hex'))) FROM canonical_months m
    WHERE m.user_id = u.id AND m.metric_no = ANY ($4::int2[]) AND m.month BETWEEN $5 AND $6 AND ${inUserScope}) AS months,
   (SELECT json_agg(json_build_array(c.day - date '1970-01-01', c.device_no, encode(c.data, 'hex'))) FROM device_days c
    WHERE c.user_id = u.id AND c.day BETWEEN date '1970-01-01' + $7::int4 AND date '1970-01-01' + $8::int4 AND ${inUserScope}) AS days`;
const selectFacts = userRead('timeseries/facts', factColumns);
const selectFactsAndStress = userRead(
  'timeseries/facts-and-stress',
  `${factColumns},
   (SELECT json_agg(json_build_array(s.day - date '1970-01-01', encode(s.stress, 'hex'))) FROM score_days s
    WHERE s.user_id = u.id AND s.day BETWEEN date '1970-01-01' + $7::int4 AND date '1970-01-01' + $8::int4 AND s.stress IS NOT NULL
      AND ${inUserScope}) AS stress`,
);

/** Returns null if this tenant has no such user. */
export async function readTimeseriesFacts(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  wanted: { metrics: readonly number[]; firstMonth: number; lastMonth: number },
  days: { from: number; to: number },
  withStress: boolean,
): Promise<TimeseriesFacts | null> {
  const row = await readUser<
    ReadUser & {
      settings: ConsolidationSettings;
      devices: DeviceRow[] | null;
      months: [number, number, string][] | null;
      days: [number, number, string][] | null;
      stress?: [number, string][] | null;
    }
  >(db, tenant, withStress ? selectFactsAndStress : selectFacts, userId, [
    wanted.metrics,
    wanted.firstMonth,
    wanted.lastMonth,
    days.from,
    days.to,
  ]);
  if (!row) return null;
  return {
    user: row,
    settings: row.settings,
    devices: row.devices ?? [],
    months: (row.months ?? []).map(([metricNo, month, hex]) => ({
      metricNo,
      month,
      content: Buffer.from(hex, 'hex'),
    })),
    days: (row.days ?? []).map(([day, deviceNo, hex]) => ({ day, deviceNo, data: Buffer.from(hex, 'hex') })),
    stress: (row.stress ?? []).map(([day, hex]) => ({ day, data: Buffer.from(hex, 'hex') })),
  };
}

export interface ChunkKey {
  metricNo: number;
  deviceNo: number;
  chunk: number;
}

const selectChunks = tenantRead(
  'timeseries/chunks',
  `SELECT k.at::int4 AS at, c.data FROM users u, ${userScope},
     unnest($4::int2[], $5::int2[], $6::int4[]) WITH ORDINALITY AS k (metric_no, device_no, chunk, at),
     LATERAL (SELECT data FROM sample_chunks c WHERE c.user_id = u.id AND c.metric_no = k.metric_no AND c.device_no = k.device_no
              AND c.chunk = k.chunk AND ${inUserScope} OFFSET 0) AS c
   WHERE ${activeInTenant} AND u.id = $3`,
);

/** The packed samples with these keys, each with the index of its key in the list. */
export function readTimeseriesChunks(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  keys: readonly ChunkKey[],
): Promise<{ at: number; data: Buffer }[]> {
  return readAsTenant<{ at: number; data: Buffer }>(db, tenant, selectChunks, [
    userId,
    keys.map(({ metricNo }) => metricNo),
    keys.map(({ deviceNo }) => deviceNo),
    keys.map(({ chunk }) => chunk),
  ]);
}
