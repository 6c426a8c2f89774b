import { Type, type Static } from 'typebox';
import { auditActions } from '../names.ts';
import { Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Who performed an action: an API key, a phone, a person on a hosted page, a user of the dashboard or the command line, or the service itself. */
export const actorTypes = [
  'api_key',
  'sdk_session',
  'person',
  'operator',
  'command_line',
  'service',
] as const;

export type ActorType = (typeof actorTypes)[number];

const reference = {
  actor: Type.Object(
    {
      type: Words(actorTypes),
      id: Type.String({
        description:
          'The id of a key, session, person or operator, `user@host` for the command line, or the name of a job.',
      }),
    },
    { description: 'The actor that performed the action.' },
  ),
  target: Type.Object(
    {
      type: Type.String({ description: 'The type of the target.' }),
      id: Type.String({ description: 'The id of the target.' }),
    },
    { description: 'The target of the action.' },
  ),
};

export const AuditEntry = Component(
  'AuditEntry',
  Type.Object(
    {
      id: Type.String({ description: 'Audit entry identifier.' }),
      position: Type.Integer({
        description: "Position in the account's chain, which includes both environments.",
      }),
      at: Timestamp,
      environment: Nullable(
        Words(['live', 'sandbox'], { description: 'Null for actions that concern the account as a whole.' }),
      ),
      action: Words(auditActions),
      actor: reference.actor,
      target: reference.target,
      address: Nullable(
        Type.String({
          description:
            'Network address that the action came from. Null for SDK sessions, whose address is in `text`, and for people.',
        }),
      ),
      request_id: Nullable(
        Type.String({ description: 'The `Request-Id` of the API request. Null if there was none.' }),
      ),
      details: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Field names, states and counts. Never a measured value or a secret.',
      }),
      text: Type.Unsafe<Record<string, string | null> | null>({
        type: ['object', 'null'],
        additionalProperties: { type: ['string', 'null'] },
        description:
          'Information about a person, such as an email address or a name. Never the network address a person replied from. Null if there is none, and ' +
          'after the person is forgotten.',
      }),
      hash: Type.String({
        description: 'SHA-256 over the entry and the hash of the previous entry, in hexadecimal.',
      }),
    },
    { description: 'An audited action.' },
  ),
);

export const AuditEntryList = Component(
  'AuditEntryList',
  Type.Object(
    {
      data: Type.Array(RefTo(AuditEntry)),
      next_cursor: Nullable(
        Type.String({ description: 'Send it back as `cursor`. Null at the end of the list.' }),
      ),
    },
    { description: 'A page of the audit log, newest first.' },
  ),
);

export type AuditEntryWire = Static<typeof AuditEntry>;

export const exampleAuditEntry: AuditEntryWire = {
  id: 'aud_01jcqz7m3ye5xvv9b1s6k0n4pd',
  position: 42,
  at: '2026-03-02T07:14:31.120Z',
  environment: 'live',
  action: 'user.updated',
  actor: { type: 'api_key', id: 'key_01jcqz4w5ve9prdk6r9f4vg1yx' },
  target: { type: 'user', id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx' },
  address: '203.0.113.7',
  request_id: 'req_5a3c2b1a0d1z',
  details: { fields: ['timezone'] },
  text: null,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
