import type { DeviceKind } from '@tributary/contract';
import type { ConsolidationSettings, DayNumber, SleepSummary } from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import type { SessionKind } from '../layers/device-sessions.ts';
import { devicesOf, epochMs, profileHeight, type DeviceRow } from '../uploads/pending-batches.ts';
import type { Tenant } from '../database/tenant.ts';
import { inUserScope, readUser, userRead, type ReadUser } from '../users/read.ts';

/** A device as shown in explanations. */
export interface NamedDevice {
  deviceNo: number;
  id: string;
  provider: string;
  kind: DeviceKind;
  model: string | null;
  name: string | null;
  status: string;
  removed: boolean;
  connectedMs: number | null;
  lastSyncMs: number | null;
}

/** The basis of every explanation. */
interface ExplainedUser extends ReadUser {
  settings: ConsolidationSettings;
  heightCm: number | null;
  devices: DeviceRow[] | null;
  named: NamedDevice[];
}

/** A session reported by a device, and the batch that contained it. */
export interface ReportedRow {
  deviceNo: number;
  sourceId: string;
  startMs: number;
  endMs: number;
  batchId: string;
  createdMs: number;
}

/** A canonical session of a day. */
export interface ShownRow {
  id: string;
  deviceNo: number;
  sourceId: string;
  startMs: number;
  endMs: number;
  isMain: boolean;
}

/** A canonical session of a day, with its content. */
interface ShownContentRow extends ShownRow {
  content: unknown;
}

/** Everything that a metric and day can be explained from. Bytes are base64. */
export interface DayRow extends ExplainedUser {
  /** Device, content. */
  days: [number, string][];
  /** Metric, content. */
  months: [number, string][];
  /** Metric, device, chunk, content. */
  chunks: [number, number, number, string][];
  reported: ReportedRow[];
  shown: ShownContentRow[];
}

/** What to read for a day. */
export interface DayWanted {
  day: DayNumber;
  /** The calendar month of the day. */
  month: number;
  /** Metrics whose canonical values and samples to read. */
  metrics: readonly number[];
  firstChunk: number;
  lastChunk: number;
  /** The sessions to read, if any: those that start between these instants, and the canonical ones of the day. */
  sessions: { kind: SessionKind | null; fromMs: number; toMs: number };
}

/** Maximum sessions read for one day or around one session: far more than any user has. */
const mostSessions = 1000;

const dayAt = (parameter: string) => `(date '1970-01-01' + ${parameter}::int4)`;
const instantAt = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;
const listOf = (row: string, from: string) => `(SELECT coalesce(json_agg(${row}), '[]') FROM ${from})`;

const named = listOf(
  `json_build_object('deviceNo', d.device_no, 'id', d.id, 'provider', d.provider, 'kind', d.kind, 'model', d.model, 'name', d.name,
    'status', d.status, 'removed', d.removed_at IS NOT NULL, 'connectedMs', ${epochMs('d.connected_at')},
    'lastSyncMs', ${epochMs('d.last_sync_at')}) ORDER BY d.device_no`,
  `devices d WHERE d.user_id = u.id AND ${inUserScope}`,
);
const aboutUser = `u.consolidation AS settings, ${profileHeight('u.profile')} AS "heightCm",
  (SELECT ${devicesOf('u.id')} WHERE ${inUserScope}) AS devices, ${named} AS named`;

const reportedFields = `'deviceNo', t.device_no, 'sourceId', t.source_id, 'startMs', ${epochMs('t.start_at')}, 'endMs', ${epochMs('t.end_at')},
  'batchId', t.batch_id, 'createdMs', ${epochMs('t.created_at')}`;
const shownFields = `'id', s.id, 'deviceNo', s.device_no, 'sourceId', s.source_id, 'startMs', ${epochMs('s.start_at')},
  'endMs', ${epochMs('s.end_at')}`;

