import { Type, type Static } from 'typebox';
import { Source } from './daily.ts';
import { CalendarDate, ClockTime, Component, Nullable, RefTo, Timestamp } from '../openapi/schema.ts';
import { exampleSessionSource } from './sleep.ts';

const Id = Type.String({ description: 'Workout identifier.' });
const Sport = Type.String({ description: 'One of a closed list of sports. `other` for the rest.' });
const Duration = Type.Integer({
  description: 'Minutes as reported by the source, otherwise from start to end.',
});
const measured = (description: string) =>
  Nullable(Type.Number({ description: `${description}. Null when unknown.` }));
const ZoneMinutes = Type.Number({ description: 'Minutes in the zone.' });

/** Minutes per heart rate zone. */
const ZoneTimes = Nullable(
  Type.Object(
    {
      zone_1: ZoneMinutes,
      zone_2: ZoneMinutes,
      zone_3: ZoneMinutes,
      zone_4: ZoneMinutes,
      zone_5: ZoneMinutes,
    },
    {
      description:
        'Minutes at 50–60, 60–70, 70–80, 80–90 % and from 90 % of the maximum heart rate. Null without a heart rate trace.',
    },
  ),
);

export const WorkoutSession = Component(
  'WorkoutSession',
  Type.Object(
    {
      id: Id,
      date: Type.String({ format: 'date', description: 'The day it counts toward: the day it starts.' }),
      sport_type: Sport,
      start: Timestamp,
      end: Timestamp,
      duration: Duration,
      distance: measured('Distance in km or mi'),
      active_calories: measured('Active energy in kcal'),
      heart_rate_avg: measured('Average heart rate in bpm'),
      heart_rate_max: measured('Maximum heart rate in bpm'),
      heart_rate_zones: ZoneTimes,
      elevation_gain: measured('Elevation gain in m, also with `unit_system=imperial`'),
      source: Type.Optional(RefTo(Source)),
    },
    { description: 'Form 1: a workout. `source` only with `include_sources=true`.' },
  ),
);

const PageMeta = Type.Object(
  {
    page: Type.Integer({ description: 'The number of this page, starting at 1.' }),
    per_page: Type.Integer({ description: 'The maximum number of workouts per page.' }),
    total: Type.Integer({ description: 'The exact number of workouts in the range, on all pages.' }),
  },
  { title: 'PageMeta', description: 'The position of this page.' },
);

export const WorkoutPage = Component(
  'WorkoutPage',
  Type.Object(
    { data: Type.Array(RefTo(WorkoutSession)), meta: PageMeta },
    { description: 'Form 1: a numbered page of workouts, newest first.' },
  ),
);

const listItemFields = {
  id: Id,
  type: Sport,
  start_time: ClockTime,
  duration_minutes: Duration,
  calories: measured('Active energy in kcal'),
  distance_km: measured('Distance in km'),
  source: Type.String({ description: 'Provider identifier.' }),
  avg_heart_rate: measured('Average heart rate in bpm'),
  max_heart_rate: measured('Maximum heart rate in bpm'),
  strain: measured('Cardiovascular strain, 0 to 100'),
};

export const WorkoutListItem = Component(
  'WorkoutListItem',
  Type.Object(
    { ...listItemFields, source_detail: Type.Optional(RefTo(Source)) },
    { description: 'Form 2: a workout. `source_detail` only with `include_sources=true`.' },
  ),
);

