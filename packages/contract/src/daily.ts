import { Type, type Static } from 'typebox';
import { CalendarDate, Component, Nullable, RefTo, Words } from './schema.ts';

/** Which device a value is from. */
export const Source = Component(
  'Source',
  Type.Object(
    {
      provider: Type.String({ description: 'Provider identifier' }),
      device_id: Type.String({ description: 'Device identifier' }),
      original_value: Nullable(
        Type.Number({ description: 'The value of that device in the unit that it came in' }),
      ),
      original_unit: Nullable(Type.String({ description: 'The unit that the device told it in' })),
    },
    {
      description:
        'The device that a value is from; under `avg`, `sum` and `merge` the best-ranked of those that had a part',
    },
  ),
);

export const DailyRow = Component(
  'DailyRow',
  Type.Object(
    {
      date: CalendarDate,
      metric: Type.String({ description: 'Metric ID' }),
      value: Nullable(Type.Number({ description: 'Null when nothing is known of that day' })),
      unit: Type.String({ description: 'The unit of the value' }),
      source: Type.Optional(
        Type.Unsafe<Static<typeof Source> | null>({
          anyOf: [RefTo(Source), { type: 'null' }],
          description: 'With `include_sources=true`. Null for derived and missing values',
        }),
      ),
      contributors: Type.Optional(
        Type.Array(RefTo(Source), {
          description: 'With `include_sources=true`, where several devices had a part; the best-ranked first',
        }),
      ),
    },
    { description: 'One metric on one day' },
  ),
);

export const DailyRows = Component(
  'DailyRows',
  Type.Object(
    { data: Type.Array(RefTo(DailyRow)) },
    { description: 'Form 1: one row for every day and metric, by date, then metric' },
  ),
);

/** Why a day has no value. */
export const missingReasons = [
  'not_reported',
  'unsupported',
  'no_device',
  'not_synced_yet',
  'excluded',
] as const;
export type MissingReason = (typeof missingReasons)[number];

function ofMetrics<T>(items: object, description: string) {
  return Type.Unsafe<Record<string, T[]>>({
    type: 'object',
    additionalProperties: { type: 'array', items },
    description,
  });
}

export const DailyColumns = Component(
  'DailyColumns',
  Type.Object(
    {
      from_date: CalendarDate,
      to_date: CalendarDate,
      dates: Type.Array(CalendarDate, { description: 'Every day of the range; none is ever left out' }),
      series: ofMetrics<number | null>(
        { type: ['number', 'null'] },
        'Metric ID → values in the order of `dates`; null where nothing is known',
      ),
      units: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Metric ID → unit of its values',
      }),
      sources: Type.Optional(
        ofMetrics<Static<typeof Source> | null>(
          { anyOf: [RefTo(Source), { type: 'null' }] },
          'With `include_sources=true`. Metric ID → sources in the order of `dates`; null for derived and missing values',
        ),
      ),
      contributors: Type.Optional(
        ofMetrics<Static<typeof Source>[] | null>(
          { anyOf: [{ type: 'array', items: RefTo(Source) }, { type: 'null' }] },
          'With `include_sources=true`, for metrics of which some value has several contributors',
        ),
      ),
      reasons: Type.Optional(
        ofMetrics<MissingReason | null>(
          { anyOf: [Words(missingReasons), { type: 'null' }] },
          'With `include_reasons=true`. Metric ID → why a value is missing, in the order of `dates`; null where there is a value',
        ),
      ),
    },
    { description: 'Form 2: one column for each metric' },
  ),
);

export type SourceWire = Static<typeof Source>;

export const exampleRows = {
  data: [
    { date: '2026-03-01', metric: 'resting_heart_rate', value: 54, unit: 'bpm' },
    { date: '2026-03-01', metric: 'steps', value: 8412, unit: 'count' },
  ],
} satisfies Static<typeof DailyRows>;

export const exampleColumns = {
  from_date: '2026-03-01',
  to_date: '2026-03-02',
  dates: ['2026-03-01', '2026-03-02'],
  series: { steps: [8412, null], resting_heart_rate: [54, 55] },
  units: { steps: 'count', resting_heart_rate: 'bpm' },
} satisfies Static<typeof DailyColumns>;
