import { Type } from 'typebox';
import {
  DailyExplanation,
  exampleDailyExplanation,
  exampleSleepExplanation,
  exampleWorkoutExplanation,
  SleepExplanation,
  WorkoutExplanation,
} from '../resources/explanation.ts';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { CalendarDate, RefTo } from '../openapi/schema.ts';
import { cacheableResponse, ReadHeaders, UserPath } from './read-parameters.ts';

const shared = { tags: ['Data'], headers: ReadHeaders };
const nothing = Type.Object({}, { additionalProperties: false });

export const explainDaily = {
  ...shared,
  operationId: 'explainDaily',
  summary: 'Explain a daily value',
  description:
    'Explains the value of a metric on a day: every device that reported one, with its rank, its value before and after conversion, and the ' +
    'uploads it is based on; the method in effect and who chose it; which device won, and why each other device did not. Days without a value ' +
    'are explained too. The response shows normalized values per device and therefore requires an API key.',
  params: UserPath,
  querystring: Type.Object(
    {
      metric: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'ID of a daily metric. Scores are explained by their factors.',
        examples: [exampleDailyExplanation.metric],
      }),
      date: {
        ...CalendarDate,
        description: "Day in the user's time zone, YYYY-MM-DD.",
        examples: [exampleDailyExplanation.date],
      },
    },
    { additionalProperties: false },
  ),
  response: {
    ...cacheableResponse('The explanation.', RefTo(DailyExplanation), exampleDailyExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const explainSleep = {
  ...shared,
  operationId: 'explainSleep',
  summary: 'Explain a sleep session',
  description:
    'Explains which device a night or nap came from and why, which sessions of other devices were merged into it, which sessions the settings ' +
    'exclude, and why it is or is not the main sleep of its day. Requires an API key.',
  params: Type.Object({
    ...UserPath.properties,
    sleep_id: Type.String({
      description: 'Sleep session identifier.',
      examples: [exampleSleepExplanation.id],
    }),
  }),
  querystring: nothing,
  response: {
    ...cacheableResponse('The explanation.', RefTo(SleepExplanation), exampleSleepExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const explainWorkout = {
  ...shared,
  operationId: 'explainWorkout',
  summary: 'Explain a workout',
  description:
    'Explains which device a workout came from and why, and which records of other devices were merged into it. Requires an API key.',
  params: Type.Object({
    ...UserPath.properties,
    workout_id: Type.String({
      description: 'Workout identifier.',
      examples: [exampleWorkoutExplanation.id],
    }),
  }),
  querystring: nothing,
  response: {
    ...cacheableResponse('The explanation.', RefTo(WorkoutExplanation), exampleWorkoutExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found', 'workout_not_found'),
  },
} satisfies Operation;
