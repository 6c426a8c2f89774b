import { Type, type Static } from 'typebox';
import { Source } from './daily.ts';
import { Component, RefTo, Timestamp } from '../openapi/schema.ts';

export const Sample = Component(
  'Sample',
  Type.Object(
    {
      timestamp: Timestamp,
      metric: Type.String({ description: 'Metric ID.' }),
      value: Type.Number(),
      unit: Type.String({ description: 'The unit of the value.' }),
      source: Type.Optional(
        Type.Unsafe<Static<typeof Source> | null>({
          anyOf: [RefTo(Source), { type: 'null' }],
          description: 'Only with `include_sources=true`. Null for `stress_score`, which is derived.',
        }),
      ),
    },
    { description: 'One sample. With `resolution`, one interval, identified by its start.' },
  ),
);

export const SampleList = Component(
  'SampleList',
  Type.Object({ data: Type.Array(RefTo(Sample)) }, { description: 'Samples in order of time.' }),
);

export const exampleSamples = {
  data: [
    { timestamp: '2026-03-02T07:14:30.000Z', metric: 'heart_rate', value: 61, unit: 'bpm' },
    { timestamp: '2026-03-02T07:14:35.000Z', metric: 'heart_rate', value: 62, unit: 'bpm' },
  ],
} satisfies Static<typeof SampleList>;
