import { Type, type Static } from 'typebox';
import { Nullable, Timestamp, Words } from '../openapi/schema.ts';

const KeyRow = Type.Object({
  id: Type.String(),
  environment: Words(['live', 'sandbox']),
  prefix: Type.String(),
  last_four: Type.String(),
  status: Words(['active', 'expired', 'revoked']),
  created_at: Timestamp,
  created_by: Nullable(Type.String()),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  last_used_address: Nullable(Type.String()),
});
export type KeyRowWire = Static<typeof KeyRow>;

export const keyOperations = {
  listKeys: { response: { 200: Type.Object({ data: Type.Array(KeyRow) }) } },
  createKey: {
    body: Type.Object({ environment: Words(['live', 'sandbox']) }, { additionalProperties: false }),
    response: { 201: Type.Object({ key: Type.String(), data: KeyRow }) },
  },
  revokeKey: { params: Type.Object({ id: Type.String({ maxLength: 100 }) }) },
};