const sessionTables = {
  sleep: { reported: 'device_sleep', shown: 'canonical_sleep', isMain: 'd.is_main' },
  workout: { reported: 'device_workouts', shown: 'canonical_workouts', isMain: 'false' },
} as const;

const few = (rows: string, alias: string) =>
  `(SELECT * FROM (${rows}) AS every ORDER BY start_at LIMIT ${mostSessions}) AS ${alias}`;

/** The sessions of one kind that concern the day, reported and canonical. */
function sessionsOf(kind: SessionKind): string {
  const { reported: reportedTable, shown, isMain } = sessionTables[kind];
  const reportedRows = `SELECT * FROM ${reportedTable} d WHERE d.user_id = u.id AND ${inUserScope}
    AND d.start_at >= ${instantAt('$9')} AND d.start_at < ${instantAt('$10')}`;
  const shownRows = `SELECT d.id, d.device_no, d.source_id, d.start_at, d.end_at, d.content, ${isMain} AS is_main FROM ${shown} d
    WHERE d.user_id = u.id AND d.day = ${dayAt('$4')} AND ${inUserScope}`;
  return `${listOf(
    `json_build_object(${reportedFields}) ORDER BY t.start_at, t.device_no, t.source_id`,
    few(reportedRows, 't'),
  )} AS reported,
   ${listOf(
     `json_build_object(${shownFields}, 'isMain', s.is_main, 'content', s.content) ORDER BY s.start_at, s.id`,
     few(shownRows, 's'),
   )} AS shown`;
}

// One statement per kind. A single one with a switch would be planned again on every call, because its branches differ so much in cost.
const selectDay = (name: string, sessions: string) =>
  userRead(
    `explain/day-${name}`,
    `${aboutUser},
   ${listOf(
     `json_build_array(c.device_no, encode(c.data, 'base64'))`,
     `device_days c WHERE c.user_id = u.id AND c.day = ${dayAt('$4')} AND ${inUserScope}`,
   )} AS days,
   ${listOf(
     `json_build_array(m.metric_no, encode(m.detail, 'base64'))`,
     `canonical_months m WHERE m.user_id = u.id AND m.metric_no = ANY ($5::int2[]) AND m.month = $8 AND ${inUserScope}`,
   )} AS months,
   ${listOf(
     `json_build_array(c.metric_no, c.device_no, c.chunk, encode(c.data, 'base64'))`,
     `devices d, LATERAL (SELECT * FROM sample_chunks c WHERE c.user_id = u.id AND c.metric_no = ANY ($5::int2[])
        AND c.device_no = d.device_no AND c.chunk BETWEEN $6 AND $7 OFFSET 0) AS c
      WHERE d.user_id = u.id AND d.removed_at IS NULL AND ${inUserScope}`,
   )} AS chunks,
   ${sessions}`,
  );
const selectDayBy = {
  none: selectDay('none', `'[]'::json AS reported, '[]'::json AS shown`),
  sleep: selectDay('sleep', sessionsOf('sleep')),
  workout: selectDay('workout', sessionsOf('workout')),
};

/** Reads what a day is explained from, in one statement; null if this tenant has no such user. */
export function readExplainedDay(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { day, month, metrics, firstChunk, lastChunk, sessions }: DayWanted,
): Promise<DayRow | null> {
  const { kind, fromMs, toMs } = sessions;
  const values = [day, metrics, firstChunk, lastChunk, month, ...(kind ? [fromMs, toMs] : [])];
  return readUser<DayRow>(db, tenant, selectDayBy[kind ?? 'none'], userId, values);
}

const selectReceived = userRead(
  'explain/received',
  `(SELECT coalesce(json_object_agg(b.batch_id, ${epochMs('b.received_at')}), '{}') FROM raw_batches b
    WHERE b.user_id = u.id AND b.batch_id = ANY ($4::uuid[]) AND ${inUserScope}) AS received`,
);

