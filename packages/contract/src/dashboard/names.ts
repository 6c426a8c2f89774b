import { Type, type Static } from 'typebox';

/** Names of colleagues by their ids; who was removed has none any more. */
const OperatorNames = Type.Object({ names: Type.Record(Type.String(), Type.String()) });
export type OperatorNamesWire = Static<typeof OperatorNames>;

export const nameOperations = { listOperatorNames: { response: { 200: OperatorNames } } };
