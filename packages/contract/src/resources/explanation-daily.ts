import { Type, type Static } from 'typebox';
import { Method } from '../catalog.ts';
import { missingReasons } from './daily.ts';
import {
  ExplainedBatch,
  ExplainedDevice,
  explanationLimits,
  pendingRebuild,
  provenance,
  rank,
} from './explanation-parts.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Why a device's value is used or not. Values may be added, but existing ones never change their meaning. */
const candidateReasons = [
  'only_value',
  'best_rank',
  'largest_value',
  'averaged',
  'added',
  'merged',
  'lower_rank',
  'connected_earlier',
  'other_id',
  'smaller_value',
  'same_provider_better_device',
  'covered',
  'no_samples',
  'excluded',
  'not_used_by_method',
  'low_coverage',
  'other_measurement',
  'sessions',
  'other_sessions',
] as const;
export type CandidateReason = (typeof candidateReasons)[number];

/** Where a provider is excluded. */
const exclusions = ['provider_everywhere', 'provider_for_metric'] as const;
export type Exclusion = (typeof exclusions)[number];

function OrNull<T>(schema: object, description: string) {
  return Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }], description });
}

const CandidateSession = Type.Object(
  {
    id: Nullable(
      Type.String({
        description: 'The session that the API returns. Null if it was merged into another one.',
      }),
    ),
    source_id: Type.String({ description: 'The id the device uses.' }),
    start: Timestamp,
    end: Timestamp,
  },
  { title: 'CandidateSession' },
);

export const DailyCandidate = Component(
  'DailyCandidate',
  Type.Object(
    {
      device: RefTo(ExplainedDevice),
      rank,
      position: Nullable(
        Type.Integer({
          minimum: 1,
          description: 'Position among the enabled devices. Null for disabled ones.',
        }),
      ),
      enabled: Type.Boolean({ description: 'Whether the settings include its provider.' }),
      disabled_by: Nullable(Words(exclusions, { description: 'The setting that excludes the provider.' })),
      value: Type.Number({ description: 'In the unit of the metric, rounded like daily values.' }),
      exact_value: Type.Number({ description: 'The same value, not rounded.' }),
      unit: Type.String({ description: 'The unit of both values.' }),
      original_value: Type.Number({
        description: 'The value as the device reported it, in `original_unit`.',
      }),
      original_unit: Type.String({ description: 'The unit the device reported the value in.' }),
      coverage: Nullable(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'The share of the day that the device observed for this metric: 15-minute slots with a reading, or the time of counted intervals. A total without samples covers the whole day. Null if the value comes from sleep sessions or workouts.',
        }),
      ),
      made_of: Words(['reported_total', 'samples', 'sessions'], {
        description:
          'What the value was computed from. A total that the device reports for the day takes precedence over its samples, and samples over sessions.',
      }),
      samples: OrNull<{ count: number; first_at: string; last_at: string }>(
        Type.Object(
          {
            count: Type.Integer({ minimum: 0 }),
            first_at: Timestamp,
            last_at: { ...Timestamp, description: 'When the last sample starts.' },
          },
          { title: 'CandidateSamples' },
        ),
        'The samples of the local day. Null if the value was not computed from samples.',
      ),
      sessions: Type.Array(CandidateSession, {
        maxItems: explanationLimits.sessions,
        description: 'The sessions of the day, if the value was computed from sessions.',
      }),
      sessions_truncated: Type.Boolean({ description: 'Whether there are more sessions than listed.' }),
      batches: Type.Array(RefTo(ExplainedBatch), {
        maxItems: explanationLimits.batches,
        description: 'The uploads it came from, latest first.',
      }),
      batches_truncated: Type.Boolean({ description: 'Whether there are more batches than listed.' }),
      outcome: Words(['won', 'contributed', 'lost'], {
        description: '`contributed` if several devices contributed to the value.',
      }),
      reason: Words(candidateReasons, { description: 'The reason, as a code to branch on.' }),
      because: Type.String({ description: 'The reason, as a sentence with numbers.' }),
    },
    { description: 'The value one device reported for the metric and day, and whether it was used.' },
  ),
);

