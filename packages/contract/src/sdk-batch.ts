import { Type, type Static } from 'typebox';
import { CalendarDate, Component, RefTo, textRule, Timestamp, Words } from './schema.ts';

/** What a device is, for ranking it. */
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

/** Health stores of phones, which reach Tributary through the Mobile SDK. */
export const onDeviceProviders = ['apple_health', 'health_connect', 'samsung_health'] as const;

/** Bounds of one upload. */
export const batchLimits = { bytes: 8 * 1024 * 1024, values: 20_000 } as const;

const Id = Type.String({
  minLength: 1,
  maxLength: 255,
  format: 'text',
  description: `The source's own id. ${textRule}`,
});
const ShortText = Type.String({ maxLength: 255, format: 'text' });
const Metric = Type.String({ minLength: 1, maxLength: 64, description: 'A metric of the data catalog' });
const Unit = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Any unit that can be converted to the catalog’s; absent: the catalog’s',
});
const UtcOffset = Type.String({
  pattern: '^[+-](0\\d|1[0-4]):[0-5]\\d$',
  description: 'The offset of the source’s clock, kept for provenance: `+02:00`',
});
const Seconds = Type.Number({ minimum: 0.001, maximum: 86_400 });
const Offsets = Type.Array(Type.Number({ minimum: 0, maximum: 31_622_400 }), {
  maxItems: batchLimits.values,
  description: 'Seconds from `start`, one for each value',
});
const Values = Type.Array(Type.Number(), { minItems: 1, maxItems: batchLimits.values });

const BatchDevice = Type.Object(
  {
    provider: Words(onDeviceProviders),
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      format: 'text',
      description: 'Stable for as long as the device lives',
    }),
    kind: Words(deviceKinds),
    model: Type.Optional(ShortText),
    name: Type.Optional(ShortText),
  },
  { description: 'The device that measured; one upload speaks for one device' },
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
      'Many readings of one metric as columns: every `interval_seconds`, or at `offsets_seconds` from the start',
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
  { description: 'One reading, or one interval; with an `id` it can be deleted later' },
);

const DayTotal = Type.Object(
  { metric: Metric, date: CalendarDate, value: Type.Number(), unit: Type.Optional(Unit) },
  { description: 'The platform’s own value of a day; it wins over the same device’s samples of that day' },
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
    description: 'One sleep session; `minutes` as the source counts them win over what its stages add up to',
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
  { description: 'One workout, with its own totals and, where there is one, its trace of the heart rate' },
);

const Deletion = Type.Object(
  { kind: Words(['record', 'sleep', 'workout']), id: Id },
  { description: 'Takes back what this device said before under this id; data created later restore it' },
);

export const Batch = Component(
  'Batch',
  Type.Object(
    {
      batch_id: Type.String({
        format: 'uuid',
        description: 'Made by the client: the same id and body again changes nothing',
      }),
      created_at: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: 'When the data were gathered, by the phone’s clock',
        }),
      ),
      sent_at: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: 'The phone’s clock at sending, to correct `created_at` by',
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
      description: `One upload of one device: at most ${batchLimits.bytes / 1024 / 1024} MiB unpacked and ${batchLimits.values} values`,
    },
  ),
);
export type BatchWire = Static<typeof Batch>;

export const BatchAccepted = Component(
  'BatchAccepted',
  Type.Object(
    { batch_id: Type.String({ format: 'uuid' }) },
    { description: 'Committed: nothing can lose it any more' },
  ),
);

/** The lists of an upload, in the order in which they are read. */
export const batchLists = ['series', 'records', 'daily', 'sleep', 'workouts', 'deletions'] as const;
export type BatchList = (typeof batchLists)[number];

/** Why a part of an upload was refused, while the rest was taken. */
export const rejectionCodes = [
  'unknown_metric',
  'not_accepted',
  'unknown_unit',
  'out_of_range',
  'rate_too_high',
  'out_of_scope',
  'invalid_time',
  'invalid_series',
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

export const BatchRejection = Component(
  'BatchRejection',
  Type.Object(
    {
      list: Words(batchLists, { description: 'The list of the upload in which it stands' }),
      index: Type.Integer({ description: 'Its place in that list' }),
      position: Type.Optional(
        Type.Integer({ description: 'In a series: the place of the first refused value' }),
      ),
      count: Type.Integer({ description: 'How many values were refused here' }),
      code: Words(rejectionCodes),
      message: Type.String(),
    },
    { description: 'A part of the upload that was refused' },
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
          '`accepted` until its data are in the answers; `failed` ones wait for an operator, nothing of them is lost',
      }),
      counts: Type.Object({ new: Count, updated: Count, duplicate: Count, rejected: Count, deleted: Count }),
      rejected: Type.Array(RefTo(BatchRejection), { description: 'The first hundred' }),
    },
    { description: 'What became of an upload' },
  ),
);
export type BatchReceiptWire = Static<typeof BatchReceipt>;
export type BatchRejectionWire = Static<typeof BatchRejection>;

export const exampleBatch = {
  batch_id: '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10',
  created_at: '2026-03-02T07:14:30Z',
  sent_at: '2026-03-02T07:14:31Z',
  device: { provider: 'apple_health', id: 'watch-81c2', kind: 'watch', model: 'Watch 9' },
  series: [
    {
      metric: 'heart_rate',
      start: '2026-03-02T07:00:00Z',
      interval_seconds: 5,
      values: [61, 62, 62, 63],
      utc_offset: '+01:00',
    },
  ],
  records: [{ metric: 'weight', start: '2026-03-02T06:40:00Z', value: 160.2, unit: 'lb', id: 'scale-17' }],
  daily: [{ metric: 'steps', date: '2026-03-01', value: 8420 }],
} satisfies BatchWire;

export const exampleBatchReceipt: BatchReceiptWire = {
  batch_id: exampleBatch.batch_id,
  status: 'processed',
  counts: { new: 5, updated: 0, duplicate: 0, rejected: 1, deleted: 0 },
  rejected: [
    {
      list: 'series',
      index: 0,
      position: 3,
      count: 1,
      code: 'out_of_range',
      message: 'The value is outside of what is plausible for this metric.',
    },
  ],
};
