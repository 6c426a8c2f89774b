import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

/** How a connection to a cloud provider is doing. */
export const syncStates = ['fresh', 'late', 'silent', 'revoked'] as const;
export type SyncState = (typeof syncStates)[number];

/** Why it is doing so. */
export const syncReasons = [
  'on_time',
  'nothing_new',
  'provider_limits',
  'provider_unavailable',
  'consent_refused',
  'consent_ended',
  'membership_lapsed',
  'waiting_for_person',
] as const;
export type SyncReason = (typeof syncReasons)[number];

const syncFields = Type.Object(
  {
    state: Words(syncStates, {
      description:
        '`fresh` while data come as they should, `late` and `silent` when none came for longer than is usual for the provider, `revoked` when the consent is over',
    }),
    reason: Words(syncReasons, { description: 'A stable code to branch on' }),
    message: Type.String({ description: 'The reason, for people' }),
    next_step: Nullable(
      Type.String({ description: 'What would mend it; null when nothing needs to be done' }),
    ),
  },
  { description: 'How a connection is doing' },
);
export const DeviceSyncState = Component('DeviceSyncState', syncFields);

export const Device = Component(
  'Device',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier' }),
      provider: Type.String({ description: 'Provider identifier' }),
      status: Words(['pending', 'active', 'suspect', 'expired'], {
        description: '`pending` until the person authorized it; only `active` ones deliver',
      }),
      connected_at: Nullable(Timestamp),
      last_sync_at: Nullable(Timestamp),
      sync: Nullable({
        ...syncFields,
        description: 'How the connection to a cloud provider is doing; null for what comes from a phone',
      }),
    },
    { description: 'A source of data of one user' },
  ),
);

export const DeviceList = Component(
  'DeviceList',
  Type.Object({ data: Type.Array(RefTo(Device)) }, { description: 'All devices of one user' }),
);

export type DeviceWire = Static<typeof Device>;

export const exampleDevice: DeviceWire = {
  id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta',
  provider: 'oura',
  status: 'active',
  connected_at: '2026-01-15T09:34:12.000Z',
  last_sync_at: '2026-03-02T07:14:31.120Z',
  sync: { state: 'fresh', reason: 'on_time', message: 'Data come as they should.', next_step: null },
};

export const ConnectDevice = Component(
  'ConnectDevice',
  Type.Object(
    {
      provider: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A provider of `GET /v1/providers`',
      }),
      redirect_url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          format: 'text',
          description:
            'Where the person goes afterwards, with `status`, `device_id` and `provider` added to its query. It must be one that the account allows, whatever its query',
        }),
      ),
    },
    { additionalProperties: false, description: 'What is to be connected' },
  ),
);

export const PendingDevice = Component(
  'PendingDevice',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier, the same each time for one user and provider' }),
      provider: Type.String(),
      status: Words(['pending', 'active', 'suspect', 'expired'], {
        description: '`pending` until the person has authorized it; a connection that works stays `active`',
      }),
      auth_url: Type.String({
        format: 'uri',
        description: 'A page to send the person to. It can be opened for 30 minutes, and continued from once',
      }),
    },
    { description: 'A device that waits for the person' },
  ),
);

export const PendingDeviceEnvelope = Component(
  'PendingDeviceEnvelope',
  Type.Object({ data: RefTo(PendingDevice) }, { description: 'A device that waits for the person' }),
);

export const examplePendingDevice: Static<typeof PendingDevice> = {
  id: exampleDevice.id,
  provider: 'oura',
  status: 'pending',
  auth_url: 'https://health.example.com/connect/cl_0vQ8T2mWzYx1',
};

const Count = Type.Integer({ minimum: 0 });

export const SyncRun = Component(
  'SyncRun',
  Type.Object(
    {
      cause: Words(['connected', 'push', 'poll', 'history']),
      outcome: Words(
        ['ok', 'limited', 'unavailable', 'forbidden', 'refused', 'consent_ended', 'unauthorized'],
        {
          description: 'What stopped it, or `ok`; what could be read was kept in any case',
        },
      ),
      started_at: Timestamp,
      ended_at: Timestamp,
      calls: Type.Integer({ minimum: 0, description: 'Calls to the provider' }),
      documents: Type.Integer({ minimum: 0, description: 'Documents that were read' }),
      new_documents: Type.Integer({ minimum: 0, description: 'Those that were new or different' }),
      from: Nullable(Timestamp),
      to: Nullable(Timestamp),
    },
    { description: 'One look at what a provider has' },
  ),
);

export const DeviceSync = Component(
  'DeviceSync',
  Type.Object(
    {
      device_id: Type.String(),
      provider: Type.String(),
      status: Words(['pending', 'active', 'suspect', 'expired']),
      sync: RefTo(DeviceSyncState),
      last_push_at: Nullable(Timestamp),
      last_new_data_at: Nullable(Timestamp),
      next_poll_at: Nullable(Timestamp),
      history: Type.Object(
        {
          state: Words(['none', 'running', 'done']),
          days_total: Count,
          days_done: Count,
          reaches_back_to: Nullable(Timestamp),
          estimated_end_at: Nullable(
            Type.String({ format: 'date-time', description: 'At the pace so far; null before there is one' }),
          ),
        },
        { description: 'The days before the connection, read from the newest back' },
      ),
      runs: Type.Array(RefTo(SyncRun), { description: 'The last ones, newest first' }),
    },
    { description: 'What a connection did lately' },
  ),
);

export const DeviceSyncEnvelope = Component(
  'DeviceSyncEnvelope',
  Type.Object({ data: RefTo(DeviceSync) }, { description: 'What a connection did lately' }),
);
export type DeviceSyncWire = Static<typeof DeviceSync>;

export const exampleDeviceSync: DeviceSyncWire = {
  device_id: exampleDevice.id,
  provider: 'oura',
  status: 'active',
  sync: exampleDevice.sync!,
  last_push_at: '2026-03-02T07:14:29.000Z',
  last_new_data_at: '2026-03-02T07:14:31.120Z',
  next_poll_at: '2026-03-02T08:09:12.000Z',
  history: {
    state: 'running',
    days_total: 730,
    days_done: 98,
    reaches_back_to: '2025-11-24T09:34:12.000Z',
    estimated_end_at: '2026-03-02T07:31:00.000Z',
  },
  runs: [
    {
      cause: 'push',
      outcome: 'ok',
      started_at: '2026-03-02T07:14:30.020Z',
      ended_at: '2026-03-02T07:14:31.120Z',
      calls: 1,
      documents: 1,
      new_documents: 1,
      from: null,
      to: null,
    },
  ],
};
