import { Type } from 'typebox';
import { Words } from '../schema.ts';

export const Environment = Words(['live', 'sandbox']);

/** Calls that concern one environment say which. */
export const InEnvironment = Type.Object({ environment: Environment }, { additionalProperties: false });

/** How many there are; counting stops at ten thousand, of deliveries that wait at a thousand, and `more` says that there are more. */
export const Count = Type.Object({ value: Type.Integer(), more: Type.Boolean() });
