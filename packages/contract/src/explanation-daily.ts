import { Type, type Static } from 'typebox';
import { Method } from './catalog.ts';
import { missingReasons } from './daily.ts';
import {
  exampleArrival,
  ExplainedBatch,
  ExplainedDevice,
  explanationLimits,
  pendingRebuild,
  provenance,
  rank,
  ring,
  watch,
} from './explanation-parts.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

/** Why a device's value counts, or does not. Stable words: new ones may be added, none changes its meaning. */
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
] as const;
export type CandidateReason = (typeof candidateReasons)[number];

/** Where a provider is switched off. */
const exclusions = ['provider_everywhere', 'provider_for_metric'] as const;
export type Exclusion = (typeof exclusions)[number];

function OrNull<T>(schema: object, description: string) {
  return Type.Unsafe<T | null>({ anyOf: [schema, { type: 'null' }], description });
}

const CandidateSession = Type.Object(
  {
    id: Nullable(Type.String({ description: 'The session in the answers; null when another stands for it' })),
    source_id: Type.String({ description: 'As the device calls it' }),
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
        Type.Integer({ minimum: 1, description: 'Among the devices that take part; null for the others' }),
      ),
      enabled: Type.Boolean({ description: 'Whether the settings let its provider take part' }),
      disabled_by: Nullable(Words(exclusions, { description: 'Which setting leaves the provider out' })),
      value: Type.Number({ description: 'In the unit of the metric, rounded as daily values are' }),
      exact_value: Type.Number({ description: 'The same, not rounded' }),
      unit: Type.String({ description: 'The unit of both' }),
      original_value: Type.Number({ description: 'In the unit that it came in' }),
      original_unit: Type.String({ description: 'The unit that it came in' }),
      made_of: Words(['reported_total', 'samples', 'sessions'], {
        description:
          'A total that the device gives for the day goes before its samples, and those before sessions',
      }),
      samples: OrNull<{ count: number; first_at: string; last_at: string }>(
        Type.Object(
          {
            count: Type.Integer({ minimum: 0 }),
            first_at: Timestamp,
            last_at: { ...Timestamp, description: 'When the last one starts' },
          },
          { title: 'CandidateSamples' },
        ),
        'The samples of the local day; null when the value is not made of samples',
      ),
      sessions: Type.Array(CandidateSession, {
        maxItems: explanationLimits.sessions,
        description: 'The sessions of the day, where the value is made of sessions',
      }),
      sessions_truncated: Type.Boolean({ description: 'Whether there are more sessions than are listed' }),
      batches: Type.Array(RefTo(ExplainedBatch), {
        maxItems: explanationLimits.batches,
        description: 'What it rests on, the latest first',
      }),
      batches_truncated: Type.Boolean({ description: 'Whether there are more batches than are listed' }),
      outcome: Words(['won', 'contributed', 'lost'], {
        description: '`contributed` where several devices have a part',
      }),
      reason: Words(candidateReasons, { description: 'Why, as a word to branch on' }),
      because: Type.String({ description: 'Why, in words and numbers' }),
    },
    { description: 'What one device says about the metric and day, and what became of it' },
  ),
);

const ConsolidationChoice = Type.Object(
  {
    in_force: { ...Method, description: 'The method in force' },
    applied: {
      ...Method,
      description:
        'The method that made the value: `merge` gives way to the default on days without intervals',
    },
    default: { ...Method, description: 'The method of the catalog' },
    chosen_by: Words(['catalog', 'settings'], { description: 'Who chose the method' }),
    key: Type.String({ description: 'The key of the consolidation catalog that sets it' }),
    why: Type.String({ description: 'The same in words' }),
  },
  { title: 'ConsolidationChoice' },
);

const Winner = Type.Object(
  {
    device_id: Type.String({ description: 'Device identifier' }),
    provider: Type.String({ description: 'Provider identifier' }),
  },
  { title: 'Winner' },
);

const Ingredient = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID; explain it for more' }),
    value: Nullable(Type.Number({ description: 'As the daily read shows it' })),
    unit: Type.String({ description: 'The unit of the value' }),
  },
  { title: 'Ingredient' },
);

const AnsweringSession = Type.Object(
  {
    id: Type.String({ description: 'Session identifier; explain it for more' }),
    kind: Words(['sleep', 'workout']),
    start: Timestamp,
    end: Timestamp,
    is_main_sleep: Type.Boolean({ description: 'False for every workout' }),
  },
  { title: 'AnsweringSession' },
);

