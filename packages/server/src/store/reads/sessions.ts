import {
  findMetric,
  type DayNumber,
  type DayRange,
  type HeartRateTrace,
  type SleepSummary,
  type TraceSummary,
} from '@tributary/domain';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import type { Tenant } from '../database/tenant.ts';
import { inUserScope, readUser, userRead, type ReadUser } from '../users/read.ts';
import type { Profile } from '../users/users.ts';

/** Common fields of sleep and workouts. */
interface SessionRow {
  id: string;
  day: DayNumber;
  startMs: number;
  endMs: number;
  provider: string;
  deviceId: string;
}

export interface SleepRow extends SessionRow {
  isMain: boolean;
  content: SleepSummary & { vitals: Record<string, number> };
}

/** The stored content of a workout. */
export interface WorkoutContent {
  sport: string;
  name: string | null;
  /** Metric id → value in the catalog's unit. */
  values: Record<string, number>;
  trace: Pick<TraceSummary, 'meanBpm' | 'maxBpm'> | null;
  /** Kept separately, because most lists do not need it. */
  histogram: TraceSummary['histogram'];
}

export interface WorkoutRow extends SessionRow {
  content: Omit<WorkoutContent, 'histogram'>;
  /** In tenths; null until it is known. */
  strainTenths: number | null;
}

/** A workout with the data for heart rate zones. */
export interface ZonedWorkoutRow extends SessionRow {
  content: WorkoutContent;
}

/** A position in a list from the newest session to the oldest. */
export interface SessionPlace {
  day: DayNumber;
  startMs: number;
  id: string;
}

/** What is known about a user's heart: the profile, and the formatted maximum heart rates by month. */
export interface HeartRow {
  profile: Profile;
  highest: Record<number, string> | null;
}

/** The position before the first session of these days. */
export function placeBefore({ to }: DayRange): SessionPlace {
  return { day: to + 1, startMs: 0, id: '00000000-0000-0000-0000-000000000000' };
}

const dayAt = (parameter: string) => `(date '1970-01-01' + ${parameter}::int4)`;
const sessionFields = `'id', s.id, 'day', s.day - date '1970-01-01', 'startMs', ${epochMs('s.start_at')}, 'endMs', ${epochMs('s.end_at')},
  'provider', d.provider, 'deviceId', d.id`;
const newestFirst = 's.day DESC, s.start_at DESC, s.id DESC';
const fromDevice = `JOIN devices d ON d.user_id = s.user_id AND d.device_no = s.device_no`;

/** Up to $9 sessions of each span of days ($4 to $5), all after the position $6, $7, $8. */
function pageOf(table: string, fields: string): string {
  return `(SELECT coalesce(json_agg(json_build_object(${sessionFields}, ${fields}) ORDER BY ${newestFirst}), '[]')
    FROM unnest($4::int4[], $5::int4[]) AS span (from_day, to_day),
    LATERAL (SELECT * FROM ${table} s WHERE s.user_id = u.id AND ${inUserScope}
        AND s.day BETWEEN ${dayAt('span.from_day')} AND ${dayAt('span.to_day')}
        AND (s.day, s.start_at, s.id) < (${dayAt('$6')}, to_timestamp($7::float8 / 1000), $8::uuid)
      ORDER BY ${newestFirst} LIMIT $9) AS s ${fromDevice}) AS sessions`;
}

/** The strain of the workout, from the scores of its day. */
const strainField = `'strainTenths', (SELECT (x.strains->>s.id::text)::int4 FROM score_days x WHERE x.user_id = s.user_id AND x.day = s.day)`;

/** The formatted maximum heart rates of each day of some months. */
function highestIn(from: string, condition: string): string {
  return `(SELECT json_object_agg(m.month, m.printed) FROM canonical_months m${from}
    WHERE m.user_id = u.id AND m.metric_no = ${findMetric('heart_rate_max')!.no} AND ${condition} AND ${inUserScope}) AS highest`;
}

const selectSleep = userRead(
  'sleep/after',
  pageOf('canonical_sleep', `'isMain', s.is_main, 'content', s.content`),
);
const selectWorkouts = userRead(
  'workouts/after',
  pageOf('canonical_workouts', `'content', s.content - 'histogram', ${strainField}`),
);

