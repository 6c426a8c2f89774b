import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { CalendarDate, RefTo } from '../schema.ts';
import { exampleScoreExplanation, ScoreExplanation } from '../score-explanation.ts';
import {
  exampleScoreColumns,
  exampleScoreHistory,
  exampleScoreList,
  ScoreHistory,
  scoreListAnswer,
} from '../score.ts';
import {
  form2Dates,
  FormReadHeaders,
  IncludeSources,
  metricList,
  readAnswer,
  readAnswerInForms,
  ReadHeaders,
  UnitSystem,
  UserPath,
} from './read-parameters.ts';

const advice =
  'Scores describe wellness and training; they are no medical advice. They change at most a few times a day: keep an answer for 5 to 15 minutes.';

export const listScores = {
  operationId: 'listScores',
  summary: 'Scores',
  description:
    'Form 1 answers the newest value of each of the six scores, no older than 7 days, with the factors that add up to it. Form 2 answers columns of the ' +
    'five scores; `stress_score` is a daily metric there. Days are calendar days in the timezone of the user. Also open to a user token, for its own ' +
    `user. ${advice}`,
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      types: metricList('Form 2. Score IDs with commas between; all five when absent'),
      ...form2Dates,
      unit_system: UnitSystem,
      include_sources: IncludeSources,
    },
    { additionalProperties: false },
  ),
  response: {
    ...readAnswerInForms(
      'The scores',
      { schema: scoreListAnswer.form1, example: exampleScoreList },
      { schema: scoreListAnswer.form2, example: exampleScoreColumns },
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
  summary: 'Score history',
  description: `Scores day by day. Also open to a user token, for its own user. ${advice}`,
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      types: metricList('Score IDs with commas between; all six when absent'),
      start_date: date('The first day', '2026-03-01'),
      end_date: date('The last day; at most 90 days in all, both included', '2026-03-02'),
    },
    { additionalProperties: false },
  ),
  response: {
    ...readAnswer('The scores', RefTo(ScoreHistory), exampleScoreHistory),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found', 'invalid_types'),
  },
} satisfies Operation;

export const explainScore = {
  operationId: 'explainScore',
  summary: 'Explain a score',
  description:
    'Why a score of a day is what it is: its recipe, every ingredient with weight and sub-score, what is usual for the person, the daily values and ' +
    'the days before that went in, and what was missing. Numbers are exact, so that the score can be worked out again by hand. A day without the ' +
    `score is explained too. Takes an API key. ${advice}`,
  tags: ['Data'],
  headers: ReadHeaders,
  params: UserPath,
  querystring: Type.Object(
    {
      type: Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Score ID: `recovery_score`, `strain_score`, `sleep_score`, `stress_score`, `nutrition_score`, `energy_reserve_score`',
        examples: [exampleScoreExplanation.type],
      }),
      date: date("The day in the user's timezone, YYYY-MM-DD", exampleScoreExplanation.date),
    },
    { additionalProperties: false },
  ),
  response: {
    ...readAnswer('The explanation', RefTo(ScoreExplanation), exampleScoreExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;
