import { Type, type Static } from 'typebox';

/** Names of dashboard users by ID. Removed users have no entry. */
const OperatorNames = Type.Object({ names: Type.Record(Type.String(), Type.String()) });
export type OperatorNamesWire = Static<typeof OperatorNames>;

export const nameOperations = { listOperatorNames: { response: { 200: OperatorNames } } };
