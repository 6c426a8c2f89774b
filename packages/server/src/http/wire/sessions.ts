import type {
  SleepListItemWire,
  SleepSessionWire,
  SourceWire,
  WorkoutDetailWire,
  WorkoutListItemWire,
  WorkoutSessionWire,
} from '@tributary/contract';
import {
  clockTime,
  figuresOf,
  findMetric,
  formatDay,
  minuteMs,
  roundTo,
  toImperial,
  type Timezones,
} from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { WorkoutInDetail } from '../../services/workouts/get-workout.ts';
import type { ZonedWorkout } from '../../services/workouts/list-workouts-by-page.ts';
import type { SleepRow, WorkoutRow } from '../../store/reads/sessions.ts';

type UnitSystem = 'metric' | 'imperial';

/** Options for sessions in Form 1. */
export interface Form1View {
  units: UnitSystem;
  includeSources: boolean;
}

/** Options for sessions in Form 2. */
export interface Form2View {
  timezones: Timezones;
  includeSources: boolean;
}

/** Maps internal names to wire names, and exact values to displayed ones. */
export function toSleepSessionWire(
  session: SleepRow,
  { units, includeSources }: Form1View,
): SleepSessionWire {
  const { content } = session;
  const vital = (id: string): number | null => shown(id, content.vitals[id], units);
  const { deepMinutes: deep, remMinutes: rem } = content;
  return {
    id: formatId('slp', session.id),
    date: formatDay(session.day),
    start: timestamp(session.startMs),
    end: timestamp(session.endMs),
    asleep: shown('asleep', content.asleepMinutes),
    time_awake: shown('time_awake', content.awakeMinutes),
    light_sleep: shown('light_sleep', content.lightMinutes),
    deep_sleep: shown('deep_sleep', deep),
    REM: shown('REM', rem),
    restorative_sleep: shown('restorative_sleep', deep === null || rem === null ? null : deep + rem),
    time_in_bed: shown('time_in_bed', content.inBedMinutes),
    sleep_efficiency: shown('sleep_efficiency', content.efficiencyPercent),
    sleep_heart_rate: vital('sleep_heart_rate'),
    sleep_heart_rate_variability: vital('sleep_heart_rate_variability'),
    sleep_respiratory_rate: vital('sleep_respiratory_rate'),
    sleep_blood_oxygen: vital('sleep_blood_oxygen'),
    sleep_body_temperature: vital('sleep_body_temperature'),
    sleep_skin_temperature: vital('sleep_skin_temperature'),
    sleep_wrist_temperature: vital('sleep_wrist_temperature'),
    ...(includeSources ? { source: toSourceWire(session) } : {}),
  };
}

export function toSleepListItemWire(
  session: SleepRow,
  { timezones, includeSources }: Form2View,
): SleepListItemWire {
  const { content, startMs, endMs } = session;
  return {
    id: formatId('slp', session.id),
    date: formatDay(session.day),
    start_time: clockTime(startMs, timezones),
    end_time: clockTime(endMs, timezones),
    duration_minutes: roundTo((endMs - startMs) / minuteMs, 0),
    is_main_sleep: session.isMain,
    source: session.provider,
    asleep_minutes: shown('asleep', content.asleepMinutes),
    deep_minutes: shown('deep_sleep', content.deepMinutes),
    light_minutes: shown('light_sleep', content.lightMinutes),
    rem_minutes: shown('REM', content.remMinutes),
    awake_minutes: shown('time_awake', content.awakeMinutes),
    in_bed_minutes: shown('time_in_bed', content.inBedMinutes),
    efficiency_pct: shown('sleep_efficiency', content.efficiencyPercent),
    ...(includeSources ? { source_detail: toSourceWire(session) } : {}),
  };
}

export function toWorkoutSessionWire(
  workout: ZonedWorkout,
  { units, includeSources }: Form1View,
): WorkoutSessionWire {
  const { content, zones } = workout;
  const { durationMinutes, averageHeartRate, maxHeartRate } = figuresOf({ ...workout, ...content });
  return {
    id: formatId('wko', workout.id),
    date: formatDay(workout.day),
    sport_type: content.sport,
    start: timestamp(workout.startMs),
    end: timestamp(workout.endMs),
    duration: roundTo(durationMinutes, 0),
    distance: shown('distance', content.values['distance'], units),
    active_calories: shown('active_calories', content.values['active_calories']),
    heart_rate_avg: shown('heart_rate_avg', averageHeartRate),
    heart_rate_max: shown('heart_rate_max', maxHeartRate),
    heart_rate_zones: zones && toZoneTimes(zones),
    // Meters in both unit systems: nothing in the object names another unit.
    elevation_gain: shown('elevation_gain', content.values['elevation_gain']),
    ...(includeSources ? { source: toSourceWire(workout) } : {}),
  };
}

