import { Type, type Static } from 'typebox';
import { Nullable, Timestamp, Words } from '../openapi/schema.ts';
import { Count, Environment } from './environment.ts';

const userFilters = ['not_syncing', 'no_device', 'deleting'] as const;
export type UserFilter = (typeof userFilters)[number];

const UserRow = Type.Object({
  id: Type.String(),
  reference_id: Type.String(),
  status: Words(['active', 'deleting']),
  timezone: Nullable(Type.String()),
  devices: Type.Integer(),
  not_syncing: Type.Integer({
    description: 'Devices whose provider returns no data, or whose consent has ended',
  }),
  has_scores: Type.Boolean(),
  last_sync_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type UserRowWire = Static<typeof UserRow>;

const UserRows = Type.Object({
  data: Type.Array(UserRow),
  next_cursor: Nullable(Type.String()),
  counts: Type.Object({ all: Count, not_syncing: Count, no_device: Count, deleting: Count }),
});
export type UserRowsWire = Static<typeof UserRows>;

/** Types of object that a pasted ID can belong to. */
const idMatchKinds = [
  'user',
  'device',
  'event',
  'webhook',
  'key',
  'invitation',
  'member',
  'operator',
  'operator_invitation',
  'batch',
] as const;

const IdMatch = Type.Object({
  kind: Words(idMatchKinds),
  id: Type.String({ description: 'ID of the item that the page shows' }),
  path: Type.String({ description: 'Path below the environment, such as `users/user_…`' }),
});
export type IdMatchWire = Static<typeof IdMatch>;

export const userRowOperations = {
  listUserRows: {
    querystring: Type.Object(
      {
        environment: Environment,
        search: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'text' })),
        filter: Type.Optional(Words(userFilters)),
        cursor: Type.Optional(Type.String({ maxLength: 500 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      },
      { additionalProperties: false },
    ),
    response: { 200: UserRows },
  },
  findById: {
    querystring: Type.Object(
      {
        environment: Environment,
        id: Type.String({ minLength: 1, maxLength: 100 }),
      },
      { additionalProperties: false },
    ),
    response: { 200: IdMatch },
  },
};
