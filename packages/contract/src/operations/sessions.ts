import { Type } from 'typebox';
import { authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { exampleSleepListItem, exampleSleepSession, sleepListResponse } from '../resources/sleep.ts';
import {
  exampleWorkoutDetail,
  exampleWorkoutListItem,
  exampleWorkoutSession,
  WorkoutDetail,
  workoutListResponse,
} from '../resources/workout.ts';
import {
  form1Dates,
  form2Dates,
  FormReadHeaders,
  IncludeSources,
  cacheableResponse,
  cacheableResponseInForms,
  ReadHeaders,
  UnitSystem,
  UserPath,
  cursorParameter,
} from './read-parameters.ts';

const WorkoutPath = Type.Object({
  ...UserPath.properties,
  workout_id: Type.String({ description: 'Workout identifier.', examples: [exampleWorkoutDetail.id] }),
});

/**
 * Parameters of both forms. A request may use those of one form only. They have no examples or defaults, because tools that build sample
 * requests would send all of them at once.
 */
const sleepParameters = {
  ...form1Dates(366),
  ...form2Dates,
  unit_system: UnitSystem,
  include_sources: IncludeSources,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Form 2. Sessions per page, 1 to 100. Default 50.',
    }),
  ),
  cursor: cursorParameter(
    'Form 2. The `next_cursor` of the previous response. Parameters that you omit are taken from it.',
  ),
};

const workoutParameters = {
  ...sleepParameters,
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Form 1. Page number, starting at 1. Default 1.',
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Form 1. Workouts per page, 1 to 100. Default 20.',
    }),
  ),
};

const listErrors = errors(
  'invalid_request',
  'mixed_forms',
  'invalid_cursor',
  ...authenticatedErrors,
  'wrong_user',
  'not_found',
);

export const listSleep = {
  operationId: 'listSleep',
  summary: 'List sleep sessions',
  description:
    'Returns nights and naps, newest first, each on the day it ends. If several devices recorded the same session, the best-ranked one is ' +
    'returned. A user token can read its own user.',
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(sleepParameters, { additionalProperties: false }),
  response: {
    ...cacheableResponseInForms(
      'The sleep sessions.',
      { schema: sleepListResponse.form1, example: { data: [exampleSleepSession] } },
      {
        schema: sleepListResponse.form2,
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
    'Returns workouts, newest first, each on the day it starts. If several devices recorded the same workout, the best-ranked record is ' +
    'returned. Form 1 pages by number and returns an exact total. Form 2 pages by cursor. A user token can read its own user.',
  tags: ['Data'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object(workoutParameters, { additionalProperties: false }),
  response: {
    ...cacheableResponseInForms(
      'The workouts.',
      {
        schema: workoutListResponse.form1,
        example: { data: [exampleWorkoutSession], meta: { page: 1, per_page: 20, total: 1 } },
      },
      {
        schema: workoutListResponse.form2,
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
    'Returns the workout with additional measurements and, if there is one, the heart rate trace in equal intervals. A user token can read its own user.',
  tags: ['Data'],
  headers: ReadHeaders,
  params: WorkoutPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...cacheableResponse('The workout.', RefTo(WorkoutDetail), exampleWorkoutDetail),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found', 'workout_not_found'),
  },
} satisfies Operation;
