import { Type } from 'typebox';
import { AuditEntryList, exampleAuditEntry } from '../resources/audit.ts';
import { auditActions } from '../names.ts';
import { jsonResponse, authenticatedErrors, errors, type Operation } from '../openapi/operation.ts';
import { RefTo, Words } from '../openapi/schema.ts';
import { cursorParameter } from './read-parameters.ts';

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const listAudit = {
  operationId: 'listAudit',
  summary: 'Read the audit log',
  description:
    "Lists audited actions, newest first: everything in the key's environment, and actions that concern the account as a whole. Entries appear a " +
    'few hundredths of a second after the action. With several filters, a page can contain fewer entries than requested, or none, while more ' +
    'exist: continue until `next_cursor` is null. Entries are never changed or removed, except `text`, which is erased when the person it ' +
    'describes is forgotten.',
  tags: ['Audit'],
  querystring: Type.Object(
    {
      action: Type.Optional(Words(auditActions, { description: 'Only entries with this action.' })),
      target_id: Id('Only actions on this target.'),
      actor_id: Id('Only actions by this actor.'),
      since: Time('Only entries at or after this time.'),
      until: Time('Only entries before this time.'),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Entries per page, 1 to 100. Default 50.' }),
      ),
      cursor: cursorParameter(
        'The `next_cursor` of the previous response. Send the same other parameters, or none.',
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: jsonResponse('The audit entries.', RefTo(AuditEntryList), {
      data: [exampleAuditEntry],
      next_cursor: null,
    }),
    ...errors('invalid_request', 'invalid_cursor', ...authenticatedErrors),
  },
} satisfies Operation;
