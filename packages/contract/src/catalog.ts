import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Words } from './openapi/schema.ts';

/** What each consolidation method does. Each text starts with a verb, because explanations put a subject before it. */
export const methodDescriptions = {
  priority:
    'Uses the value from the highest-ranked enabled device that observed at least half as much of the day as the one that observed most.',
  merge:
    'Merges intraday intervals over time. Each moment counts once, from the highest-ranked device that counted anything. The result is at least the largest total.',
  max: 'Uses the highest value of the enabled providers and devices.',
  avg: 'Averages the values of the enabled providers.',
  sum: 'Adds up the values of the enabled providers.',
} as const;

const categories = [
  'Activity',
  'Energy',
  'Body Composition',
  'Sleep',
  'Vitals',
  'Nutrition',
  'Reproductive Health',
  'Scores',
] as const;

/** A method in requests and responses. */
export const Method = Words(Object.keys(methodDescriptions) as (keyof typeof methodDescriptions)[]);

/** A category in responses. */
export const MetricCategory = Words(categories);

const setting = {
  key: Type.String({ description: 'The group key or metric ID that the method applies to' }),
  default_method: { ...Method, description: 'Method used unless the user overrides it' },
  allowed_methods: Type.Array(Method, { description: 'Methods that a user may choose' }),
};

export const ConsolidationEntry = Component(
  'ConsolidationEntry',
  Type.Object(
    {
      key: setting.key,
      display_name: Type.String({ description: 'Display name' }),
      category: { ...MetricCategory, description: 'Category in which to show the entry' },
      kind: Words(['metric', 'group'], {
        description: 'A `group` applies one setting to related daily metrics',
      }),
      default_method: setting.default_method,
      allowed_methods: setting.allowed_methods,
      members: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Groups only: IDs of the metrics that the setting applies to',
        }),
      ),
    },
    { description: 'A metric or group of metrics whose method can be set per user' },
  ),
);

export const ConsolidationCatalog = Component(
  'ConsolidationCatalog',
  Type.Object(
    {
      category_order: Type.Array(MetricCategory, {
        description: 'Categories in display order',
      }),
      methods: Type.Array(
        Type.Object(
          { method: Method, description: Type.String({ description: 'What the method does' }) },
          { title: 'ConsolidationMethod' },
        ),
        { description: 'All methods, with descriptions' },
      ),
      metrics: Type.Array(RefTo(ConsolidationEntry), {
        description: 'All settings, in the order of the categories',
      }),
    },
    { description: 'How values from several devices can be consolidated' },
  ),
);

const code = (description: string) => Nullable(Type.String({ description }));

