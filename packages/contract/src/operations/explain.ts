import { Type } from 'typebox';
import {
  DailyExplanation,
  exampleDailyExplanation,
  exampleSleepExplanation,
  exampleWorkoutExplanation,
  SleepExplanation,
  WorkoutExplanation,
} from '../explanation.ts';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { CalendarDate, RefTo } from '../schema.ts';
import { readAnswer, ReadHeaders, UserPath } from './read-parameters.ts';

const shared = { tags: ['Data'], headers: ReadHeaders };
const nothing = Type.Object({}, { additionalProperties: false });

export const explainDaily = {
  ...shared,
  operationId: 'explainDaily',
  summary: 'Explain a daily value',
  description:
    'Why the value of a metric and day is what it is: every device that has one, with its rank, its value before and after conversion, and the ' +
    'uploads it rests on; the method in force and who chose it; which device won, and why each other did not. A day without a value is ' +
    'explained too. Shows what devices said, in normalized form, and therefore takes an API key.',
  params: UserPath,
  querystring: Type.Object(
    {
      metric: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The ID of a daily metric; scores are explained by their factors',
        examples: [exampleDailyExplanation.metric],
      }),
      date: {
        ...CalendarDate,
        description: "The day in the user's timezone, YYYY-MM-DD",
        examples: [exampleDailyExplanation.date],
      },
    },
    { additionalProperties: false },
  ),
  response: {
    ...readAnswer('The explanation', RefTo(DailyExplanation), exampleDailyExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const explainSleep = {
  ...shared,
  operationId: 'explainSleep',
  summary: 'Explain a sleep session',
  description:
    'Whose telling of a night or nap shows and why, which sessions of other devices it stands for, which are left out by the settings, and ' +
    'why it is the main sleep of its day or is not. Takes an API key.',
  params: Type.Object({
    ...UserPath.properties,
    sleep_id: Type.String({
      description: 'Sleep session identifier',
      examples: [exampleSleepExplanation.id],
    }),
  }),
  querystring: nothing,
  response: {
    ...readAnswer('The explanation', RefTo(SleepExplanation), exampleSleepExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const explainWorkout = {
  ...shared,
  operationId: 'explainWorkout',
  summary: 'Explain a workout',
  description:
    'Whose telling of a workout shows and why, and which ones of other devices it stands for. Takes an API key.',
  params: Type.Object({
    ...UserPath.properties,
    workout_id: Type.String({
      description: 'Workout identifier',
      examples: [exampleWorkoutExplanation.id],
    }),
  }),
  querystring: nothing,
  response: {
    ...readAnswer('The explanation', RefTo(WorkoutExplanation), exampleWorkoutExplanation),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found', 'workout_not_found'),
  },
} satisfies Operation;
