import { Type } from 'typebox';
import { Words } from '../openapi/schema.ts';

export const Environment = Words(['live', 'sandbox']);

/** Parameters of calls that concern one environment. */
export const InEnvironment = Type.Object({ environment: Environment }, { additionalProperties: false });

/** A count with an upper bound: 10,000, or 1,000 for waiting deliveries. `more` is true if the actual number is higher. */
export const Count = Type.Object({ value: Type.Integer(), more: Type.Boolean() });
