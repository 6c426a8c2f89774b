import { Type, type Static } from 'typebox';
import { Component, Timestamp, Words } from '../openapi/schema.ts';

/** Categories of data that a mobile token may be limited to. Stored by position, so new ones are added at the end. */
export const scopes = [
  'activity',
  'sleep',
  'vitals',
  'body_composition',
  'energy',
  'nutrition',
  'scores',
  'reproductive_health',
] as const;
export type Scope = (typeof scopes)[number];

/** Categories that a person has to turn on. They are never part of a default. */
export const optInScopes: readonly Scope[] = ['reproductive_health'];

/** The scopes of tokens, sessions and connections that name none. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => !optInScopes.includes(scope));

export const Token = Component(
  'Token',
  Type.Object(
    {
      token: Type.String({
        description: 'Send it as `Authorization: Bearer`, or pass it to the Mobile SDK.',
      }),
      user_id: Type.String({ description: 'The user the token is for.' }),
      expires_at: Timestamp,
    },
    { description: 'A credential for one user, returned once.' },
  ),
);
export type TokenWire = Static<typeof Token>;

const userId = Type.String({ minLength: 1, maxLength: 64, description: 'The user the token is for.' });

export const CreateUserToken = Component(
  'CreateUserToken',
  Type.Object({ user_id: userId }, { description: 'The user to issue a user token for.' }),
);

export const CreateMobileToken = Component(
  'CreateMobileToken',
  Type.Object(
    {
      user_id: userId,
      scopes: Type.Optional(
        Type.Array(Words(scopes), {
          minItems: 1,
          maxItems: scopes.length,
          uniqueItems: true,
          description:
            'Categories the phone may upload. Default all except `reproductive_health`, which has to be named.',
        }),
      ),
    },
    { description: 'The user to issue a mobile token for, and what it may upload.' },
  ),
);

export const exampleUserToken: TokenWire = {
  token: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjAxOTNiN2UyIn0.eyJzdWIiOiJ1c2VyXzAxamNxejR3In0.c2lnbmF0dXJl',
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  expires_at: '2026-03-02T08:14:31.000Z',
};

export const exampleMobileToken: TokenWire = {
  token: 'mt_<43 characters and a checksum>',
  user_id: 'user_01jcqz4w5ve9prdk6r9f4vg1yx',
  expires_at: '2026-03-02T07:19:31.000Z',
};
