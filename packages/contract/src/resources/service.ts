import { Type } from 'typebox';
import { Component, Words } from '../openapi/schema.ts';

export const Health = Component(
  'Health',
  Type.Object({ status: Words(['ok']) }, { description: 'The process is alive.' }),
);

export const Readiness = Component(
  'Readiness',
  Type.Object(
    {
      status: Words(['ready', 'not_ready']),
      checks: Type.Record(Type.String(), Type.String(), {
        description:
          'Each check with `ok`, `degraded: …` (requests are served without it) or `not ready: …`.',
      }),
    },
    { description: 'Whether the process can serve requests, and the result of each check.' },
  ),
);

const PublicKey = Type.Object(
  {
    kty: Type.String({ description: 'Key type: `OKP`.' }),
    crv: Type.String({ description: 'Curve: `Ed25519`.' }),
    x: Type.String({ description: 'The public key in base64url.' }),
    kid: Type.String({ description: 'The `kid` in the header of the tokens it verifies.' }),
    alg: Type.String({ description: '`EdDSA`.' }),
    use: Type.String({ description: '`sig`.' }),
  },
  { title: 'PublicKey', description: 'A JSON Web Key (RFC 7517, RFC 8037).' },
);

export const KeySet = Component(
  'KeySet',
  Type.Object({ keys: Type.Array(PublicKey) }, { description: 'A JSON Web Key Set.' }),
);

export const Description = Component(
  'Description',
  Type.Object(
    {
      openapi: Type.String(),
      info: Type.Object({ title: Type.String(), version: Type.String() }, { additionalProperties: true }),
      paths: Type.Object({}, { additionalProperties: true }),
    },
    { additionalProperties: true, description: 'An OpenAPI 3.1 document.' },
  ),
);
