import { Type, type Static } from 'typebox';
import { CalendarDate, Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';
import { ScoreFactor } from './score.ts';

const exact = (description: string) => Type.Number({ description: `${description}; not rounded` });

const ScoreRecipe = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      description: 'Goes up when the same data would give another number',
    }),
    neutral: Type.Number({ description: 'Where the score stands when nothing moves it' }),
    higher_is: Type.String({
      description: 'What more of it means: `better`, `more load`, `more stress`, `more reserve`',
    }),
    band: Nullable(
      Type.String({ description: 'A word for the value, such as `moderate`; null without a value' }),
    ),
    minimum: Type.String({ description: 'What it takes at least' }),
  },
  { title: 'ScoreRecipe' },
);

const ScoreIngredient = Type.Object(
  {
    name: Type.String({ description: 'The factor that it becomes' }),
    weight: Nullable(exact('As in the recipe; null for penalties, loads and entries of a ledger')),
    share: Nullable(exact('The weight after rescaling over what was there, so that all shares make 1')),
    sub_score: Nullable(exact('From 0 to 100')),
    contribution: exact(
      'share × (sub_score − neutral), or the entry itself, before the total is held between 0 and 100',
    ),
  },
  { title: 'ScoreIngredient' },
);

const ScoreBaseline = Type.Object(
  {
    input: Type.String({ description: 'What is compared with it' }),
    transform: Words(['ln', 'none'], { description: '`ln`: centre and sd are those of natural logarithms' }),
    centre: exact('The median of the readings'),
    sd: exact('How widely they scatter'),
    readings: Type.Integer({ minimum: 0, description: 'On how many days there were any' }),
  },
  { title: 'ScoreBaseline' },
);

const ScoreInputSource = Type.Object(
  {
    provider: Type.String({ description: 'Provider identifier' }),
    device_id: Type.String({ description: 'Device identifier' }),
  },
  { title: 'ScoreInputSource' },
);

const ScoreInput = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID; `daily/explain` tells more' }),
    value: Nullable(exact('The daily value of the date; null when there is none')),
    unit: Type.String({ description: 'The unit of the value' }),
    source: Type.Unsafe<Static<typeof ScoreInputSource> | null>({
      anyOf: [ScoreInputSource, { type: 'null' }],
      description: 'Whose value it is; null for derived and missing ones',
    }),
  },
  { title: 'ScoreInput' },
);

const ScoreReadings = Type.Object(
  {
    metric: Type.String({ description: 'Metric ID' }),
    unit: Type.String({ description: 'The unit of the values' }),
    readings: Type.Array(
      Type.Object(
        { date: CalendarDate, value: exact('In the unit of the metric') },
        { title: 'ScoreReading' },
      ),
      { description: 'Oldest first; only days with a value that counts' },
    ),
  },
  { title: 'ScoreReadings' },
);

export const ScoreExplanation = Component(
  'ScoreExplanation',
  Type.Object(
    {
      type: Type.String({ description: 'Score ID' }),
      date: CalendarDate,
      timezone: Type.String({ description: 'Which days are cut by' }),
      name: Type.String({ description: 'What people call it' }),
      state: Words(['published', 'pending', 'none'], {
        description:
          '`published`: what is shown is what the data give. `pending`: the data give something else, which is not shown yet. ' +
          '`none`: there is no score and the data give none',
      }),
      value: Nullable(Type.Number({ description: 'As `scores` shows it; null when there is none' })),
      computed_at: Nullable({ ...Timestamp, description: 'When that was published' }),
      current_value: Nullable(
        Type.Number({
          description: 'What the stored data give by the recipe; the lines below are about this one',
        }),
      ),
      up_to_date: Type.Boolean({ description: 'Whether what is shown is what the data give' }),
      why: Type.String({ description: 'The same in one sentence' }),
      recipe: ScoreRecipe,
      factors: Type.Array(RefTo(ScoreFactor), { description: 'Of the value that is shown' }),
      ingredients: Type.Array(ScoreIngredient, {
        description: 'In the order of the recipe; only those that there were data for',
      }),
      baselines: Type.Array(ScoreBaseline, {
        description: 'What is usual for the person, as the recipe used it',
      }),
      figures: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'number' },
        description:
          'Numbers on the way, by name: loads in units of training impulse, `usual_…` in the unit of the metric, `…_percent` in percent',
      }),
      inputs: Type.Array(ScoreInput, { description: 'Daily values of the date that were looked at' }),
      history: Type.Array(ScoreReadings, {
        description: 'Daily values of the 60 days before, where norms and trends are made of them',
      }),
      other: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Whatever else went in, by name: of the profile, of samples, of other scores. `heart_rate_minutes` is [minutes, bpm], `rated_sessions` is ' +
          '[perceived exertion, minutes], `zone_minutes` has a number for each of the five zones; weights are in kg, heart rates in bpm',
      }),
      missing: Type.Array(Type.String(), {
        description: 'Parts of the recipe that there were no data for',
      }),
    },
    { description: 'Why a score is what it is' },
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
  why: 'Recovery is 57.8 (moderate): from the neutral 50, sleep adds 7.8.',
  recipe: {
    version: 1,
    neutral: 50,
    higher_is: 'better',
    band: 'moderate',
    minimum:
      'heart rate variability or resting heart rate of the date with 3 earlier readings of it, and 0.45 of the weight in all',
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
    },
    {
      name: 'sleep',
      weight: 0.25,
      share: 0.5555555555555556,
      sub_score: 64,
      contribution: 7.777777777777778,
    },
  ],
  baselines: [
    { input: 'resting_heart_rate', transform: 'none', centre: 56, sd: 2.777460299317654, readings: 20 },
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
  other: { sleep_score: 82 },
  missing: ['hrv_today', 'hrv_trend', 'load_balance', 'respiratory_rate', 'body_temperature'],
} satisfies ScoreExplanationWire;
