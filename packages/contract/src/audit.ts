import { Type, type Static } from 'typebox';
import { auditActions } from './names.ts';
import { Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

/**
 * Who can do something: a key, a phone, a person on a page of ours, an operator in the dashboard or at the command line, or the service by
 * itself.
 */
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
          'The id of a key, a session, a person or an operator; `user@host` at the command line; the name of a job',
      }),
    },
    { description: 'Who did it' },
  ),
  target: Type.Object(
    { type: Type.String({ description: 'What it is' }), id: Type.String({ description: 'Its id' }) },
    { description: 'What it was done to' },
  ),
};

export const AuditEntry = Component(
  'AuditEntry',
  Type.Object(
    {
      id: Type.String({ description: 'Audit entry identifier' }),
      position: Type.Integer({
        description: "Its place in the account's chain, of which both environments are part",
      }),
      at: Timestamp,
      environment: Nullable(
        Words(['live', 'sandbox'], { description: 'Null for what concerns the account as a whole' }),
      ),
      action: Words(auditActions),
      actor: reference.actor,
      target: reference.target,
      address: Nullable(
        Type.String({
          description: 'From where it was done; where that is the address of a person, it stands in `text`',
        }),
      ),
      request_id: Nullable(Type.String({ description: 'The `Request-Id` of the call, if it was one' })),
      details: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Names of fields, states, counts. Never a measured value or a secret',
      }),
      text: Type.Unsafe<Record<string, string | null> | null>({
        type: ['object', 'null'],
        additionalProperties: { type: ['string', 'null'] },
        description:
          'What it says about a person: a mail address, a name; never from where a person answered. Null for none, and once the person is forgotten',
      }),
      hash: Type.String({
        description: 'SHA-256 over the entry and the hash of the entry before it, in hexadecimal',
      }),
    },
    { description: 'Something that somebody did' },
  ),
);

export const AuditEntryList = Component(
  'AuditEntryList',
  Type.Object(
    {
      data: Type.Array(RefTo(AuditEntry)),
      next_cursor: Nullable(Type.String({ description: 'Send it back as `cursor`; null ends the list' })),
    },
    { description: 'A stretch of the audit log, newest first' },
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
