import { Type } from 'typebox';
import {
  jsonResponseInForms,
  authenticatedErrors,
  errors,
  evenSuspendedErrors,
  FormHeader,
  type Operation,
} from '../openapi/operation.ts';
import { RefTo, textRule } from '../openapi/schema.ts';
import { cursorParameter, FormReadHeaders, cacheableResponseInForms, UserPath } from './read-parameters.ts';
import {
  CreateUser,
  exampleUser,
  exampleUserDetail,
  referenceId,
  UpdateUser,
  userResponse,
  userDeletionResponse,
  userListResponse,
} from '../resources/user.ts';

const oneUser = {
  form1: { schema: userResponse.form1, example: { data: exampleUserDetail } },
  form2: { schema: userResponse.form2, example: exampleUserDetail },
};

const formErrors = ['invalid_request', 'mixed_forms'] as const;

export const createUser = {
  operationId: 'createUser',
  summary: 'Create a user',
  description: "Creates a user in the key's environment. Not idempotent: a duplicate reference is rejected.",
  tags: ['Users'],
  headers: FormHeader,
  body: RefTo(CreateUser),
  bodyExamples: {
    form_1: { reference_id: 'ada', timezone: 'Europe/Berlin', profile: { birth_date: '1990-04-12' } },
    form_2: { external_ref: 'ada', timezone: 'Europe/Berlin' },
  },
  response: {
    201: jsonResponseInForms('The created user.', oneUser.form1, oneUser.form2),
    ...errors(...formErrors, ...authenticatedErrors, 'reference_id_taken', 'payload_too_large'),
  },
} satisfies Operation;

/**
 * Parameters of both forms. A request may use those of one form only. They have no examples or defaults, because tools that build sample
 * requests would send all of them at once.
 */
const ListUsersQuery = Type.Object(
  {
    reference_id: Type.Optional(
      Type.String({
        ...referenceId,
        description: `Form 1. Exact match. ${textRule}`,
      }),
    ),
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
        description: 'Form 1. Users per page, 1 to 100. Default 20.',
      }),
    ),
    external_ref: Type.Optional(
      Type.String({
        ...referenceId,
        description: `Form 2. Exact match. ${textRule}`,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Form 2. Users per page, 1 to 100. Default 50.',
      }),
    ),
    cursor: cursorParameter('Form 2. The `next_cursor` of the previous response.'),
  },
  { additionalProperties: false },
);

export const listUsers = {
  operationId: 'listUsers',
  summary: 'List users',
  description:
    'Lists users, newest first. Form 1 pages by number and returns an exact total. Form 2 pages by cursor.',
  tags: ['Users'],
  headers: FormReadHeaders,
  querystring: ListUsersQuery,
  response: {
    ...cacheableResponseInForms(
      'A page of users.',
      {
        schema: userListResponse.form1,
        example: { data: [exampleUser], meta: { page: 1, per_page: 20, total: 1 } },
      },
      { schema: userListResponse.form2, example: { data: [exampleUser], next_cursor: null } },
    ),
    ...errors(...formErrors, 'invalid_cursor', ...authenticatedErrors, 'invalid_filter'),
  },
} satisfies Operation;

export const getUser = {
  operationId: 'getUser',
  summary: 'Get a user',
  description: 'Returns the user with profile, devices, sync state and score state.',
  tags: ['Users'],
  headers: FormReadHeaders,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    ...cacheableResponseInForms('The user.', oneUser.form1, oneUser.form2),
    ...errors('invalid_request', ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const updateUser = {
  operationId: 'updateUser',
  summary: 'Update a user',
  description:
    'Changes only the supplied fields. A new time zone applies from now on: the current day ends at midnight there, and earlier days stay as they are. `timezone_effective_from` applies it to earlier days, too. The service splits the affected data into days again within moments.',
  tags: ['Users'],
  headers: FormHeader,
  params: UserPath,
  body: RefTo(UpdateUser),
  bodyExamples: {
    move: { timezone: 'America/New_York' },
    correct_history: { timezone: 'America/New_York', timezone_effective_from: '2026-02-01' },
    profile: { profile: { height_cm: 172, max_heart_rate: null, goals: { steps: 9000 } } },
  },
  response: {
    200: jsonResponseInForms('The updated user.', oneUser.form1, oneUser.form2),
    ...errors(...formErrors, ...authenticatedErrors, 'not_found', 'reference_id_taken', 'payload_too_large'),
  },
} satisfies Operation;

export const deleteUser = {
  operationId: 'deleteUser',
  summary: 'Delete a user',
  description:
    'Irreversible. The user disappears from every read immediately, and the reference can be used again. All stored data of the user is erased within moments.',
  tags: ['Users'],
  headers: FormHeader,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    202: jsonResponseInForms(
      'Deletion accepted.',
      { schema: userDeletionResponse.form1, example: { data: { id: exampleUser.id, status: 'deleting' } } },
      { schema: userDeletionResponse.form2, example: { id: exampleUser.id, status: 'deleting' } },
    ),
    ...errors('invalid_request', ...evenSuspendedErrors, 'not_found', 'payload_too_large'),
  },
} satisfies Operation;
