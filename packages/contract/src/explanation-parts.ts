import { Type, type Static } from 'typebox';
import { Component, Nullable, Timestamp, Words } from './schema.ts';
import { deviceKinds } from './sdk-batch.ts';

/** What an answer lists at most; beyond that it says so. */
export const explanationLimits = { batches: 50, sessions: 50, intervals: 500 } as const;

/** How a device ranks, whatever is explained. */
export const rank = Type.Integer({
  description:
    'How well a device suits the metric; the lowest wins. Devices of the phone’s own health store rank by their kind, those of clouds 1000 behind',
});

export const ExplainedDevice = Component(
  'ExplainedDevice',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier' }),
      provider: Type.String({ description: 'Provider identifier' }),
      kind: Words(deviceKinds, { description: 'What it is' }),
      model: Nullable(Type.String({ description: 'As the device says' })),
      name: Nullable(Type.String({ description: 'As its owner calls it' })),
      connected_at: Nullable({
        ...Timestamp,
        description: 'Since when it is connected; of equal ranks, the latest wins',
      }),
    },
    { description: 'A device that had something to say' },
  ),
);

export type ExplainedDeviceWire = Static<typeof ExplainedDevice>;

/** Which upload something came with, and when. */
export const batchTimes = {
  batch_id: Type.String({ format: 'uuid', description: 'The upload that it came with' }),
  created_at: {
    ...Timestamp,
    description: 'When the batch was made; of two tellings of one reading the later one stands',
  },
  received_at: Nullable({
    ...Timestamp,
    description: 'When it arrived; null once the batch is past its retention',
  }),
};

export const ExplainedBatch = Component(
  'ExplainedBatch',
  Type.Object(
    {
      ...batchTimes,
      readings: Type.Integer({ minimum: 1, description: 'How many readings of the day it stands behind' }),
    },
    { description: 'An upload that a value rests on' },
  ),
);

/** Where an explained answer comes from, and of which state of the user it is. */
export const provenance = Type.Object(
  {
    answered_from: Words(['canonical layer'], { description: 'Where the value was read' }),
    data_version: Type.Integer({ description: 'Goes up with every change that an answer may depend on' }),
  },
  { title: 'ExplanationProvenance' },
);

/** Whether the answer is of before a change and its reasons of after. */
export const pendingRebuild = Type.Boolean({
  description:
    'True while a change of settings, timezone or devices is still being worked in: then the answer is of before, and the reasons are of after',
});

/** Two devices and an upload for the examples. */
export const ring: ExplainedDeviceWire = {
  id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta',
  provider: 'oura',
  kind: 'ring',
  model: 'Ring 4',
  name: null,
  connected_at: '2026-01-10T08:00:00.000Z',
};
export const watch: ExplainedDeviceWire = {
  id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2tb',
  provider: 'apple_health',
  kind: 'watch',
  model: 'Watch7,5',
  name: null,
  connected_at: '2026-02-01T07:30:00.000Z',
};

export const exampleArrival = {
  batch_id: '0195570b-8a3c-4c1e-b1f0-5d2f6a7c9e12',
  created_at: '2026-03-02T06:58:04.000Z',
  received_at: '2026-03-02T06:58:05.120Z',
};