const selectWorkoutPage = userRead(
  'workouts/page',
  `u.profile, ${highestIn('', 'm.month BETWEEN $6 AND $7')},
   (SELECT count(*) FROM canonical_workouts s WHERE s.user_id = u.id AND ${inUserScope}
      AND s.day BETWEEN ${dayAt('$4')} AND ${dayAt('$5')}) AS total,
   (SELECT coalesce(json_agg(json_build_object(${sessionFields}, 'content', s.content) ORDER BY ${newestFirst}), '[]')
    FROM (SELECT * FROM canonical_workouts s WHERE s.user_id = u.id AND ${inUserScope}
        AND s.day BETWEEN ${dayAt('$4')} AND ${dayAt('$5')}
      ORDER BY ${newestFirst} LIMIT $8 OFFSET $9::int8) AS s ${fromDevice}) AS sessions`,
);

/** Months since January 1970. */
const monthOfWorkout = `((date_part('year', s.day) - 1970) * 12 + date_part('month', s.day) - 1)::int4`;

// The relevant 180 days span at most seven months.
const selectWorkout = userRead(
  'workouts/detail',
  `u.profile, ${highestIn(
    ', canonical_workouts s',
    `s.user_id = u.id AND s.id = $4 AND m.month BETWEEN ${monthOfWorkout} - 6 AND ${monthOfWorkout}`,
  )},
   (SELECT json_build_object(${sessionFields}, ${strainField}, 'content', s.content, 'heartRate',
        (SELECT w.content->'heartRate' FROM device_workouts w
         WHERE w.user_id = s.user_id AND w.device_no = s.device_no AND w.source_id = s.source_id))
    FROM canonical_workouts s ${fromDevice} WHERE s.user_id = u.id AND s.id = $4 AND ${inUserScope}) AS workout`,
);

/** What to read: sessions of each span of days after a position, up to a limit per span. */
export interface SessionPage {
  spans: readonly DayRange[];
  after: SessionPlace;
  /** Null for no limit. */
  most: number | null;
}

/** Sleep, newest first; null if this tenant has no such user. */
export function listSleepAfter(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  page: SessionPage,
): Promise<(ReadUser & { sessions: SleepRow[] }) | null> {
  return readUser<ReadUser & { sessions: SleepRow[] }>(db, tenant, selectSleep, userId, pageValues(page));
}

/** Workouts, newest first; null if this tenant has no such user. */
export function listWorkoutsAfter(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  page: SessionPage,
): Promise<(ReadUser & { sessions: WorkoutRow[] }) | null> {
  return readUser<ReadUser & { sessions: WorkoutRow[] }>(
    db,
    tenant,
    selectWorkouts,
    userId,
    pageValues(page),
  );
}

function pageValues({ spans, after, most }: SessionPage): unknown[] {
  const { day, startMs, id } = after;
  return [spans.map(({ from }) => from), spans.map(({ to }) => to), day, startMs, id, most];
}

/** One page of workouts and their exact number, with the data for heart rate zones; null if this tenant has no such user. */
export function listWorkoutPage(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  { days, months, limit, offset }: WorkoutPageRequest,
): Promise<WorkoutPage | null> {
  const values = [days.from, days.to, months.from, months.to, limit, offset];
  return readUser<WorkoutPage>(db, tenant, selectWorkoutPage, userId, values);
}

interface WorkoutPage extends ReadUser, HeartRow {
  total: number;
  sessions: ZonedWorkoutRow[];
}

interface WorkoutPageRequest {
  days: DayRange;
  /** Months of maximum heart rates to read, counted from January 1970. */
  months: { from: number; to: number };
  limit: number;
  offset: number;
}

/** A workout with its trace, which is null if there is none. Null overall if this tenant has no such user. */
export function findWorkout(
  db: Queryable,
  tenant: Tenant,
  userId: string,
  id: string,
): Promise<WorkoutDetail | null> {
  return readUser<WorkoutDetail>(db, tenant, selectWorkout, userId, [id]);
}

interface WorkoutDetail extends ReadUser, HeartRow {
  workout: (ZonedWorkoutRow & Pick<WorkoutRow, 'strainTenths'> & { heartRate: HeartRateTrace }) | null;
}
