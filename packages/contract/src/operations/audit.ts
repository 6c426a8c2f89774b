import { Type } from 'typebox';
import { AuditEntryList, exampleAuditEntry } from '../audit.ts';
import { auditActions } from '../names.ts';
import { answer, authenticatedErrors, errors, type Operation } from '../operation.ts';
import { RefTo, Words } from '../schema.ts';

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const listAudit = {
  operationId: 'listAudit',
  summary: 'Read the audit log',
  description:
    'Who did what to what, newest first: everything in the environment of the key, and what concerns the account as a whole. Entries show up some hundredths of a second after what they tell of. ' +
    'With several filters an answer may hold fewer than asked for, or none, while there are more: go on until `next_cursor` is null. Nothing is ever changed or removed, apart from `text`, which goes when its person is forgotten.',
  tags: ['Audit'],
  querystring: Type.Object(
    {
      action: Type.Optional(Words(auditActions, { description: 'Only this' })),
      target_id: Id('Only what was done to this'),
      actor_id: Id('Only what was done by this'),
      since: Time('Only from then on'),
      until: Time('Only before then'),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Entries an answer, at most; default 50' }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'The `next_cursor` of the answer before, with the same other parameters or none',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: answer('The entries', RefTo(AuditEntryList), { data: [exampleAuditEntry], next_cursor: null }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors, 'invalid_filter'),
  },
} satisfies Operation;
