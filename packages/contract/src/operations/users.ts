import { Type } from 'typebox';
import {
  answer,
  answerInForms,
  authenticatedErrors,
  errors,
  FormHeader,
  type Operation,
} from '../operation.ts';
import { Device, exampleDevice } from '../device.ts';
import { Nullable, RefTo } from '../schema.ts';
import {
  CreateUserBody,
  exampleUser,
  exampleUserDetail,
  UpdateUserBody,
  User,
  UserDeletion,
  UserDetail,
} from '../user.ts';

const UserPath = Type.Object({
  id: Type.String({ description: 'User identifier, such as `user_01jcqz4w5ve9prdk6r9f4vg1yx`' }),
});

export const UserForm1 = Type.Object({ data: RefTo(UserDetail) });
export const UserForm2 = RefTo(UserDetail);
export const UserListForm1 = Type.Object({
  data: Type.Array(RefTo(User)),
  meta: Type.Object({ page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() }),
});
export const UserListForm2 = Type.Object({
  data: Type.Array(RefTo(User)),
  next_cursor: Nullable(Type.String({ description: 'Send it back as `cursor`; null ends the list' })),
});
export const UserDeletionForm1 = Type.Object({ data: RefTo(UserDeletion) });
export const UserDeletionForm2 = RefTo(UserDeletion);

const oneUser = {
  form1: { schema: UserForm1, example: { data: exampleUserDetail } },
  form2: { schema: UserForm2, example: exampleUserDetail },
};

const formErrors = ['invalid_request', 'mixed_forms'] as const;

export const createUser = {
  operationId: 'createUser',
  summary: 'Create a user',
  description:
    'Creates a user in the environment of the key. Not idempotent: a repeated reference is refused.',
  tags: ['Users'],
  headers: FormHeader,
  body: CreateUserBody,
  response: {
    201: answerInForms('The created user', oneUser.form1, oneUser.form2),
    ...errors(...formErrors, ...authenticatedErrors, 'reference_id_taken', 'payload_too_large'),
  },
} satisfies Operation;

/** Both forms' parameters; a request may use those of one form only. */
export const ListUsersQuery = Type.Object(
  {
    reference_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, format: 'text', description: 'Form 1. Exact match' }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Form 1. From 1; default 1' }),
    ),
    per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Form 1. Default 20' })),
    external_ref: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, format: 'text', description: 'Form 2. Exact match' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Form 2. Default 50' })),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Form 2. The `next_cursor` of the page before',
      }),
    ),
  },
  { additionalProperties: false },
);

export const listUsers = {
  operationId: 'listUsers',
  summary: 'List users',
  description: 'Newest first. Form 1 pages by number and counts exactly; Form 2 pages by cursor.',
  tags: ['Users'],
  headers: FormHeader,
  querystring: ListUsersQuery,
  response: {
    200: answerInForms(
      'A page of users',
      {
        schema: UserListForm1,
        example: { data: [exampleUser], meta: { page: 1, per_page: 20, total: 1 } },
      },
      { schema: UserListForm2, example: { data: [exampleUser], next_cursor: null } },
    ),
    ...errors(...formErrors, 'invalid_cursor', ...authenticatedErrors, 'invalid_filter'),
  },
} satisfies Operation;

export const getUser = {
  operationId: 'getUser',
  summary: 'Get a user',
  description: 'With profile, devices, sync state and score state.',
  tags: ['Users'],
  headers: FormHeader,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: answerInForms('The user', oneUser.form1, oneUser.form2),
    ...errors(...formErrors, ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const updateUser = {
  operationId: 'updateUser',
  summary: 'Update a user',
  description: 'Only the given fields change. A new timezone cuts the days anew.',
  tags: ['Users'],
  headers: FormHeader,
  params: UserPath,
  body: UpdateUserBody,
  response: {
    200: answerInForms('The updated user', oneUser.form1, oneUser.form2),
    ...errors(...formErrors, ...authenticatedErrors, 'not_found', 'reference_id_taken', 'payload_too_large'),
  },
} satisfies Operation;

export const deleteUser = {
  operationId: 'deleteUser',
  summary: 'Delete a user',
  description: 'Irreversible. The user is gone from every read at once and the reference is free again.',
  tags: ['Users'],
  headers: FormHeader,
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    202: answerInForms(
      'Deletion accepted',
      { schema: UserDeletionForm1, example: { data: { id: exampleUser.id, status: 'deleting' } } },
      { schema: UserDeletionForm2, example: { id: exampleUser.id, status: 'deleting' } },
    ),
    ...errors(...formErrors, ...authenticatedErrors, 'not_found'),
  },
} satisfies Operation;

export const listDevices = {
  operationId: 'listDevices',
  summary: "List a user's devices",
  description: 'Also open to a user token, for its own user.',
  tags: ['Devices'],
  params: UserPath,
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: answer('The devices of the user', Type.Object({ data: Type.Array(RefTo(Device)) }), {
      data: [exampleDevice],
    }),
    ...errors('invalid_request', ...authenticatedErrors, 'wrong_user', 'not_found'),
  },
} satisfies Operation;