export function toWorkoutListItemWire(
  workout: WorkoutRow,
  { timezones, includeSources }: Form2View,
): WorkoutListItemWire {
  const { content } = workout;
  const { durationMinutes, averageHeartRate, maxHeartRate } = figuresOf({ ...workout, ...content });
  return {
    id: formatId('wko', workout.id),
    type: content.sport,
    start_time: clockTime(workout.startMs, timezones),
    duration_minutes: roundTo(durationMinutes, 0),
    calories: shown('active_calories', content.values['active_calories']),
    distance_km: shown('distance', content.values['distance']),
    source: workout.provider,
    avg_heart_rate: shown('heart_rate_avg', averageHeartRate),
    max_heart_rate: shown('heart_rate_max', maxHeartRate),
    strain: workout.strainTenths === null ? null : workout.strainTenths / 10,
    ...(includeSources ? { source_detail: toSourceWire(workout) } : {}),
  };
}

export function toWorkoutDetailWire(workout: WorkoutInDetail, timezones: Timezones): WorkoutDetailWire {
  const { content } = workout;
  const { speedKmh, paceSecondsPerKm } = figuresOf({ ...workout, ...content });
  const value = (id: string): number | null => shown(id, content.values[id]);
  return {
    ...toWorkoutListItemWire(workout, { timezones, includeSources: false }),
    end_time: clockTime(workout.endMs, timezones),
    name: content.name,
    metrics: {
      elevation_meters: value('elevation_gain'),
      steps: value('steps'),
      avg_speed_kmh: shown('avg_speed_kmh', speedKmh),
      avg_pace_seconds_per_km: shown('avg_pace_seconds_per_km', paceSecondsPerKm),
      avg_mets: value('avg_mets'),
      weather_temperature_c: value('weather_temperature_c'),
      weather_humidity_pct: value('weather_humidity_pct'),
      swimming_stroke_count: value('swimming_stroke_count'),
      swimming_lap_length_m: value('swimming_lap_length_m'),
    },
    heart_rate: toHeartRateWire(workout, timezones),
  };
}

function toHeartRateWire(workout: WorkoutInDetail, timezones: Timezones): WorkoutDetailWire['heart_rate'] {
  const { content, startMs, zones, buckets } = workout;
  const { averageHeartRate, maxHeartRate } = figuresOf({ ...workout, ...content });
  if (!zones || averageHeartRate === null || maxHeartRate === null) return null;
  return {
    avg_bpm: roundTo(averageHeartRate, 0),
    max_bpm: roundTo(maxHeartRate, 0),
    zones: zones.map(({ zone, minutes, minBpm, maxBpm }) => ({
      zone,
      minutes: shown(`zone_${zone}`, minutes)!,
      min_bpm: roundTo(minBpm, 0),
      max_bpm: maxBpm === null ? null : roundTo(maxBpm, 0),
    })),
    samples: buckets.map(({ offsetMs, bpm }) => ({
      timestamp: clockTime(startMs + offsetMs, timezones),
      bpm: roundTo(bpm, 0),
    })),
  };
}

type ZoneTimes = NonNullable<WorkoutSessionWire['heart_rate_zones']>;

function toZoneTimes(zones: NonNullable<ZonedWorkout['zones']>): ZoneTimes {
  const times = zones.map(({ zone, minutes }) => [`zone_${zone}`, shown(`zone_${zone}`, minutes)]);
  return Object.fromEntries(times) as ZoneTimes;
}

function toSourceWire({ provider, deviceId }: { provider: string; deviceId: string }): SourceWire {
  return { provider, device_id: formatId('dev', deviceId), original_value: null, original_unit: null };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** A displayed value, with the decimals of its metric; null when missing. */
function shown(
  metricId: string,
  value: number | null | undefined,
  units: UnitSystem = 'metric',
): number | null {
  if (value === null || value === undefined) return null;
  const metric = findMetric(metricId)!;
  if (units === 'metric') return roundTo(value, metric.precision);
  return roundTo(toImperial(metric, value), metric.imperial.precision);
}
