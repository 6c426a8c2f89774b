import { Type, type Static, type TSchema } from 'typebox';
import { Method, MetricCategory } from '../catalog.ts';
import { CalendarDate, Component, Nullable, RefTo, Words } from '../openapi/schema.ts';

/** Limits of one settings change. They exceed the number of keys in the catalog and of providers that a user can have. */
const bounds = { keys: 200, providers: 100, nameCharacters: 64 } as const;

/** An object with arbitrary keys whose values are all validated. */
function MapOf<T extends TSchema>(value: T, most: number, description: string) {
  return Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    additionalProperties: value,
    maxProperties: most,
    propertyNames: { maxLength: bounds.nameCharacters },
    description,
  });
}

const ProviderSwitch = Type.Object(
  {
    provider: Type.String({ description: 'Provider identifier.' }),
    enabled: Type.Boolean({ description: 'Whether its values are used.' }),
  },
  { title: 'ProviderSwitch' },
);

const MetricConfiguration = Type.Object(
  {
    key: Type.String({ description: 'Key of the consolidation catalog.' }),
    category: { ...MetricCategory, description: 'Category for display.' },
    default_method: { ...Method, description: 'The default method of the catalog.' },
    method: { ...Method, description: 'The method in effect.' },
    overridden: Type.Boolean({ description: 'Whether the method differs from the catalog default.' }),
    providers: Type.Array(ProviderSwitch, {
      description: 'Effective state: false if the provider is disabled for all metrics or for this one.',
    }),
  },
  { title: 'MetricConfiguration' },
);

export const ConsolidationConfiguration = Component(
  'ConsolidationConfiguration',
  Type.Object(
    {
      providers: Type.Array(ProviderSwitch, {
        description: 'Providers connected to the user, with their state for all metrics.',
      }),
      metrics: Type.Array(MetricConfiguration, {
        description: 'Every key of the consolidation catalog, in catalog order.',
      }),
    },
    { description: 'The effective consolidation settings of a user.' },
  ),
);

const providerSwitches = MapOf(
  Type.Boolean(),
  bounds.providers,
  'Provider → whether its values are used. The provider must be connected to the user.',
);

export const ConsolidationPatch = Component(
  'ConsolidationPatch',
  Type.Object(
    {
      metrics: Type.Optional(
        MapOf(
          Type.Object(
            {
              method: Type.Optional({
                ...Nullable(Method),
                description: 'One of the allowed methods. Null restores the catalog default.',
              }),
              providers: Type.Optional(providerSwitches),
            },
            { additionalProperties: false },
          ),
          bounds.keys,
          'Key of the consolidation catalog → settings to change.',
        ),
      ),
      providers: Type.Optional(providerSwitches),
    },
    {
      additionalProperties: false,
      description: 'Only the supplied settings change, all or nothing.',
    },
  ),
);

export const ConsolidationChange = Component(
  'ConsolidationChange',
  Type.Object(
    {
      status: Words(['reconsolidating', 'unchanged'], {
        description:
          '`reconsolidating`: the settings are stored, and history is recomputed within moments, for this change or an earlier one. `unchanged`: the settings were already stored, and history matches them.',
      }),
      configuration: RefTo(ConsolidationConfiguration),
    },
    { description: 'The result of a settings change.' },
  ),
);

const PreviewSource = Nullable(
  Type.Object(
    {
      provider: Type.String({ description: 'Provider identifier.' }),
      device_id: Type.String({ description: 'Device identifier.' }),
    },
    {
      title: 'PreviewSource',
      description: 'The device that supplies the value. Null if there is none and for derived values.',
    },
  ),
);

const ids = (description: string) => Type.Array(Type.String(), { description });

export const ConsolidationPreview = Component(
  'ConsolidationPreview',
  Type.Object(
    {
      from_date: CalendarDate,
      to_date: CalendarDate,
      changed: Type.Boolean({ description: 'Whether any value between the dates would change.' }),
      metrics: Type.Array(
        Type.Object(
          {
            metric: Type.String({ description: 'Metric id.' }),
            unit: Type.String({ description: 'The unit of both values.' }),
            days_changed: Type.Integer({ minimum: 1, description: 'Number of days that would change.' }),
            changes: Type.Array(
              Type.Object(
                {
                  date: CalendarDate,
                  before: Nullable(Type.Number({ description: 'The current value.' })),
                  after: Nullable(Type.Number({ description: 'The value after the change.' })),
                  source_before: PreviewSource,
                  source_after: PreviewSource,
                },
                { title: 'ValueChange' },
              ),
              { maxItems: 31, description: 'The first of these days.' },
            ),
          },
          { title: 'MetricChange' },
        ),
        { description: 'Metrics that would change, including derived ones.' },
      ),
      sleep: Type.Object(
        {
          days_changed: Type.Integer({
            minimum: 0,
            description: 'Number of days with different sleep sessions.',
          }),
          changes: Type.Array(
            Type.Object(
              {
                date: CalendarDate,
                before: ids('Ids of the current sessions.'),
                after: ids('Ids of the sessions after the change.'),
              },
              { title: 'SleepChange' },
            ),
            { maxItems: 31, description: 'The first of these days.' },
          ),
        },
        { description: 'Sleep sessions that would change.' },
      ),
    },
    { description: 'The effect of a settings change.' },
  ),
);

export type ConsolidationConfigurationWire = Static<typeof ConsolidationConfiguration>;
export type ConsolidationPatchWire = Static<typeof ConsolidationPatch>;
export type ConsolidationPreviewWire = Static<typeof ConsolidationPreview>;

export const exampleConfiguration: ConsolidationConfigurationWire = {
  providers: [
    { provider: 'apple_health', enabled: true },
    { provider: 'garmin', enabled: false },
  ],
  metrics: [
    {
      key: 'steps',
      category: 'Activity',
      default_method: 'priority',
      method: 'merge',
      overridden: true,
      providers: [
        { provider: 'apple_health', enabled: true },
        { provider: 'garmin', enabled: false },
      ],
    },
  ],
};

export const exampleConsolidationPatch: ConsolidationPatchWire = {
  metrics: { steps: { method: 'merge' }, sleep_stages: { method: null, providers: { garmin: true } } },
  providers: { garmin: false },
};

export const exampleConsolidationPreview: ConsolidationPreviewWire = {
  from_date: '2026-02-01',
  to_date: '2026-03-02',
  changed: true,
  metrics: [
    {
      metric: 'steps',
      unit: 'count',
      days_changed: 1,
      changes: [
        {
          date: '2026-03-01',
          before: 8420,
          after: 9105,
          source_before: { provider: 'garmin', device_id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta' },
          source_after: { provider: 'apple_health', device_id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2tb' },
        },
      ],
    },
  ],
  sleep: {
    days_changed: 1,
    changes: [{ date: '2026-03-01', before: ['slp_01jcqz6bqxe0mrv8c3k1n7d2tc'], after: [] }],
  },
};
