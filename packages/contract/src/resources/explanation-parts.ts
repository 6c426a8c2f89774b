import { Type, type Static } from 'typebox';
import { Component, Nullable, Timestamp, Words } from '../openapi/schema.ts';
import { deviceKinds } from './sdk-batch.ts';

/** The maximum number of entries in a response. Longer lists are truncated and marked as such. */
export const explanationLimits = { batches: 50, sessions: 50, intervals: 500 } as const;

/** Rank of a device, for explanations of both values and sessions. */
export const rank = Type.Integer({
  description:
    'The default priority of the device for the metric. The lowest number wins. Devices in the phone’s own health store rank by their kind. Cloud devices have 1000 added.',
});

export const ExplainedDevice = Component(
  'ExplainedDevice',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier.' }),
      provider: Type.String({ description: 'Provider identifier.' }),
      kind: Words(deviceKinds, { description: 'The kind of device.' }),
      model: Nullable(Type.String({ description: 'The model as the device reports it.' })),
      name: Nullable(Type.String({ description: 'The name the owner gave it.' })),
      connected_at: Nullable({
        ...Timestamp,
        description: 'When it was connected. If ranks are equal, the latest wins.',
      }),
    },
    { description: 'A device that reported data.' },
  ),
);

export type ExplainedDeviceWire = Static<typeof ExplainedDevice>;

/** The upload that data arrived with, and when. */
export const batchTimes = {
  batch_id: Type.String({ format: 'uuid', description: 'The upload it came from.' }),
  created_at: {
    ...Timestamp,
    description: 'When the batch was created. If a reading was reported twice, the later report is used.',
  },
  received_at: Nullable({
    ...Timestamp,
    description: 'When it was received. Null once the batch is past its retention.',
  }),
};

export const ExplainedBatch = Component(
  'ExplainedBatch',
  Type.Object(
    {
      ...batchTimes,
      readings: Type.Integer({ minimum: 1, description: 'Number of readings of the day that came from it.' }),
    },
    { description: 'An upload that a value came from.' },
  ),
);

/** The layer that an explained value was read from, and the data version. */
export const provenance = Type.Object(
  {
    answered_from: Words(['canonical layer'], { description: 'The layer the value was read from.' }),
    data_version: Type.Integer({ description: 'Increases with every change that can affect a response.' }),
  },
  { title: 'ExplanationProvenance' },
);

/** Whether the value predates a change that the reasons already include. */
export const pendingRebuild = Type.Boolean({
  description:
    'True while a change of settings, time zone or devices is being applied. The value then predates the change, and the reasons already include it.',
});

/** Two devices and an upload, for examples. */
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