/** When these batches arrived. Omits those past their retention. */
export async function readArrivals(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  batchIds: readonly string[],
): Promise<Map<string, number>> {
  const user = await readUser<ReadUser & { received: Record<string, number> }>(
    db,
    tenant,
    selectReceived,
    userId,
    [batchIds],
  );
  return new Map(Object.entries(user?.received ?? {}));
}

/** A session reported by a device, with the arrival of its batch. */
export interface ArrivedRow extends ReportedRow {
  receivedMs: number | null;
  /** Whether it is a workout with a distance. */
  hasDistance: boolean;
}

/** A canonical session, with its day and the sessions merged into it. */
export interface ShownSession extends ShownRow {
  day: DayNumber;
  mergedFrom: [number, string][];
}

export interface SessionRows extends ExplainedUser {
  session: ShownSession | null;
  /** The session itself, those merged into it, and those at the same time. */
  reported: ArrivedRow[];
  /** For sleep: all canonical sessions of the same day. */
  ofDay: (ShownRow & { content: Pick<SleepSummary, 'asleepMinutes' | 'inBedMinutes'> })[];
}

function sessionRead(kind: SessionKind, device: string, canonical: string, isMain: string, ofDay: string) {
  const one = `FROM ${canonical} s WHERE s.user_id = u.id AND s.id = $4 AND ${inUserScope}`;
  return userRead(
    `explain/${kind}`,
    `${aboutUser},
     (SELECT json_build_object(${shownFields}, 'isMain', ${isMain}, 'day', s.day - date '1970-01-01', 'mergedFrom', s.gave_way) ${one}) AS session,
     ${listOf(
       `json_build_object(${reportedFields}, 'receivedMs', ${epochMs('b.received_at')},
         'hasDistance', coalesce((t.content->'values'->>'distance')::float8 > 0, false)) ORDER BY t.start_at, t.device_no, t.source_id`,
       `(SELECT t.* FROM ${canonical} s, ${device} t
         WHERE s.user_id = u.id AND s.id = $4 AND t.user_id = u.id AND ${inUserScope}
           AND (t.start_at >= s.start_at - interval '3 days' AND t.start_at < s.end_at AND t.end_at > s.start_at
             OR (t.device_no, t.source_id) IN (SELECT (g->>0)::int2, g->>1 FROM jsonb_array_elements(s.gave_way) AS g))
         ORDER BY (t.device_no, t.source_id) = (s.device_no, s.source_id) DESC, t.start_at LIMIT ${mostSessions}) AS t
        LEFT JOIN raw_batches b ON b.user_id = u.id AND b.batch_id = t.batch_id AND ${inUserScope}`,
     )} AS reported,
     ${ofDay} AS "ofDay"`,
  );
}

const selectSleep = sessionRead(
  'sleep',
  'device_sleep',
  'canonical_sleep',
  's.is_main',
  listOf(
    `json_build_object(${shownFields}, 'isMain', s.is_main, 'content', json_build_object(
      'asleepMinutes', s.content->'asleepMinutes', 'inBedMinutes', s.content->'inBedMinutes')) ORDER BY s.start_at, s.id`,
    `(SELECT s.* FROM canonical_sleep one, canonical_sleep s
      WHERE one.user_id = u.id AND one.id = $4 AND s.user_id = u.id AND s.day = one.day AND ${inUserScope}
      ORDER BY s.start_at LIMIT ${mostSessions}) AS s`,
  ),
);
const selectWorkout = sessionRead('workout', 'device_workouts', 'canonical_workouts', 'false', `'[]'::json`);

/** Reads what a session is explained from, in one statement; null if this tenant has no such user. */
export function readExplainedSession(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  kind: SessionKind,
  id: string,
): Promise<SessionRows | null> {
  return readUser<SessionRows>(db, tenant, kind === 'sleep' ? selectSleep : selectWorkout, userId, [id]);
}