export const WorkoutList = Component(
  'WorkoutList',
  Type.Object(
    {
      from_date: CalendarDate,
      to_date: CalendarDate,
      data: Type.Array(RefTo(WorkoutListItem)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'Form 2: a page of workouts, newest first.' },
  ),
);

const HeartRateZone = Type.Object(
  {
    zone: Type.Integer({ minimum: 1, maximum: 5 }),
    minutes: ZoneMinutes,
    min_bpm: Type.Integer({ description: 'The lower bound of the zone.' }),
    max_bpm: Nullable(Type.Integer({ description: 'The lower bound of the next zone. Null for zone 5.' })),
  },
  { title: 'HeartRateZone', description: 'A heart rate zone. It covers a tenth of the maximum heart rate.' },
);

const HeartRateSample = Type.Object(
  { timestamp: ClockTime, bpm: Type.Integer({ description: 'The mean of the readings in this interval.' }) },
  { title: 'HeartRateSample', description: 'One interval of the trace, identified by its start.' },
);

export const WorkoutHeartRate = Component(
  'WorkoutHeartRate',
  Type.Object(
    {
      avg_bpm: Type.Integer(),
      max_bpm: Type.Integer(),
      zones: Type.Array(HeartRateZone),
      samples: Type.Array(HeartRateSample, {
        description:
          'Intervals of 15 seconds for workouts up to one hour, 30 seconds up to three hours, and 60 seconds for longer ones. Intervals without a reading are omitted.',
      }),
    },
    { description: 'The heart rate trace.' },
  ),
);

export const WorkoutDetail = Component(
  'WorkoutDetail',
  Type.Object(
    {
      ...listItemFields,
      end_time: ClockTime,
      name: Nullable(Type.String({ description: 'The name given by the user or the source.' })),
      metrics: Type.Object(
        {
          elevation_meters: measured('Ascent in m'),
          steps: measured('Number of steps'),
          avg_speed_kmh: measured('Average speed in km/h'),
          avg_pace_seconds_per_km: measured('Average pace in seconds per km'),
          avg_mets: measured('Average metabolic equivalent (MET)'),
          weather_temperature_c: measured('Air temperature in °C'),
          weather_humidity_pct: measured('Relative humidity in %'),
          swimming_stroke_count: measured('Number of strokes'),
          swimming_lap_length_m: measured('Lap length in m'),
        },
        { title: 'WorkoutMetrics', description: 'Additional measurements.' },
      ),
      heart_rate: Type.Union([RefTo(WorkoutHeartRate), Type.Null()], {
        description: 'Null without a heart rate trace.',
      }),
    },
    { description: 'A workout with all available data.' },
  ),
);

export type WorkoutSessionWire = Static<typeof WorkoutSession>;
export type WorkoutListItemWire = Static<typeof WorkoutListItem>;
export type WorkoutDetailWire = Static<typeof WorkoutDetail>;

/** Response schemas of the workout list. */
export const workoutListResponse = { form1: RefTo(WorkoutPage), form2: RefTo(WorkoutList) };

export const exampleWorkoutSession: WorkoutSessionWire = {
  id: 'wko_2r5m8e0c7sh6t9xk1j4n6p8qva',
  date: '2026-03-01',
  sport_type: 'running',
  start: '2026-03-01T16:05:00.000Z',
  end: '2026-03-01T16:47:30.000Z',
  duration: 42,
  distance: 7.84,
  active_calories: 512,
  heart_rate_avg: 148,
  heart_rate_max: 171,
  heart_rate_zones: { zone_1: 1.5, zone_2: 4.2, zone_3: 17.8, zone_4: 16.9, zone_5: 1.4 },
  elevation_gain: 96,
  source: exampleSessionSource,
};

const exampleListFields = {
  id: 'wko_2r5m8e0c7sh6t9xk1j4n6p8qva',
  type: 'running',
  start_time: '2026-03-01T17:05:00',
  duration_minutes: 42,
  calories: 512,
  distance_km: 7.84,
  source: 'apple_health',
  avg_heart_rate: 148,
  max_heart_rate: 171,
  strain: 52.4,
};

export const exampleWorkoutListItem: WorkoutListItemWire = {
  ...exampleListFields,
  source_detail: exampleSessionSource,
};

export const exampleWorkoutDetail: WorkoutDetailWire = {
  ...exampleListFields,
  end_time: '2026-03-01T17:47:30',
  name: 'Evening run',
  metrics: {
    elevation_meters: 96,
    steps: 6820,
    avg_speed_kmh: 11.1,
    avg_pace_seconds_per_km: 325,
    avg_mets: 10.4,
    weather_temperature_c: 8.5,
    weather_humidity_pct: 61,
    swimming_stroke_count: null,
    swimming_lap_length_m: null,
  },
  heart_rate: {
    avg_bpm: 148,
    max_bpm: 171,
    zones: [
      { zone: 1, minutes: 1.5, min_bpm: 94, max_bpm: 112 },
      { zone: 2, minutes: 4.2, min_bpm: 112, max_bpm: 131 },
      { zone: 3, minutes: 17.8, min_bpm: 131, max_bpm: 150 },
      { zone: 4, minutes: 16.9, min_bpm: 150, max_bpm: 168 },
      { zone: 5, minutes: 1.4, min_bpm: 168, max_bpm: null },
    ],
    samples: [
      { timestamp: '2026-03-01T17:05:00', bpm: 96 },
      { timestamp: '2026-03-01T17:05:15', bpm: 104 },
    ],
  },
};