const ConsolidationChoice = Type.Object(
  {
    in_force: { ...Method, description: 'The method in effect.' },
    applied: {
      ...Method,
      description: 'The method that produced the value.',
    },
    default: { ...Method, description: 'The default method of the catalog.' },
    chosen_by: Words(['catalog', 'settings'], {
      description: 'Whether the catalog or the settings chose the method.',
    }),
    key: Type.String({ description: 'The key of the consolidation catalog that sets it.' }),
    why: Type.String({ description: 'The same as a sentence.' }),
  },
  { title: 'ConsolidationChoice' },
);

const Winner = Type.Object(
  {
    device_id: Type.String({ description: 'Device identifier.' }),
    provider: Type.String({ description: 'Provider identifier.' }),
  },
  { title: 'Winner' },
);

const Ingredient = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID. Explain it for details.' }),
    value: Nullable(Type.Number({ description: 'As the daily endpoint returns it.' })),
    unit: Type.String({ description: 'The unit of the value.' }),
  },
  { title: 'Ingredient' },
);

const ValueSession = Type.Object(
  {
    id: Type.String({ description: 'Session identifier. Explain it for details.' }),
    kind: Words(['sleep', 'workout']),
    start: Timestamp,
    end: Timestamp,
    is_main_sleep: Type.Boolean({ description: 'False for every workout.' }),
  },
  { title: 'ValueSession' },
);

const MergedStretch = Type.Object(
  {
    start: Timestamp,
    end: { ...Timestamp, description: 'Equal to the start for a single point in time.' },
    value: Type.Number({ description: 'The part of the value in this interval.' }),
    device_id: Type.String({ description: 'The device it came from.' }),
  },
  { title: 'MergedInterval' },
);

export const DailyExplanation = Component(
  'DailyExplanation',
  Type.Object(
    {
      metric: Type.String({ description: 'Metric ID.' }),
      date: CalendarDate,
      timezone: Type.String({ description: 'The time zone in which the day ends.' }),
      unit: Type.String({ description: 'The unit of the values.' }),
      value: Nullable(
        Type.Number({ description: 'As the daily endpoint returns it. Null if there is none.' }),
      ),
      exact_value: Nullable(Type.Number({ description: 'The same value, not rounded.' })),
      summary: Type.String({ description: 'The explanation in a sentence or two.' }),
      method: OrNull<Static<typeof ConsolidationChoice>>(
        ConsolidationChoice,
        'How the values of several devices became one. Null for derived values.',
      ),
      winner: OrNull<Static<typeof Winner>>(
        Winner,
        'The device that the daily endpoint returns as the source: for `avg`, `sum` and `merge`, the best-ranked device that contributed. Null for derived values.',
      ),
      contributors: Type.Array(Type.String(), {
        description: 'Devices that contributed to the value, best-ranked first.',
      }),
      candidates: Type.Array(RefTo(DailyCandidate), {
        description: 'Every device with a value for the day: best-ranked first, excluded ones last.',
      }),
      missing_reason: Nullable(Words(missingReasons, { description: 'Why there is no value.' })),
      derived_from: OrNull<Static<typeof Ingredient>[]>(
        { type: 'array', items: Ingredient },
        'The values that a derived value was computed from. Null for other values.',
      ),
      sessions: OrNull<Static<typeof ValueSession>[]>(
        { type: 'array', maxItems: explanationLimits.sessions, items: ValueSession },
        'The sessions that a value counts or describes. Null for other values.',
      ),
      merged: OrNull<Static<typeof MergedStretch>[]>(
        { type: 'array', maxItems: explanationLimits.intervals, items: MergedStretch },
        'The union over time, if the value was merged from several devices: with the method `merge`, or within one health store. Null for other values.',
      ),
      merged_truncated: Type.Boolean({ description: 'Whether there are more intervals than listed.' }),
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'The explanation of a daily value.' },
  ),
);

export type DailyCandidateWire = Static<typeof DailyCandidate>;
export type DailyExplanationWire = Static<typeof DailyExplanation>;
