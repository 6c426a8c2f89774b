import { Type, type Static } from 'typebox';
import { CalendarDate, Nullable, Timestamp } from '../schema.ts';
import { Environment } from './environment.ts';

/** Samples as two columns: a tenth of what they take as objects. */
const SampleColumns = Type.Object({
  metric: Type.String(),
  unit: Type.String(),
  start: Nullable(Timestamp),
  seconds: Type.Array(Type.Number(), {
    description: 'Seconds from the sample before; the first is 0, at `start`',
  }),
  values: Type.Array(Type.Number()),
});
export type SampleColumnsWire = Static<typeof SampleColumns>;

export const sampleOperations = {
  getSamples: {
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    querystring: Type.Object(
      {
        environment: Environment,
        metric: Type.String({ minLength: 1, maxLength: 100 }),
        from: CalendarDate,
        to: CalendarDate,
      },
      { additionalProperties: false },
    ),
    response: { 200: SampleColumns },
  },
};
