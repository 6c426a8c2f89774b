import { Type, type Static } from 'typebox';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';
import { Confidence, RecipeVersion, ScoreFactor } from './score.ts';

const exact = (description: string) => Type.Number({ description: `${description}. Not rounded.` });

const ScoreRecipe = Type.Object(
  {
    version: RecipeVersion,
    neutral: Type.Number({ description: 'The score before any component moves it.' }),
    higher_is: Type.String({
      description: 'What a higher score means: `better`, `more load`, `more stress`, `more reserve`.',
    }),
    band: Nullable(
      Type.String({ description: 'A label for the value, such as `moderate`. Null without a value.' }),
    ),
    minimum: Type.String({ description: 'The data required to compute the score.' }),
  },
  { title: 'ScoreRecipe' },
);

const ScoreIngredient = Type.Object(
  {
    name: Type.String({ description: 'The factor it becomes.' }),
    weight: Nullable(exact('As in the formula. Null for penalties, loads and ledger entries')),
    share: Nullable(
      exact('The weight after rescaling over the components that have data, so that all shares add up to 1'),
    ),
    sub_score: Nullable(exact('From 0 to 100')),
    contribution: exact(
      'share × (sub_score − neutral), or the entry itself, before the total is clamped between 0 and 100',
    ),
    assumed: Type.Boolean({
      description:
        "Whether the user's usual value, or else the population median, replaces a missing reading.",
    }),
  },
  { title: 'ScoreIngredient' },
);

const ScoreBaseline = Type.Object(
  {
    input: Type.String({ description: 'The input that is compared with it.' }),
    transform: Words(['ln', 'none'], {
      description: '`ln`: `centre` and `sd` are computed from natural logarithms.',
    }),
    centre: exact('The median of the readings'),
    sd: exact('The spread of the readings'),
    readings: Type.Integer({ minimum: 0, description: 'Number of days with readings.' }),
  },
  { title: 'ScoreBaseline' },
);

const ScoreInputSource = Type.Object(
  {
    provider: Type.String({ description: 'Provider identifier.' }),
    device_id: Type.String({ description: 'Device identifier.' }),
  },
  { title: 'ScoreInputSource' },
);

const ScoreInput = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID. See `daily/explain` for details.' }),
    value: Nullable(exact('The daily value of the date. Null if there is none')),
    unit: Type.String({ description: 'The unit of the value.' }),
    source: Type.Unsafe<Static<typeof ScoreInputSource> | null>({
      anyOf: [ScoreInputSource, { type: 'null' }],
      description: 'The device the value came from. Null for derived and missing values.',
    }),
  },
  { title: 'ScoreInput' },
);

const ScoreReadings = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID.' }),
    unit: Type.String({ description: 'The unit of the values.' }),
    readings: Type.Array(
      Type.Object(
        { date: CalendarDate, value: exact('In the unit of the metric') },
        { title: 'ScoreReading' },
      ),
      { description: 'Oldest first. Only days with a value that counts.' },
    ),
  },
  { title: 'ScoreReadings' },
);

