import { Type, type Static } from 'typebox';
import { DailyColumns, exampleColumns, missingReasons } from './daily.ts';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** A factor that moved a score. */
export const ScoreFactor = Component(
  'ScoreFactor',
  Type.Object(
    {
      name: Type.String({ description: '`baseline` is the score before any other factor moves it.' }),
      contribution: Type.Number({ description: 'In tenths. The contributions add up exactly to the value.' }),
      direction: Words(['positive', 'negative', 'neutral'], {
        description: 'Whether it raises or lowers the value, not whether that is good for the user.',
      }),
    },
    { description: 'A part of a score.' },
  ),
);

const ScoreType = Type.String({ description: 'Score ID.' });
const noSource = Type.Null({
  description: 'Only with `include_sources=true`. A score has no single source device.',
});

export const RecipeVersion = Type.Integer({
  minimum: 1,
  description:
    'The version of the formula that gave the value. It increases when the same data would result in a different score.',
});

export const Confidence = Words(['normal', 'low'], {
  description: '`low`: most of the score is assumed, such as a sleep score that knows only the time asleep.',
});

export const Score = Component(
  'Score',
  Type.Object(
    {
      type: ScoreType,
      value: Type.Number({ description: 'From 0 to 100, in tenths.' }),
      computed_at: { ...Timestamp, description: 'When this value was published.' },
      factors: Type.Array(RefTo(ScoreFactor), {
        description: '`baseline` first, then the largest. Empty for a strain of 0.',
      }),
      date: { ...CalendarDate, description: "The day of the score in the user's time zone." },
      recipe_version: RecipeVersion,
      confidence: Confidence,
      source: Type.Optional(noSource),
    },
    { description: 'The newest value of a score.' },
  ),
);

export const ScoreList = Component(
  'ScoreList',
  Type.Object(
    { data: Type.Array(RefTo(Score)) },
    {
      description:
        'Form 1: the newest value of each score in the last 7 days. A score without one is omitted.',
    },
  ),
);

const LatestScore = Type.Object(
  {
    date: CalendarDate,
    value: Type.Number(),
    previous_value: Nullable(
      Type.Number({
        description: 'The value of the previous calendar day. Null if that day has none or is out of range.',
      }),
    ),
  },
  { title: 'LatestScore' },
);

const { from_date, to_date, dates, series, units } = DailyColumns.properties;

export const ScoreColumns = Component(
  'ScoreColumns',
  Type.Object(
    {
      from_date,
      to_date,
      dates,
      series,
      units,
      latest: Type.Unsafe<Record<string, Static<typeof LatestScore> | null>>({
        type: 'object',
        additionalProperties: { anyOf: [LatestScore, { type: 'null' }] },
        description: 'Score ID → its newest value in the range. Null if it has none.',
      }),
      sources: Type.Optional(
        Type.Unsafe<Record<string, null[]>>({
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'null' } },
          description:
            'Only with `include_sources=true`. A score has no single source device, so all are null.',
        }),
      ),
    },
    { description: 'Form 2: one column per score.' },
  ),
);

const ScoreHistoryRow = Type.Object(
  {
    date: CalendarDate,
    type: ScoreType,
    value: Nullable(
      Type.Number({ description: 'Null only with `include_missing=true`, if the day has none.' }),
    ),
    reason: Type.Optional(
      Words(missingReasons, {
        description: 'Only with `include_missing=true`, on rows without a value: the reason it is missing.',
      }),
    ),
  },
  { title: 'ScoreHistoryRow' },
);

export const ScoreHistory = Component(
  'ScoreHistory',
  Type.Object(
    { data: Type.Array(ScoreHistoryRow) },
    {
      description:
        'One row per day and score that has a value, ordered by date, then score. `include_missing=true` adds the others.',
    },
  ),
);

export const scoreListResponse = { form1: RefTo(ScoreList), form2: RefTo(ScoreColumns) };

export type ScoreWire = Static<typeof Score>;
export type LatestScoreWire = Static<typeof LatestScore>;

export const exampleScoreList = {
  data: [
    {
      type: 'recovery_score',
      value: 57.8,
      computed_at: '2026-03-02T06:40:11.204Z',
      factors: [
        { name: 'baseline', contribution: 50, direction: 'neutral' },
        { name: 'sleep', contribution: 7.8, direction: 'positive' },
        { name: 'resting_heart_rate', contribution: 0, direction: 'neutral' },
      ],
      date: '2026-03-02',
      recipe_version: 2,
      confidence: 'normal',
    },
  ],
} satisfies Static<typeof ScoreList>;

export const exampleScoreColumns = {
  from_date: exampleColumns.from_date,
  to_date: exampleColumns.to_date,
  dates: exampleColumns.dates,
  series: { recovery_score: [61.2, 57.8], nutrition_score: [null, null] },
  units: { recovery_score: 'score', nutrition_score: 'score' },
  latest: {
    recovery_score: { date: '2026-03-02', value: 57.8, previous_value: 61.2 },
    nutrition_score: null,
  },
} satisfies Static<typeof ScoreColumns>;

export const exampleScoreHistory = {
  data: [
    { date: '2026-03-01', type: 'recovery_score', value: 61.2 },
    { date: '2026-03-02', type: 'recovery_score', value: 57.8 },
    { date: '2026-03-02', type: 'stress_score', value: 31.5 },
  ],
} satisfies Static<typeof ScoreHistory>;
