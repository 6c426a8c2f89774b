import { Type, type Static } from 'typebox';
import { CalendarDate, Component, RefTo, textRule, Timestamp, Words } from '../openapi/schema.ts';

/** Kinds of devices, which determine their rank. */
export const deviceKinds = [
  'ring',
  'watch',
  'band',
  'chest_strap',
  'headband',
  'bed_sensor',
  'scale',
  'cgm',
  'meter',
  'bike_computer',
  'phone',
  'food_app',
  'manual',
  'other',
] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** Health stores on phones, which send data through the Mobile SDK. */
export const onDeviceProviders = ['apple_health', 'health_connect', 'samsung_health'] as const;

/** Limits of one upload. Days are the different UTC days on which its items start. */
export const batchLimits = { bytes: 8 * 1024 * 1024, values: 20_000, days: 1_000 } as const;

const Id = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'text',
  description: `The source's own id. ${textRule}`,
});
const ShortText = Type.String({ maxLength: 255, format: 'text' });
const Metric = Type.String({ minLength: 1, maxLength: 64, description: 'A metric of the data catalog.' });
const Unit = Type.String({
  minLength: 1,
  maxLength: 32,
  description:
    'Any unit that can be converted to the catalog’s unit. Default: the catalog’s unit. Blood glucose has no default: without a unit, its values are accepted only if they are plausible in just one of mmol/L and mg/dL.',
});
const UtcOffset = Type.String({
  pattern: '^[+-](0\\d|1[0-4]):[0-5]\\d$',
  description: 'UTC offset of the source’s clock, such as `+02:00`. Stored for provenance.',
});
const Seconds = Type.Number({ minimum: 0.001, maximum: 86_400 });
const Offsets = Type.Array(Type.Number({ minimum: 0, maximum: 31_622_400 }), {
  maxItems: batchLimits.values,
  description: 'Seconds from `start`, one for each value.',
});
const Values = Type.Array(Type.Number(), { minItems: 1, maxItems: batchLimits.values });

const BatchDevice = Type.Object(
  {
    provider: Words(onDeviceProviders),
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      format: 'text',
      description: 'Stable for the lifetime of the device.',
    }),
    kind: Words(deviceKinds),
    model: Type.Optional(ShortText),
    name: Type.Optional(ShortText),
  },
  { description: 'The device that measured the data. An upload contains the data of one device.' },
);

const Series = Type.Object(
  {
    metric: Metric,
    start: Timestamp,
    interval_seconds: Type.Optional(Seconds),
    offsets_seconds: Type.Optional(Offsets),
    values: Values,
    unit: Type.Optional(Unit),
    utc_offset: Type.Optional(UtcOffset),
  },
  {
    description:
      'Many readings of one metric as columns: every `interval_seconds`, or at `offsets_seconds` from the start.',
  },
);

const Reading = Type.Object(
  {
    metric: Metric,
    start: Timestamp,
    end: Type.Optional(Timestamp),
    value: Type.Number(),
    unit: Type.Optional(Unit),
    utc_offset: Type.Optional(UtcOffset),
    id: Type.Optional(Id),
  },
  {
    description:
      'One reading or one interval. With an `id`, it can be deleted later. Sent again with the same `id`, it replaces the earlier one, even if its start moved.',
  },
);

const DayTotal = Type.Object(
  { metric: Metric, date: CalendarDate, value: Type.Number(), unit: Type.Optional(Unit) },
  {
    description:
      'The platform’s own value for a day. It takes precedence over the same device’s samples of that day.',
  },
);

const stageWords = ['awake', 'light', 'deep', 'rem', 'asleep', 'in_bed'] as const;
const Minutes = Type.Number({ minimum: 0, maximum: 2880 });

const SleepSession = Type.Object(
  {
    id: Id,
    start: Timestamp,
    end: Timestamp,
    utc_offset: Type.Optional(UtcOffset),
    stages: Type.Optional(
      Type.Array(Type.Object({ stage: Words(stageWords), start: Timestamp, end: Timestamp }), {
        maxItems: 5_000,
      }),
    ),
    minutes: Type.Optional(
      Type.Object({
        asleep: Type.Optional(Minutes),
        deep: Type.Optional(Minutes),
        light: Type.Optional(Minutes),
        rem: Type.Optional(Minutes),
        awake: Type.Optional(Minutes),
        in_bed: Type.Optional(Minutes),
      }),
    ),
    vitals: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number(), { maxProperties: 32 })),
  },
  {
    description:
      'One sleep session. `minutes` reported by the source take precedence over the sum of its stages.',
  },
);

