import {
  addDays,
  dayOf,
  figuresOf,
  findMetric,
  fromMicros,
  minuteMs,
  minutesFromMidnight,
  scoreTypes,
  type DayNumber,
  type DayRange,
  type ScoreType,
  type Timezones,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { SleepRow, WorkoutRow } from '../../store/reads/sessions.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import type { UserDetail } from '../../store/users/users.ts';
import { readDaily } from '../daily/read-daily.ts';
import { readCurrentScores, type CurrentScore } from '../scores/read-current-scores.ts';
import { listSleep } from '../sleep/list-sleep.ts';
import { readTimeseries } from '../timeseries/read-timeseries.ts';
import { getUser } from '../users/get-user.ts';
import { listWorkoutsByCursor } from '../workouts/list-workouts-by-cursor.ts';

/** The heart rate of a day is averaged over intervals of this many minutes of local time. */
const stretchMinutes = 10;

/** The last days of a sandbox user, up to the user's own today. */
export interface SandboxWeek {
  person: WeekPerson;
  /** Minutes since local midnight. */
  nowMinute: number;
  /** Oldest first. The last one is today. */
  days: WeekDay[];
  /** The newest value of each available score, with its contributors. */
  latest: CurrentScore[];
}

interface WeekPerson extends Pick<UserDetail, 'id' | 'referenceId' | 'daysAhead' | 'scoreStatus'> {
  archetype: string;
  timezone: string;
  /** The providers of its devices, in the order they were connected. */
  providers: string[];
}

/** Missing values are null. */
export interface WeekDay {
  day: DayNumber;
  /** The mean of each ten minutes of local time, always 144 values. */
  heartRate: (number | null)[];
  lowestHeartRate: number | null;
  highestHeartRate: number | null;
  steps: number | null;
  /** Ordered by start. */
  sleep: WeekSleep[];
  workouts: WeekWorkout[];
  scores: Record<ScoreType, number | null>;
}

interface WeekSleep {
  /** Minutes from midnight of the day it ends on. Negative on the previous evening. */
  startMinute: number;
  endMinute: number;
  isMain: boolean;
  asleepMinutes: number | null;
  efficiencyPercent: number | null;
}

interface WeekWorkout {
  startMinute: number;
  sport: string;
  durationMinutes: number;
  strain: number | null;
}

const heartRate = findMetric('heart_rate')!;
const dailyIds = ['steps', 'heart_rate_min', 'heart_rate_max', ...scoreTypes] as const;
const dailyMetrics = dailyIds.map((id) => findMetric(id)!);

/** More workouts than anyone does in a month. */
const mostWorkouts = 1000;

/** Reads the week as an app would, through the same services and within the user's tenant. Throws `not_found`. */
export async function readWeek(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  dayCount: number,
): Promise<SandboxWeek> {
  const user = await getUser(ctx, tenant, userId);
  const { timezones } = user;
  const nowMs = addDays(ctx.clock.now(), timezones, user.daysAhead);
  const today = dayOf(nowMs, timezones);
  const range = { from: today - dayCount + 1, to: today };
  const choice = { widest: range, resolve: () => range };
  const [daily, heart, sleep, workouts, current] = await Promise.all([
    readDaily(ctx, tenant, userId, dailyMetrics, choice),
    readHeartRate(ctx, tenant, userId, range, timezones),
    listSleep(ctx, tenant, userId, range),
    listWorkoutsByCursor(ctx, tenant, userId, {
      page: { range, after: null, limit: mostWorkouts, includeSources: false },
      days: { ...range, defaultSpan: dayCount - 1, nowMs },
      rangeFor: () => range,
    }),
    readCurrentScores(ctx, tenant, userId, choice),
  ]);
  const columns = daily.values.map((values) => JSON.parse(`[${values}]`) as (number | null)[]);
  const dailyOf = (id: (typeof dailyIds)[number], at: number) => columns[dailyIds.indexOf(id)]![at]!;
  const days = Array.from({ length: dayCount }, (_, at): WeekDay => {
    const day = range.from + at;
    const isOfDay = (session: { day: DayNumber }) => session.day === day;
    return {
      day,
      heartRate: heart[at]!,
      lowestHeartRate: dailyOf('heart_rate_min', at),
      highestHeartRate: dailyOf('heart_rate_max', at),
      steps: dailyOf('steps', at),
      sleep: sleep.sessions.filter(isOfDay).map(toSleep(timezones)).toSorted(byStart),
      workouts: workouts.sessions.filter(isOfDay).map(toWorkout(timezones)).toSorted(byStart),
      scores: Object.fromEntries(scoreTypes.map((type) => [type, dailyOf(type, at)])) as WeekDay['scores'],
    };
  });
  return {
    person: personOf(user),
    nowMinute: minutesFromMidnight(nowMs, today, timezones),
    days,
    latest: current.scores,
  };
}

function personOf(user: UserDetail): WeekPerson {
  const { id, referenceId, daysAhead, scoreStatus, devices, sandbox } = user;
  const providers = [...new Set(devices.map(({ provider }) => provider))];
  return {
    id,
    referenceId,
    daysAhead,
    scoreStatus,
    archetype: sandbox?.archetype ?? 'none',
    timezone: user.timezone ?? 'UTC',
    providers,
  };
}

/** The mean of each interval per day. When the clock is set back, two intervals share a slot. */
async function readHeartRate(
  ctx: Context,
  tenant: Tenant,
  userId: string,
  range: DayRange,
  timezones: Timezones,
): Promise<(number | null)[][]> {
  const stretchMs = stretchMinutes * minuteMs;
  const { pieces } = await readTimeseries(ctx, tenant, userId, [heartRate], range, stretchMs);
  const perDay = (24 * 60) / stretchMinutes;
  const valuesBySlot = Array.from({ length: range.to - range.from + 1 }, () =>
    Array.from({ length: perDay }, (): number[] => []),
  );
  for await (const series of pieces())
    for (const { points } of series)
      for (const [at, timeMs] of points.timesMs.entries()) {
        const day = dayOf(timeMs, timezones);
        const place = Math.floor(minutesFromMidnight(timeMs, day, timezones) / stretchMinutes);
        valuesBySlot[day - range.from]![place]?.push(fromMicros(points.micros[at]!));
      }
  return valuesBySlot.map((stretches) => stretches.map(meanOf));
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function toSleep(timezones: Timezones): (session: SleepRow) => WeekSleep {
  return ({ day, startMs, endMs, isMain, content }) => ({
    startMinute: minutesFromMidnight(startMs, day, timezones),
    endMinute: minutesFromMidnight(endMs, day, timezones),
    isMain,
    asleepMinutes: content.asleepMinutes,
    efficiencyPercent: content.efficiencyPercent,
  });
}

function toWorkout(timezones: Timezones): (workout: WorkoutRow) => WeekWorkout {
  return ({ day, startMs, endMs, content, strainTenths }) => ({
    startMinute: minutesFromMidnight(startMs, day, timezones),
    sport: content.sport,
    durationMinutes: figuresOf({ startMs, endMs, ...content }).durationMinutes,
    strain: strainTenths === null ? null : strainTenths / 10,
  });
}

function byStart(a: { startMinute: number }, b: { startMinute: number }): number {
  return a.startMinute - b.startMinute;
}