const MergedStretch = Type.Object(
  {
    start: Timestamp,
    end: { ...Timestamp, description: 'Equal to the start for what belongs to one moment' },
    value: Type.Number({ description: 'What counts of this stretch' }),
    device_id: Type.String({ description: 'Whose it is' }),
  },
  { title: 'MergedStretch' },
);

export const DailyExplanation = Component(
  'DailyExplanation',
  Type.Object(
    {
      metric: Type.String({ description: 'Metric ID' }),
      date: CalendarDate,
      timezone: Type.String({ description: 'In which the day is cut' }),
      unit: Type.String({ description: 'The unit of the values' }),
      value: Nullable(Type.Number({ description: 'As the daily read shows it; null without one' })),
      exact_value: Nullable(Type.Number({ description: 'The same, not rounded' })),
      summary: Type.String({ description: 'The answer in a sentence or two' }),
      method: OrNull<Static<typeof ConsolidationChoice>>(
        ConsolidationChoice,
        'How several devices are made one; null for what is derived from other answers',
      ),
      winner: OrNull<Static<typeof Winner>>(
        Winner,
        'The device that the daily read names as its source: under `avg`, `sum` and `merge` the best-ranked that had a part; null for derived values',
      ),
      contributors: Type.Array(Type.String(), {
        description: 'Devices that had a part in the value, the best-ranked first',
      }),
      candidates: Type.Array(RefTo(DailyCandidate), {
        description:
          'Every device with a value for the day: the best-ranked first, those that are left out last',
      }),
      missing_reason: Nullable(Words(missingReasons, { description: 'Why there is no value' })),
      derived_from: OrNull<Static<typeof Ingredient>[]>(
        { type: 'array', items: Ingredient },
        'What a derived value follows from; null for other values',
      ),
      sessions: OrNull<Static<typeof AnsweringSession>[]>(
        { type: 'array', maxItems: explanationLimits.sessions, items: AnsweringSession },
        'The sessions that a value counts or tells of; null for other values',
      ),
      merged: OrNull<Static<typeof MergedStretch>[]>(
        { type: 'array', maxItems: explanationLimits.intervals, items: MergedStretch },
        'Under `merge`, the union over time; null under other methods',
      ),
      merged_truncated: Type.Boolean({ description: 'Whether there are more stretches than are listed' }),
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'Why a daily value is what it is' },
  ),
);

export type DailyCandidateWire = Static<typeof DailyCandidate>;
export type DailyExplanationWire = Static<typeof DailyExplanation>;

const exampleEvidence = {
  enabled: true,
  disabled_by: null,
  unit: 'count',
  original_unit: 'count',
  made_of: 'reported_total',
  samples: null,
  sessions: [],
  sessions_truncated: false,
  batches: [{ ...exampleArrival, readings: 1 }],
  batches_truncated: false,
} as const;

export const exampleDailyExplanation = {
  metric: 'steps',
  date: '2026-03-01',
  timezone: 'Europe/Berlin',
  unit: 'count',
  value: 8790,
  exact_value: 8790,
  summary: 'Steps on 2026-03-01 is 8,790: the largest value, from the Oura ring, of 2 devices with one.',
  method: {
    in_force: 'max',
    applied: 'max',
    default: 'max',
    chosen_by: 'catalog',
    key: 'steps',
    why: 'The catalog chooses max for steps. The largest value reported by an enabled provider.',
  },
  winner: { device_id: ring.id, provider: ring.provider },
  contributors: [ring.id],
  candidates: [
    {
      ...exampleEvidence,
      batches: [...exampleEvidence.batches],
      sessions: [],
      device: watch,
      rank: 10,
      position: 1,
      value: 8420,
      exact_value: 8420,
      original_value: 8420,
      outcome: 'lost',
      reason: 'smaller_value',
      because: '8,420 is less than 8,790 from the Oura ring.',
    },
    {
      ...exampleEvidence,
      batches: [...exampleEvidence.batches],
      sessions: [],
      device: ring,
      rank: 1030,
      position: 2,
      value: 8790,
      exact_value: 8790,
      original_value: 8790,
      outcome: 'won',
      reason: 'largest_value',
      because: '8,790 is the largest value of 2 providers.',
    },
  ],
  missing_reason: null,
  derived_from: null,
  sessions: null,
  merged: null,
  merged_truncated: false,
  pending_rebuild: false,
  provenance: { answered_from: 'canonical layer', data_version: 42 },
} satisfies DailyExplanationWire;