const Workout = Type.Object(
  {
    id: Id,
    sport_type: Type.String({ minLength: 1, maxLength: 64 }),
    start: Timestamp,
    end: Timestamp,
    utc_offset: Type.Optional(UtcOffset),
    name: Type.Optional(ShortText),
    values: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Number(), { maxProperties: 64 })),
    heart_rate: Type.Optional(
      Type.Object({
        start: Timestamp,
        interval_seconds: Type.Optional(Seconds),
        offsets_seconds: Type.Optional(Offsets),
        values: Values,
      }),
    ),
  },
  { description: 'One workout, with its own totals and, if there is one, its heart rate trace.' },
);

const Deletion = Type.Object(
  { kind: Words(['record', 'sleep', 'workout']), id: Id },
  { description: 'Deletes what this device reported earlier under this id. Data created later restores it.' },
);

export const Batch = Component(
  'Batch',
  Type.Object(
    {
      batch_id: Type.String({
        format: 'uuid',
        description: 'Generated by the client. Sending the same id and body again changes nothing.',
      }),
      created_at: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: 'When the data was collected, by the phone’s clock.',
        }),
      ),
      sent_at: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: 'The phone’s clock when sending, used to correct `created_at`.',
        }),
      ),
      device: BatchDevice,
      series: Type.Optional(Type.Array(Series, { maxItems: 1_000 })),
      records: Type.Optional(Type.Array(Reading, { maxItems: batchLimits.values })),
      daily: Type.Optional(Type.Array(DayTotal, { maxItems: batchLimits.values })),
      sleep: Type.Optional(Type.Array(SleepSession, { maxItems: 500 })),
      workouts: Type.Optional(Type.Array(Workout, { maxItems: 500 })),
      deletions: Type.Optional(Type.Array(Deletion, { maxItems: batchLimits.values })),
    },
    {
      description: `One upload of one device: at most ${batchLimits.bytes / 1024 / 1024} MiB uncompressed, ${batchLimits.values} values, and items that start on ${batchLimits.days} different UTC days.`,
    },
  ),
);
export type BatchWire = Static<typeof Batch>;

export const BatchAccepted = Component(
  'BatchAccepted',
  Type.Object(
    { batch_id: Type.String({ format: 'uuid' }) },
    { description: 'The upload is committed and cannot be lost.' },
  ),
);

/** The lists of an upload, in the order in which they are processed. */
export const batchLists = ['series', 'records', 'daily', 'sleep', 'workouts', 'deletions'] as const;
export type BatchList = (typeof batchLists)[number];

/** Why part of an upload was rejected while the rest was accepted. */
export const rejectionCodes = [
  'unknown_metric',
  'not_accepted',
  'unknown_unit',
  'out_of_range',
  'rate_too_high',
  'ambiguous_unit',
  'inconsistent_pressure',
  'exceeds_session',
  'asleep_exceeds_in_bed',
  'out_of_scope',
  'invalid_time',
  'unset_clock',
  'invalid_series',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

export const BatchRejection = Component(
  'BatchRejection',
  Type.Object(
    {
      list: Words(batchLists, { description: 'The list of the upload that contains the rejected part.' }),
      index: Type.Integer({ description: 'Index in that list.' }),
      position: Type.Optional(
        Type.Integer({ description: 'For a series, the index of the first rejected value.' }),
      ),
      count: Type.Integer({ description: 'Number of rejected values.' }),
      code: Words(rejectionCodes),
      message: Type.String(),
    },
    { description: 'A rejected part of the upload.' },
  ),
);

const Count = Type.Integer({ minimum: 0 });

export const BatchReceipt = Component(
  'BatchReceipt',
  Type.Object(
    {
      batch_id: Type.String({ format: 'uuid' }),
      status: Words(['accepted', 'processed', 'failed'], {
        description:
          '`accepted` until its data appears in responses. `failed` uploads wait for an operator, and none of their data is lost.',
      }),
      counts: Type.Object({ new: Count, updated: Count, duplicate: Count, rejected: Count, deleted: Count }),
      rejected: Type.Array(RefTo(BatchRejection), { description: 'The first hundred rejections.' }),
    },
    { description: 'The result of an upload.' },
  ),
);
export type BatchReceiptWire = Static<typeof BatchReceipt>;
export type BatchRejectionWire = Static<typeof BatchRejection>;
