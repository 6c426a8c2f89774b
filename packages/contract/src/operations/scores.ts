import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { CalendarDate, RefTo } from '../openapi/schema.ts';
import { exampleScoreExplanation, ScoreExplanation } from '../resources/score-explanation.ts';
import {
  exampleScoreColumns,
  exampleScoreHistory,
  exampleScoreList,
  ScoreHistory,
  scoreListResponse,
} from '../resources/score.ts';
import {
  form2Dates,
  FormReadHeaders,
  includeMissing,
  IncludeSources,
  metricList,
  cacheableResponse,
  cacheableResponseInForms,
  ReadHeaders,
  UnitSystem,
  UserPath,
} from './read-parameters.ts';

const advice =
  'Scores describe wellness and training. They are not medical advice. They change at most a few times a day: cache a response for 5 to 15 minutes.';

export const listScores = {
  operationId: 'listScores',
  summary: 'List scores',
  description:
    'Form 1 returns the newest value of each of the six scores, at most 7 days old, with the factors that add up to it. Form 2 returns columns ' +
    "of the five scores; `stress_score` is a daily metric there, and is returned here if `types` names it. Days are calendar days in the user's time zone. A user token can read its own " +
    `user. ${advice}`,
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      types: metricList(
        'Form 2. Comma-separated score IDs. Default all five, which are all scores except `stress_score`.',
      ),
      ...form2Dates,
      unit_system: UnitSystem,
      include_sources: IncludeSources,
    },
    { additionalProperties: false },
  ),
  response: {
    ...cacheableResponseInForms(
      'The scores.',
      { schema: scoreListResponse.form1, example: exampleScoreList },
      { schema: scoreListResponse.form2, example: exampleScoreColumns },
    ),
    ...errors(
      'invalid_request',
      'mixed_forms',
      ...authenticatedErrors,
      'wrong_user',
      'not_found',
      'invalid_types',
    ),
  },
} satisfies Operation;

const date = (description: string, example: string) => ({
  ...CalendarDate,
  description,
  examples: [example],
});

export const listScoreHistory = {
  operationId: 'listScoreHistory',
  summary: 'List score history',
  description: `Returns scores day by day: one row for each value. A user token can read its own user. ${advice}`,
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      types: metricList('Comma-separated score IDs. Default all six.'),
      start_date: date('First day.', '2026-03-01'),
      end_date: date('Last day. The range is at most 366 days, inclusive.', '2026-03-02'),
      include_missing: includeMissing(''),
    },
    { additionalProperties: false },
  ),
  response: {
    ...cacheableResponse('The scores.', RefTo(ScoreHistory), exampleScoreHistory),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found', 'invalid_types'),
  },
} satisfies Operation;

export const explainScore = {
  operationId: 'explainScore',
  summary: 'Explain a score',
  description:
    "Explains a score of a day: its formula, every component with its weight and sub-score, the user's baselines, the daily values and earlier " +
    'days it was computed from, and what was missing. Numbers are exact, so you can recompute the score by hand. Days without the score are ' +
    `explained too. Requires an API key. ${advice}`,
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      type: Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Score ID: `recovery_score`, `strain_score`, `sleep_score`, `stress_score`, `nutrition_score` or `energy_reserve_score`.',
        examples: [exampleScoreExplanation.type],
      }),
      date: date("Day in the user's time zone, YYYY-MM-DD.", exampleScoreExplanation.date),
    },
    { additionalProperties: false },
  ),
  response: {
    ...cacheableResponse('The explanation.', RefTo(ScoreExplanation), exampleScoreExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;