export const CatalogMetric = Component(
  'CatalogMetric',
  Type.Object(
    {
      id: Type.String({ description: 'Metric ID used in all reads. Case-sensitive' }),
      display_name: Type.String({ description: 'Display name' }),
      category: { ...MetricCategory, description: 'Category of the metric' },
      description: Type.String({ description: 'What the metric measures' }),
      unit: Type.String({ description: 'Default unit of values' }),
      imperial_unit: Type.String({
        description: 'Unit with `unit_system=imperial`. Same as `unit` if there is no imperial unit',
      }),
      kind: Words(['daily_total', 'daily_average', 'daily_min', 'daily_max', 'latest', 'session', 'score'], {
        description:
          'What the daily value represents. `session` metrics belong to a workout and have no daily value',
      }),
      aggregation: Words(['sum', 'avg', 'min', 'max', 'last'], {
        description: 'How samples from one device become its daily value. `avg` is weighted by time',
      }),
      origin: Words(['measured', 'derived', 'score'], {
        description: '`measured` by devices, `derived` from canonical values, or a `score`',
      }),
      precision: Type.Integer({ minimum: 0, description: 'Number of decimals of values in `unit`' }),
      minimum: Type.Number({ description: 'Lowest plausible value, in `unit`' }),
      maximum: Type.Number({ description: 'Highest plausible value, in `unit`' }),
      maximum_per_minute: Nullable(
        Type.Number({
          description:
            'The largest plausible amount of one minute, in `unit`. Null if only `maximum` applies',
        }),
      ),
      levels: Nullable(
        Type.Array(
          Type.Object(
            {
              value: Type.Integer({ description: 'The number that represents the level in values' }),
              name: Type.String({ description: 'The level' }),
              healthkit: Nullable(Type.Integer({ description: 'Its value in Apple HealthKit' })),
              health_connect: Nullable(Type.Integer({ description: 'Its value in Android Health Connect' })),
            },
            { title: 'MetricLevel' },
          ),
          { description: 'The levels that a `code` represents, lowest first. Null for measured amounts' },
        ),
      ),
      timeseries: Type.Boolean({ description: 'Whether samples are available as a time series' }),
      consolidation: Nullable(
        Type.Object(setting, {
          title: 'MetricConsolidation',
          description:
            'Consolidation setting of the metric. Null for derived values, sessions and scores, which are not consolidated',
        }),
      ),
      codes: Type.Object(
        {
          loinc: code('LOINC code'),
          open_mhealth: code('Open mHealth or IEEE 1752 schema'),
          healthkit: code('Apple HealthKit type'),
          health_connect: code('Android Health Connect record'),
          ucum: Type.String({ description: 'UCUM unit code' }),
        },
        {
          title: 'MetricCodes',
          description: 'Codes of the metric in other systems. Null where a system has none',
        },
      ),
      form_1: Type.Array(Type.String(), { description: 'Endpoints that return it in Form 1' }),
      form_2: Type.Array(Type.String(), { description: 'Endpoints that return it in Form 2' }),
      form_2_field: Nullable(
        Type.String({ description: 'Field name in the sleep and workout responses of Form 2' }),
      ),
    },
    { description: 'One metric of the data catalog' },
  ),
);

export const MetricCatalog = Component(
  'MetricCatalog',
  Type.Object({ data: Type.Array(RefTo(CatalogMetric)) }, { description: 'The data catalog' }),
);

export type ConsolidationCatalogWire = Static<typeof ConsolidationCatalog>;
export type ConsolidationEntryWire = Static<typeof ConsolidationEntry>;
export type CatalogMetricWire = Static<typeof CatalogMetric>;
export type CatalogLevelWire = NonNullable<CatalogMetricWire['levels']>[number];

export const exampleConsolidationCatalog: ConsolidationCatalogWire = {
  category_order: [
    'Activity',
    'Energy',
    'Body Composition',
    'Sleep',
    'Vitals',
    'Nutrition',
    'Reproductive Health',
  ],
  methods: [
    { method: 'priority', description: methodDescriptions.priority },
    { method: 'max', description: methodDescriptions.max },
  ],
  metrics: [
    {
      key: 'steps',
      display_name: 'Steps',
      category: 'Activity',
      kind: 'metric',
      default_method: 'priority',
      allowed_methods: ['priority', 'merge', 'max', 'avg', 'sum'],
    },
    {
      key: 'blood_pressure',
      display_name: 'Blood pressure',
      category: 'Vitals',
      kind: 'group',
      default_method: 'priority',
      allowed_methods: ['priority', 'avg'],
      members: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
    },
  ],
};

export const exampleCatalogMetric: CatalogMetricWire = {
  id: 'distance',
  display_name: 'Distance',
  category: 'Activity',
  description:
    'Distance covered on foot (walking and running) in the local day. In a workout, the distance of that session, whatever the sport.',
  unit: 'km',
  imperial_unit: 'mi',
  kind: 'daily_total',
  aggregation: 'sum',
  origin: 'measured',
  precision: 2,
  minimum: 0,
  maximum: 330,
  maximum_per_minute: 0.75,
  levels: null,
  timeseries: false,
  consolidation: {
    key: 'distance',
    default_method: 'priority',
    allowed_methods: ['priority', 'merge', 'max', 'avg', 'sum'],
  },
  codes: {
    loinc: '103208-5',
    open_mhealth: 'omh:physical-activity:1.2#distance',
    healthkit: 'HKQuantityTypeIdentifierDistanceWalkingRunning',
    health_connect: 'DistanceRecord',
    ucum: 'km',
  },
  form_1: ['daily', 'workouts'],
  form_2: ['daily', 'workouts'],
  form_2_field: 'distance_km',
};
