import { Type } from 'typebox';
import { AccessRecordList, exampleAccessRecord } from '../resources/access-record.ts';
import { jsonResponse, authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { cursorParameter } from './read-parameters.ts';

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));
const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const listAccessRecords = {
  operationId: 'listAccessRecords',
  summary: 'List who read which data',
  description:
    "Lists reads of users' data in the key's environment, newest first: the credential, the user, the operation, the days that were requested and " +
    'the time, but never the data itself. A record appears about a second after its read. With several filters, or with only `operation`, a page ' +
    'can contain fewer records than requested, or none, while more exist: continue until `next_cursor` is null. Records are kept after the user ' +
    'is deleted, until their retention ends.',
  tags: ['Audit'],
  querystring: Type.Object(
    {
      user_id: Id(
        'Only reads of this user. They do not include responses about several users, whose `user_id` is null.',
      ),
      credential_id: Id('Only reads with this API key, user token or dashboard user.'),
      operation: Id('Only this operation.'),
      from: Time('Only reads at or after this time.'),
      to: Time('Only reads before this time.'),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Records per page, 1 to 100. Default 50.' }),
      ),
      cursor: cursorParameter(
        'The `next_cursor` of the previous response. Send the same other parameters, or none.',
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The access records.', RefTo(AccessRecordList), {
      data: [exampleAccessRecord],
      next_cursor: null,
    }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors),
  },
} satisfies Operation;