export const ScoreExplanation = Component(
  'ScoreExplanation',
  Type.Object(
    {
      type: Type.String({ description: 'Score ID.' }),
      date: CalendarDate,
      timezone: Type.String({ description: 'The time zone in which the day ends.' }),
      name: Type.String({ description: 'Display name.' }),
      state: Words(['published', 'pending', 'none'], {
        description:
          '`published`: the returned value matches the data. `pending`: the data results in a different value that is not published yet. ' +
          '`none`: there is no score, and the data does not result in one.',
      }),
      value: Nullable(Type.Number({ description: 'As `scores` returns it. Null if there is none.' })),
      computed_at: Nullable({ ...Timestamp, description: 'When the value was published.' }),
      current_value: Nullable(
        Type.Number({
          description: 'The value computed from the stored data. The fields below explain this value.',
        }),
      ),
      up_to_date: Type.Boolean({ description: 'Whether the returned value matches the data.' }),
      confidence: Nullable(Confidence),
      why: Type.String({ description: 'The same in one sentence.' }),
      recipe: ScoreRecipe,
      factors: Type.Array(RefTo(ScoreFactor), { description: 'The factors of the returned value.' }),
      ingredients: Type.Array(ScoreIngredient, {
        description: 'In the order of the formula. Components without data are omitted, or assumed.',
      }),
      baselines: Type.Array(ScoreBaseline, {
        description: "The user's baselines, as the formula used them.",
      }),
      figures: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'number' },
        description:
          'Intermediate results by name: loads in units of training impulse, `usual_…` in the unit of the metric, `…_percent` in percent.',
      }),
      inputs: Type.Array(ScoreInput, { description: 'The daily values of the date that were considered.' }),
      history: Type.Array(ScoreReadings, {
        description: 'Daily values of the previous 60 days, where norms and trends are computed from them.',
      }),
      other: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Other inputs by name, from the profile, samples and other scores. `heart_rate_minutes` is [minutes, bpm], `rated_sessions` is [perceived ' +
          'exertion, minutes], `zone_minutes` has a number for each of the five zones. Weights are in kg, heart rates in bpm.',
      }),
      missing: Type.Array(Type.String(), {
        description: 'Components of the formula that had no data.',
      }),
    },
    { description: 'The explanation of a score.' },
  ),
);

export type ScoreExplanationWire = Static<typeof ScoreExplanation>;

export const exampleScoreExplanation = {
  type: 'recovery_score',
  date: '2026-03-02',
  timezone: 'Europe/Berlin',
  name: 'Recovery',
  state: 'published',
  value: 57.8,
  computed_at: '2026-03-02T06:40:11.204Z',
  current_value: 57.8,
  up_to_date: true,
  confidence: 'normal',
  why: 'Recovery is 57.8 (moderate). Starting from the neutral 50, sleep adds 7.8.',
  recipe: {
    version: 2,
    neutral: 50,
    higher_is: 'better',
    band: 'moderate',
    minimum:
      'heart rate variability or resting heart rate for the date, with 3 earlier readings of the same metric, and inputs with at least 0.45 of the total weight',
  },
  factors: [
    { name: 'baseline', contribution: 50, direction: 'neutral' },
    { name: 'sleep', contribution: 7.8, direction: 'positive' },
    { name: 'resting_heart_rate', contribution: 0, direction: 'neutral' },
  ],
  ingredients: [
    {
      name: 'resting_heart_rate',
      weight: 0.2,
      share: 0.4444444444444445,
      sub_score: 50,
      contribution: 0,
      assumed: false,
    },
    {
      name: 'sleep',
      weight: 0.25,
      share: 0.5555555555555556,
      sub_score: 64,
      contribution: 7.777777777777778,
      assumed: false,
    },
  ],
  baselines: [
    { input: 'resting_heart_rate', transform: 'none', centre: 56, sd: 2.777460299317654, readings: 20 },
    { input: 'asleep', transform: 'none', centre: 425, sd: 40, readings: 20 },
  ],
  figures: {},
  inputs: [
    { metric: 'sleep_heart_rate_variability', value: null, unit: 'ms', source: null },
    {
      metric: 'resting_heart_rate',
      value: 57,
      unit: 'bpm',
      source: { provider: 'apple_health', device_id: 'dev_01jmw2p9yve0v8s4t3q6x7z5a1' },
    },
  ],
  history: [
    {
      metric: 'resting_heart_rate',
      unit: 'bpm',
      readings: [
        { date: '2026-02-28', value: 55 },
        { date: '2026-03-01', value: 56 },
      ],
    },
  ],
  other: {},
  missing: ['hrv_today', 'hrv_trend', 'load_balance', 'respiratory_rate', 'body_temperature'],
} satisfies ScoreExplanationWire;
