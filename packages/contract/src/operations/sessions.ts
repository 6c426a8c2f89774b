import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { exampleSleepListItem, exampleSleepSession, sleepListAnswer } from '../sleep.ts';
import {
  exampleWorkoutDetail,
  exampleWorkoutListItem,
  exampleWorkoutSession,
  WorkoutDetail,
  workoutListAnswer,
} from '../workout.ts';
import {
  form1Dates,
  form2Dates,
  FormReadHeaders,
  IncludeSources,
  readAnswer,
  readAnswerInForms,
  ReadHeaders,
  UnitSystem,
  UserPath,
} from './read-parameters.ts';

const WorkoutPath = Type.Object({
  ...UserPath.properties,
  workout_id: Type.String({ description: 'Workout identifier', examples: [exampleWorkoutDetail.id] }),
});

/**
 * Both forms' parameters; a request may use those of one form only. They carry no examples and no defaults, because tools that build
 * sample requests would send all of them at once.
 */
const sleepParameters = {
  ...form1Dates(366),
  ...form2Dates,
  unit_system: UnitSystem,
  include_sources: IncludeSources,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Form 2. Sessions an answer; 50 when absent' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Form 2. The `next_cursor` of the answer before; what is left out comes from it',
    }),
  ),
};

const workoutParameters = {
  ...sleepParameters,
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Form 1. From 1, which is the default' }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Form 1. Workouts a page; 20 when absent' }),
  ),
};

const listErrors = errors(
  'invalid_request',
  'mixed_forms',
  'invalid_cursor',
  ...authenticatedErrors,
  'wrong_user',
  'not_found',
  'invalid_filter',
);

export const listSleep = {
  operationId: 'listSleep',
  summary: 'List sleep',
  description:
    'Nights and naps, newest first, each on the day it ends on. Where several devices tell of one, the best of them is heard. Also open to a ' +
    'user token, for its own user.',
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(sleepParameters, { additionalProperties: false }),
  response: {
    ...readAnswerInForms(
      'Sleep sessions',
      { schema: sleepListAnswer.form1, example: { data: [exampleSleepSession] } },
      {
        schema: sleepListAnswer.form2,
        example: {
          from_date: '2026-02-01',
          to_date: '2026-03-02',
          data: [exampleSleepListItem],
          next_cursor: null,
        },
      },
    ),
    ...listErrors,
  },
} satisfies Operation;

export const listWorkouts = {
  operationId: 'listWorkouts',
  summary: 'List workouts',
  description:
    'Newest first, each on the day it starts on. Of several tellings of one workout the best is kept. Form 1 pages by number and counts ' +
    'exactly; Form 2 pages by cursor. Also open to a user token, for its own user.',
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(workoutParameters, { additionalProperties: false }),
  response: {
    ...readAnswerInForms(
      'Workouts',
      {
        schema: workoutListAnswer.form1,
        example: { data: [exampleWorkoutSession], meta: { page: 1, per_page: 20, total: 1 } },
      },
      {
        schema: workoutListAnswer.form2,
        example: {
          from_date: '2026-02-01',
          to_date: '2026-03-02',
          data: [exampleWorkoutListItem],
          next_cursor: null,
        },
      },
    ),
    ...listErrors,
  },
} satisfies Operation;

export const getWorkout = {
  operationId: 'getWorkout',
  summary: 'Get a workout',
  description:
    'With further measurements and, where there is one, the trace of the heart rate in equal steps. Also open to a user token, for its own user.',
  tags: ['Data'],
  headers: ReadHeaders,
  params: WorkoutPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...readAnswer('The workout', RefTo(WorkoutDetail), exampleWorkoutDetail),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found', 'workout_not_found'),
  },
} satisfies Operation;
