import { Type, type Static } from 'typebox';
import { Source } from './daily.ts';
import { CalendarDate, ClockTime, Component, Nullable, RefTo, Timestamp } from './schema.ts';
import { exampleSessionSource } from './sleep.ts';

const Id = Type.String({ description: 'Workout identifier' });
const Sport = Type.String({ description: 'One of a closed list of sports; `other` for the rest' });
const Duration = Type.Integer({ description: 'Minutes, as the source tells it, else from start to end' });
const measured = (description: string) =>
  Nullable(Type.Number({ description: `${description}; null when unknown` }));
const ZoneMinutes = Type.Number({ description: 'Minutes' });

/** Minutes by zone of the heart rate. */
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
        'Minutes at 50–60, 60–70, 70–80, 80–90 % and from 90 % of the maximum heart rate; null without a trace of the heart rate',
    },
  ),
);

export const WorkoutSession = Component(
  'WorkoutSession',
  Type.Object(
    {
      id: Id,
      date: Type.String({ format: 'date', description: 'The day it counts toward: the one it starts on' }),
      sport_type: Sport,
      start: Timestamp,
      end: Timestamp,
      duration: Duration,
      distance: measured('km or mi'),
      active_calories: measured('kcal'),
      heart_rate_avg: measured('bpm'),
      heart_rate_max: measured('bpm'),
      heart_rate_zones: ZoneTimes,
      elevation_gain: measured('m or ft'),
      source: Type.Optional(RefTo(Source)),
    },
    { description: 'Form 1: a workout; `source` with `include_sources=true`' },
  ),
);

const PageMeta = Type.Object(
  {
    page: Type.Integer({ description: 'The number of this page, from 1' }),
    per_page: Type.Integer({ description: 'The most workouts a page has' }),
    total: Type.Integer({ description: 'The exact number of workouts in the range, over all pages' }),
  },
  { title: 'PageMeta', description: 'Where this page stands' },
);

export const WorkoutPage = Component(
  'WorkoutPage',
  Type.Object(
    { data: Type.Array(RefTo(WorkoutSession)), meta: PageMeta },
    { description: 'Form 1: a numbered page of workouts, newest first' },
  ),
);

const listItemFields = {
  id: Id,
  type: Sport,
  start_time: ClockTime,
  duration_minutes: Duration,
  calories: measured('Active energy, kcal'),
  distance_km: measured('km'),
  source: Type.String({ description: 'Provider identifier' }),
  avg_heart_rate: measured('bpm'),
  max_heart_rate: measured('bpm'),
  strain: measured('How hard it was for the heart, 0 to 100'),
};

export const WorkoutListItem = Component(
  'WorkoutListItem',
  Type.Object(
    { ...listItemFields, source_detail: Type.Optional(RefTo(Source)) },
    { description: 'Form 2: a workout; `source_detail` with `include_sources=true`' },
  ),
);

export const WorkoutList = Component(
  'WorkoutList',
  Type.Object(
    {
      from_date: CalendarDate,
      to_date: CalendarDate,
      data: Type.Array(RefTo(WorkoutListItem)),
      next_cursor: Nullable(Type.String({ description: 'Send it back as `cursor`; null ends the list' })),
    },
    { description: 'Form 2: a stretch of the list of workouts, newest first' },
  ),
);

const HeartRateZone = Type.Object(
  {
    zone: Type.Integer({ minimum: 1, maximum: 5 }),
    minutes: ZoneMinutes,
    min_bpm: Type.Integer({ description: 'Where the zone begins' }),
    max_bpm: Nullable(Type.Integer({ description: 'Where the next one begins; null for zone 5' })),
  },
  { title: 'HeartRateZone', description: 'A band of the heart rate, a tenth of the maximum wide' },
);

const HeartRateSample = Type.Object(
  { timestamp: ClockTime, bpm: Type.Integer({ description: 'The mean of the readings of this step' }) },
  { title: 'HeartRateSample', description: 'One step of the trace, named by its beginning' },
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
          'Steps of 15 seconds up to an hour of workout, of 30 up to three hours, of 60 beyond; those without a reading are left out',
      }),
    },
    { description: 'The trace of the heart rate' },
  ),
);

export const WorkoutDetail = Component(
  'WorkoutDetail',
  Type.Object(
    {
      ...listItemFields,
      end_time: ClockTime,
      name: Nullable(Type.String({ description: 'What the person or the source calls it' })),
      metrics: Type.Object(
        {
          elevation_meters: measured('Ascent, m'),
          steps: measured('count'),
          avg_speed_kmh: measured('km/h'),
          avg_pace_seconds_per_km: measured('s/km'),
          avg_mets: measured('MET'),
          weather_temperature_c: measured('°C'),
          weather_humidity_pct: measured('%'),
          swimming_stroke_count: measured('count'),
          swimming_lap_length_m: measured('m'),
        },
        { title: 'WorkoutMetrics', description: 'Further measurements' },
      ),
      heart_rate: Type.Union([RefTo(WorkoutHeartRate), Type.Null()], {
        description: 'Null without a trace of the heart rate',
      }),
    },
    { description: 'A workout with all that is known of it' },
  ),
);

export type WorkoutSessionWire = Static<typeof WorkoutSession>;
export type WorkoutListItemWire = Static<typeof WorkoutListItem>;
export type WorkoutDetailWire = Static<typeof WorkoutDetail>;

/** What the list of workouts is in each form. */
export const workoutListAnswer = { form1: RefTo(WorkoutPage), form2: RefTo(WorkoutList) };

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
