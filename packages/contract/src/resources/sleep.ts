import { Type, type Static } from 'typebox';
import { Source, type SourceWire } from './daily.ts';
import { CalendarDate, ClockTime, Component, Nullable, RefTo, Timestamp } from '../openapi/schema.ts';

const Id = Type.String({ description: 'Sleep session identifier.' });
const SleepDate = Type.String({
  format: 'date',
  description: 'The day it counts toward: the day it ends.',
});
const minutes = (description: string) =>
  Nullable(Type.Integer({ description: `${description}, in minutes. Null when unknown.` }));
const measured = (description: string) =>
  Nullable(Type.Number({ description: `${description}. Null when not reported.` }));

export const SleepSession = Component(
  'SleepSession',
  Type.Object(
    {
      id: Id,
      date: SleepDate,
      start: Timestamp,
      end: Timestamp,
      asleep: minutes('Time asleep'),
      time_awake: minutes('Time awake'),
      light_sleep: minutes('Light sleep'),
      deep_sleep: minutes('Deep sleep'),
      REM: minutes('REM sleep'),
      restorative_sleep: minutes('Deep and REM sleep combined'),
      time_in_bed: minutes('Time in bed'),
      sleep_efficiency: measured('100 × asleep ÷ in bed'),
      sleep_heart_rate: measured('Mean heart rate, bpm'),
      sleep_heart_rate_variability: measured('Mean heart rate variability (RMSSD), ms'),
      sleep_respiratory_rate: measured('Mean breaths per minute'),
      sleep_blood_oxygen: measured('Mean blood oxygen, %'),
      sleep_body_temperature: measured('Mean body temperature, °C or °F'),
      sleep_skin_temperature: measured('Mean skin temperature, °C or °F'),
      sleep_wrist_temperature: measured('Mean wrist temperature, °C or °F'),
      source: Type.Optional(RefTo(Source)),
    },
    { description: 'Form 1: a night or a nap. `source` only with `include_sources=true`.' },
  ),
);

export const SleepSessions = Component(
  'SleepSessions',
  Type.Object(
    { data: Type.Array(RefTo(SleepSession)) },
    { description: 'Form 1: all sleep sessions of a date range, newest first.' },
  ),
);

export const SleepListItem = Component(
  'SleepListItem',
  Type.Object(
    {
      id: Id,
      date: SleepDate,
      start_time: ClockTime,
      end_time: ClockTime,
      duration_minutes: Type.Integer({ description: 'From start to end.' }),
      is_main_sleep: Type.Boolean({
        description: 'True for the principal sleep of its day. False for naps and short fragments.',
      }),
      source: Type.String({ description: 'Provider identifier.' }),
      asleep_minutes: minutes('Time asleep'),
      deep_minutes: minutes('Deep sleep'),
      light_minutes: minutes('Light sleep'),
      rem_minutes: minutes('REM sleep'),
      awake_minutes: minutes('Time awake'),
      in_bed_minutes: minutes('Time in bed'),
      efficiency_pct: measured('100 × asleep ÷ in bed'),
      source_detail: Type.Optional(RefTo(Source)),
    },
    { description: 'Form 2: a night or a nap. `source_detail` only with `include_sources=true`.' },
  ),
);

export const SleepList = Component(
  'SleepList',
  Type.Object(
    {
      from_date: CalendarDate,
      to_date: CalendarDate,
      data: Type.Array(RefTo(SleepListItem)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'Form 2: a page of sleep sessions, newest first.' },
  ),
);

export type SleepSessionWire = Static<typeof SleepSession>;
export type SleepListItemWire = Static<typeof SleepListItem>;

/** Response schemas of the sleep list. */
export const sleepListResponse = { form1: RefTo(SleepSessions), form2: RefTo(SleepList) };

/** `original_…` fields are null for sessions, which have many values and units. */
export const exampleSessionSource: SourceWire = {
  provider: 'apple_health',
  device_id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta',
  original_value: null,
  original_unit: null,
};

export const exampleSleepSession: SleepSessionWire = {
  id: 'slp_6vq2e1c8mdh8v9xk2j3n5p7rsa',
  date: '2026-03-02',
  start: '2026-03-01T21:48:30.000Z',
  end: '2026-03-02T05:36:00.000Z',
  asleep: 426,
  time_awake: 42,
  light_sleep: 238,
  deep_sleep: 84,
  REM: 104,
  restorative_sleep: 188,
  time_in_bed: 468,
  sleep_efficiency: 91.1,
  sleep_heart_rate: 54,
  sleep_heart_rate_variability: 61.5,
  sleep_respiratory_rate: 14.2,
  sleep_blood_oxygen: 96.4,
  sleep_body_temperature: null,
  sleep_skin_temperature: 34.61,
  sleep_wrist_temperature: null,
  source: exampleSessionSource,
};

export const exampleSleepListItem: SleepListItemWire = {
  id: 'slp_6vq2e1c8mdh8v9xk2j3n5p7rsa',
  date: '2026-03-02',
  start_time: '2026-03-01T22:48:30',
  end_time: '2026-03-02T06:36:00',
  duration_minutes: 468,
  is_main_sleep: true,
  source: 'apple_health',
  asleep_minutes: 426,
  deep_minutes: 84,
  light_minutes: 238,
  rem_minutes: 104,
  awake_minutes: 42,
  in_bed_minutes: 468,
  efficiency_pct: 91.1,
  source_detail: exampleSessionSource,
};
