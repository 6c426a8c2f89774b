import type { ConsolidationSettings } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';
import { inUserScope, readUser, userRead, type ReadUser } from '../users/read.ts';

/** The metrics and months to read. */
export interface WantedMonths {
  metrics: readonly number[];
  firstMonth: number;
  lastMonth: number;
}

/** One month of one metric. */
interface MonthOf<Content> {
  metricNo: number;
  month: number;
  content: Content;
}

/** A device as shown in sources and reasons. */
export interface NamedDevice {
  deviceNo: number;
  id: string;
  provider: string;
  status: string;
  removed: boolean;
  lastSyncMs: number | null;
}

const wanted = `FROM canonical_months m WHERE m.user_id = u.id AND m.metric_no = ANY ($4::int2[]) AND m.month BETWEEN $5 AND $6 AND ${inUserScope}`;

// All months are returned as one text and parsed here: many rows would cost more on both sides.
/** Exported for the benchmark that compares the service with this statement. */
export const selectPrinted = userRead(
  'daily/printed',
  `(SELECT string_agg(m.metric_no || ' ' || m.month || ' ' || m.printed, ';') ${wanted}) AS months`,
);

const selectDetailed = userRead(
  'daily/detailed',
  `(SELECT string_agg(m.metric_no || ' ' || m.month || ' ' || encode(m.detail, 'hex'), ';') ${wanted}) AS months`,
);

const selectSourced = userRead(
  'daily/sourced',
  `u.consolidation AS settings,
   (SELECT string_agg(m.metric_no || ' ' || m.month || ' ' || encode(m.detail, 'hex'), ';') ${wanted}) AS months,
   (SELECT string_agg((c.day - date '1970-01-01') || ' ' || c.device_no || ' ' || encode(c.data, 'hex'), ';') FROM device_days c
    WHERE c.user_id = u.id AND c.day BETWEEN date '1970-01-01' + $7::int4 AND date '1970-01-01' + $8::int4 AND ${inUserScope}) AS days,
   (SELECT coalesce(json_agg(json_build_object('deviceNo', d.device_no, 'id', d.id, 'provider', d.provider, 'status', d.status,
      'removed', d.removed_at IS NOT NULL, 'lastSyncMs', date_part('epoch', d.last_sync_at) * 1000) ORDER BY d.device_no), '[]')
    FROM devices d WHERE d.user_id = u.id AND ${inUserScope}) AS devices`,
);

/** Formatted months in metric units; null if this tenant has no such user. */
export async function readPrintedMonths(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { metrics, firstMonth, lastMonth }: WantedMonths,
): Promise<{ user: ReadUser; months: MonthOf<string>[] } | null> {
  const values = [metrics, firstMonth, lastMonth];
  const row = await readUser<ReadUser & { months: string | null }>(db, tenant, selectPrinted, userId, values);
  return row && { user: row, months: monthsIn(row.months) };
}

/** Months with the exact values and their sources. */
export async function readDetailedMonths(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { metrics, firstMonth, lastMonth }: WantedMonths,
): Promise<{ user: ReadUser; months: MonthOf<Buffer>[] } | null> {
  const values = [metrics, firstMonth, lastMonth];
  const row = await readUser<ReadUser & { months: string | null }>(
    db,
    tenant,
    selectDetailed,
    userId,
    values,
  );
  return row && { user: row, months: monthsIn(row.months).map(fromHex) };
}

export interface SourcedMonths {
  user: ReadUser;
  settings: ConsolidationSettings;
  months: MonthOf<Buffer>[];
  /** The values of each device, by day. */
  days: { day: number; deviceNo: number; data: Buffer }[];
  devices: NamedDevice[];
}

/** The same, with everything that explains where values come from or why there are none. */
export async function readSourcedMonths(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { metrics, firstMonth, lastMonth }: WantedMonths,
  days: { from: number; to: number },
): Promise<SourcedMonths | null> {
  const row = await readUser<
    ReadUser & {
      settings: ConsolidationSettings;
      months: string | null;
      days: string | null;
      devices: NamedDevice[];
    }
  >(db, tenant, selectSourced, userId, [metrics, firstMonth, lastMonth, days.from, days.to]);
  if (!row) return null;
  return {
    user: row,
    settings: row.settings,
    months: monthsIn(row.months).map(fromHex),
    days: partsOf(row.days).map(([day, deviceNo, data]) => ({
      day: Number(day),
      deviceNo: Number(deviceNo),
      data: Buffer.from(data, 'hex'),
    })),
    devices: row.devices,
  };
}

function monthsIn(text: string | null): MonthOf<string>[] {
  return partsOf(text).map(([metricNo, month, content]) => ({
    metricNo: Number(metricNo),
    month: Number(month),
    content,
  }));
}

function fromHex({ content, ...key }: MonthOf<string>): MonthOf<Buffer> {
  return { ...key, content: Buffer.from(content, 'hex') };
}

/** Parses `a b c;a b c`. No part contains either separator. */
function partsOf(text: string | null): [string, string, string][] {
  if (text === null) return [];
  return text.split(';').map((part) => part.split(' ') as [string, string, string]);
}
