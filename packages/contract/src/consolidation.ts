import { Type, type Static, type TSchema } from 'typebox';
import { Method, MetricCategory } from './catalog.ts';
import { CalendarDate, Component, Nullable, RefTo, Words } from './schema.ts';

/** Bounds of one change of settings: more than the catalog has keys, more than anyone has providers. */
const bounds = { keys: 200, providers: 100, nameCharacters: 64 } as const;

/** An object with names of the caller's choosing, every value of which is checked, whatever its name. */
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
    provider: Type.String({ description: 'Provider identifier' }),
    enabled: Type.Boolean({ description: 'Whether its values take part' }),
  },
  { title: 'ProviderSwitch' },
);

const MetricConfiguration = Type.Object(
  {
    key: Type.String({ description: 'Key of the consolidation catalog' }),
    category: { ...MetricCategory, description: 'The category under which to show it' },
    default_method: { ...Method, description: 'The method of the catalog' },
    method: { ...Method, description: 'The method in force' },
    overridden: Type.Boolean({ description: 'Whether the method is another than that of the catalog' }),
    providers: Type.Array(ProviderSwitch, {
      description: 'Effective: false where a provider is off for all metrics or for this one',
    }),
  },
  { title: 'MetricConfiguration' },
);

export const ConsolidationConfiguration = Component(
  'ConsolidationConfiguration',
  Type.Object(
    {
      providers: Type.Array(ProviderSwitch, {
        description: 'Providers that are connected to the user, with the switch for all metrics',
      }),
      metrics: Type.Array(MetricConfiguration, {
        description: 'Every key of the consolidation catalog, in its order',
      }),
    },
    { description: 'How the values of several devices are brought together for one user' },
  ),
);

const providerSwitches = MapOf(
  Type.Boolean(),
  bounds.providers,
  'Provider → whether its values take part; must be connected to the user',
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
                description: 'One of the allowed methods; null restores that of the catalog',
              }),
              providers: Type.Optional(providerSwitches),
            },
            { additionalProperties: false },
          ),
          bounds.keys,
          'Key of the consolidation catalog → what is to be different',
        ),
      ),
      providers: Type.Optional(providerSwitches),
    },
    {
      additionalProperties: false,
      description: 'Only what is given changes, all of it or nothing',
    },
  ),
);

export const ConsolidationChange = Component(
  'ConsolidationChange',
  Type.Object(
    {
      status: Words(['reconsolidating', 'unchanged'], {
        description: '`reconsolidating`: stored, and history follows within moments; `unchanged`: it was so',
      }),
      configuration: RefTo(ConsolidationConfiguration),
    },
    { description: 'What became of a change of settings' },
  ),
);

const PreviewSource = Nullable(
  Type.Object(
    {
      provider: Type.String({ description: 'Provider identifier' }),
      device_id: Type.String({ description: 'Device identifier' }),
    },
    {
      title: 'PreviewSource',
      description: 'The device that supplies the value; null without one and for derived values',
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
      changed: Type.Boolean({ description: 'Whether any answer between the dates would be different' }),
      metrics: Type.Array(
        Type.Object(
          {
            metric: Type.String({ description: 'Metric id' }),
            unit: Type.String({ description: 'The unit of both values' }),
            days_changed: Type.Integer({ minimum: 1, description: 'Days that would be different' }),
            changes: Type.Array(
              Type.Object(
                {
                  date: CalendarDate,
                  before: Nullable(Type.Number({ description: 'The value now' })),
                  after: Nullable(Type.Number({ description: 'The value then' })),
                  source_before: PreviewSource,
                  source_after: PreviewSource,
                },
                { title: 'ValueChange' },
              ),
              { maxItems: 31, description: 'The first of these days' },
            ),
          },
          { title: 'MetricChange' },
        ),
        { description: 'Metrics that would be different, those that are derived included' },
      ),
      sleep: Type.Object(
        {
          days_changed: Type.Integer({ minimum: 0, description: 'Days with other sleep sessions' }),
          changes: Type.Array(
            Type.Object(
              {
                date: CalendarDate,
                before: ids('Ids of the sessions now'),
                after: ids('Ids of the sessions then'),
              },
              { title: 'SleepChange' },
            ),
            { maxItems: 31, description: 'The first of these days' },
          ),
        },
        { description: 'Sleep sessions that would be different' },
      ),
    },
    { description: 'What a change of settings would do' },
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
      default_method: 'max',
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
