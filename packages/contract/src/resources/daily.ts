import { Type, type Static } from 'typebox';
import { CalendarDate, Component, Nullable, RefTo, Words } from '../openapi/schema.ts';

/** The device that a value came from. */
export const Source = Component(
  'Source',
  Type.Object(
    {
      provider: Type.String({ description: 'Provider identifier.' }),
      device_id: Type.String({ description: 'Device identifier.' }),
      original_value: Nullable(
        Type.Number({ description: 'The value as the device reported it, in `original_unit`.' }),
      ),
      original_unit: Nullable(Type.String({ description: 'The unit the device reported the value in.' })),
      coverage: Type.Optional(
        Nullable(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description:
              'The share of the day that the device observed for this metric. Only in daily values. Null if the value comes from sleep sessions or workouts.',
          }),
        ),
      ),
    },
    {
      description:
        'The device a value came from. For `avg`, `sum` and `merge`, the best-ranked device that contributed.',
    },
  ),
);

/** Why a day has no value. */
export const missingReasons = [
  'not_reported',
  'unsupported',
  'no_device',
  'not_synced_yet',
  'excluded',
  'implausible',
] as const;
export type MissingReason = (typeof missingReasons)[number];

export const DailyRow = Component(
  'DailyRow',
  Type.Object(
    {
      date: CalendarDate,
      metric: Type.String({ description: 'Metric ID.' }),
      value: Nullable(
        Type.Number({ description: 'Null only with `include_missing=true`, if the day has no data.' }),
      ),
      unit: Type.String({ description: 'The unit of the value.' }),
      reason: Type.Optional(
        Words(missingReasons, {
          description: 'Only with `include_missing=true`, on rows without a value: the reason it is missing.',
        }),
      ),
      source: Type.Optional(
        Type.Unsafe<Static<typeof Source> | null>({
          anyOf: [RefTo(Source), { type: 'null' }],
          description: 'Only with `include_sources=true`. Null for derived and missing values.',
        }),
      ),
      contributors: Type.Optional(
        Type.Array(RefTo(Source), {
          description:
            'Only with `include_sources=true` and if several devices contributed. Best-ranked first.',
        }),
      ),
    },
    { description: 'One metric on one day.' },
  ),
);

export const DailyRows = Component(
  'DailyRows',
  Type.Object(
    { data: Type.Array(RefTo(DailyRow)) },
    {
      description:
        'Form 1: one row per day and metric that has a value, ordered by date, then metric. `include_missing=true` adds the others.',
    },
  ),
);

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
      dates: Type.Array(CalendarDate, { description: 'Every day of the range. No day is omitted.' }),
      series: ofMetrics<number | null>(
        { type: ['number', 'null'] },
        'Metric ID → values in the order of `dates`. Null where there is no data.',
      ),
      units: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Metric ID → unit of its values.',
      }),
      sources: Type.Optional(
        ofMetrics<Static<typeof Source> | null>(
          { anyOf: [RefTo(Source), { type: 'null' }] },
          'Only with `include_sources=true`. Metric ID → sources in the order of `dates`. Null for derived and missing values.',
        ),
      ),
      contributors: Type.Optional(
        ofMetrics<Static<typeof Source>[] | null>(
          { anyOf: [{ type: 'array', items: RefTo(Source) }, { type: 'null' }] },
          'Only with `include_sources=true`, for metrics that have a value with several contributors.',
        ),
      ),
      reasons: Type.Optional(
        ofMetrics<MissingReason | null>(
          { anyOf: [Words(missingReasons), { type: 'null' }] },
          'Only with `include_reasons=true`. Metric ID → the reason a value is missing, in the order of `dates`. Null where there is a value.',
        ),
      ),
    },
    { description: 'Form 2: one column per metric.' },
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
