import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Words } from './schema.ts';

/** Each way to make one value of what several devices report. */
export const methodDescriptions = {
  priority: 'The value of the best-ranked enabled device that has one.',
  merge:
    'The union over time of intraday intervals: time that several devices cover is counted once, from the best-ranked device of that moment.',
  max: 'The largest value reported by an enabled provider.',
  avg: "The arithmetic mean of the enabled providers' values.",
  sum: "The sum of the enabled providers' values.",
} as const;

const categories = [
  'Activity',
  'Energy',
  'Body Composition',
  'Sleep',
  'Vitals',
  'Nutrition',
  'Scores',
] as const;

/** A method as answers and requests spell it. */
export const Method = Words(Object.keys(methodDescriptions) as (keyof typeof methodDescriptions)[]);

/** A category as answers spell it. */
export const MetricCategory = Words(categories);

const setting = {
  key: Type.String({ description: 'What one method is set for: the key of a group, or the id of a metric' }),
  default_method: { ...Method, description: 'In force until a user has another one' },
  allowed_methods: Type.Array(Method, { description: 'What may be set instead' }),
};

export const ConsolidationEntry = Component(
  'ConsolidationEntry',
  Type.Object(
    {
      key: setting.key,
      display_name: Type.String({ description: 'A name to show to people' }),
      category: { ...MetricCategory, description: 'The category under which to show it' },
      kind: Words(['metric', 'group'], {
        description: 'A `group` applies one setting to related daily metrics',
      }),
      default_method: setting.default_method,
      allowed_methods: setting.allowed_methods,
      members: Type.Optional(
        Type.Array(Type.String(), { description: 'Groups only: ids of the metrics that follow the setting' }),
      ),
    },
    { description: 'A metric or a group of metrics whose method can be set for a user' },
  ),
);

export const ConsolidationCatalog = Component(
  'ConsolidationCatalog',
  Type.Object(
    {
      category_order: Type.Array(MetricCategory, {
        description: 'Categories in the order in which to show them',
      }),
      methods: Type.Array(
        Type.Object(
          { method: Method, description: Type.String({ description: 'What the method does' }) },
          { title: 'ConsolidationMethod' },
        ),
        { description: 'Every method with what it does' },
      ),
      metrics: Type.Array(RefTo(ConsolidationEntry), {
        description: 'Everything that can be set, in the order of the categories',
      }),
    },
    { description: 'How values of several devices can be brought together' },
  ),
);

const code = (description: string) => Nullable(Type.String({ description }));

export const CatalogMetric = Component(
  'CatalogMetric',
  Type.Object(
    {
      id: Type.String({ description: 'The id that every read uses. Case matters' }),
      display_name: Type.String({ description: 'A name to show to people' }),
      category: { ...MetricCategory, description: 'The category that it belongs to' },
      description: Type.String({ description: 'What is measured' }),
      unit: Type.String({ description: 'The unit of values by default' }),
      imperial_unit: Type.String({
        description: 'The unit under `unit_system=imperial`; the same where nothing converts',
      }),
      kind: Words(['daily_total', 'daily_average', 'daily_min', 'daily_max', 'latest', 'session', 'score'], {
        description: 'What the value of a day is; `session` belongs to a workout instead',
      }),
      aggregation: Words(['sum', 'avg', 'min', 'max', 'last'], {
        description: 'How the samples of one device become its value; `avg` is weighted by time',
      }),
      origin: Words(['measured', 'derived', 'score'], {
        description: '`measured` by devices, `derived` from canonical values, or one of the scores',
      }),
      precision: Type.Integer({ minimum: 0, description: 'Decimals of a value in `unit`' }),
      minimum: Type.Number({ description: 'The least plausible value, in `unit`' }),
      maximum: Type.Number({ description: 'The greatest plausible value, in `unit`' }),
      timeseries: Type.Boolean({ description: 'Whether samples can be read too' }),
      consolidation: Nullable(
        Type.Object(setting, {
          title: 'MetricConsolidation',
          description: 'How it is set; null where nothing is: derived values, sessions and scores',
        }),
      ),
      codes: Type.Object(
        {
          loinc: code('LOINC code'),
          open_mhealth: code('Schema of Open mHealth or IEEE 1752'),
          healthkit: code('Type of Apple HealthKit'),
          health_connect: code('Record of Android Health Connect'),
          ucum: Type.String({ description: 'The unit in UCUM' }),
        },
        { title: 'MetricCodes', description: 'What others call it; null where they do not know it' },
      ),
      form_1: Type.Array(Type.String(), { description: 'Endpoints that return it in Form 1' }),
      form_2: Type.Array(Type.String(), { description: 'Endpoints that return it in Form 2' }),
      form_2_field: Nullable(
        Type.String({ description: 'Its field in the sleep and workout answers of Form 2' }),
      ),
    },
    { description: 'One row of the data catalog' },
  ),
);

export const MetricCatalog = Component(
  'MetricCatalog',
  Type.Object({ data: Type.Array(RefTo(CatalogMetric)) }, { description: 'The data catalog' }),
);

export type ConsolidationCatalogWire = Static<typeof ConsolidationCatalog>;
export type ConsolidationEntryWire = Static<typeof ConsolidationEntry>;
export type CatalogMetricWire = Static<typeof CatalogMetric>;

export const exampleConsolidationCatalog: ConsolidationCatalogWire = {
  category_order: ['Activity', 'Energy', 'Body Composition', 'Sleep', 'Vitals', 'Nutrition'],
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
      default_method: 'max',
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
    'Ground covered on foot (walking and running) in the local day; in a workout, the distance of that session whatever the sport.',
  unit: 'km',
  imperial_unit: 'mi',
  kind: 'daily_total',
  aggregation: 'sum',
  origin: 'measured',
  precision: 2,
  minimum: 0,
  maximum: 330,
  timeseries: false,
  consolidation: {
    key: 'distance',
    default_method: 'max',
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
