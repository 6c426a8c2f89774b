import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Sync state of a connection to a cloud provider. */
export const syncStates = ['fresh', 'late', 'silent', 'revoked'] as const;
export type SyncState = (typeof syncStates)[number];

/** Reason for the sync state. */
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
        '`fresh` while data arrives normally, `late` and `silent` if none has arrived for longer than is usual for the provider, `revoked` if the authorization has ended.',
    }),
    reason: Words(syncReasons, { description: 'A stable code to branch on.' }),
    message: Type.String({ description: 'The reason as a sentence to display.' }),
    next_step: Nullable(
      Type.String({ description: 'What to do about it. Null if nothing needs to be done.' }),
    ),
  },
  { description: 'The sync state of a connection.' },
);
export const DeviceSyncState = Component('DeviceSyncState', syncFields);

export const Device = Component(
  'Device',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier.' }),
      provider: Type.String({ description: 'Provider identifier.' }),
      status: Words(['pending', 'active', 'suspect', 'expired'], {
        description: '`pending` until the user authorizes it. Only `active` devices deliver data.',
      }),
      connected_at: Nullable(Timestamp),
      last_sync_at: Nullable(Timestamp),
      sync: Nullable({
        ...syncFields,
        description: 'The sync state of the connection to a cloud provider. Null for data from a phone.',
      }),
    },
    { description: 'A source of data of one user.' },
  ),
);

export const DeviceList = Component(
  'DeviceList',
  Type.Object({ data: Type.Array(RefTo(Device)) }, { description: 'All devices of one user.' }),
);

export type DeviceWire = Static<typeof Device>;

export const exampleDevice: DeviceWire = {
  id: 'dev_01jcqz6bqxe0mrv8c3k1n7d2ta',
  provider: 'oura',
  status: 'active',
  connected_at: '2026-01-15T09:34:12.000Z',
  last_sync_at: '2026-03-02T07:14:31.120Z',
  sync: { state: 'fresh', reason: 'on_time', message: 'Syncing normally.', next_step: null },
};

export const ConnectDevice = Component(
  'ConnectDevice',
  Type.Object(
    {
      provider: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A provider from `GET /v1/providers`.',
      }),
      redirect_url: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          format: 'text',
          description:
            'Where the user is sent afterwards, with `status`, `device_id` and `provider` added to the query. The account must allow the URL; its query does not matter.',
        }),
      ),
    },
    { description: 'The provider to connect.' },
  ),
);

export const PendingDevice = Component(
  'PendingDevice',
  Type.Object(
    {
      id: Type.String({ description: 'Device identifier. It is always the same for one user and provider.' }),
      provider: Type.String(),
      status: Words(['pending', 'active', 'suspect', 'expired'], {
        description: '`pending` until the user authorizes it. A working connection stays `active`.',
      }),
      auth_url: Type.String({
        format: 'uri',
        description: 'A page to send the user to. The link expires after 30 minutes and works once.',
      }),
    },
    { description: 'A device that the user has yet to authorize.' },
  ),
);

export const PendingDeviceEnvelope = Component(
  'PendingDeviceEnvelope',
  Type.Object(
    { data: RefTo(PendingDevice) },
    { description: 'A device that the user has yet to authorize, in its envelope.' },
  ),
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
          description: 'What stopped the run, or `ok`. Data that was read before is kept in any case.',
        },
      ),
      started_at: Timestamp,
      ended_at: Timestamp,
      calls: Type.Integer({ minimum: 0, description: 'Number of calls to the provider.' }),
      documents: Type.Integer({ minimum: 0, description: 'Number of documents read.' }),
      new_documents: Type.Integer({
        minimum: 0,
        description: 'Number of documents that were new or changed.',
      }),
      from: Nullable(Timestamp),
      to: Nullable(Timestamp),
    },
    { description: 'One fetch from a provider.' },
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
            Type.String({
              format: 'date-time',
              description: 'Estimated from the pace so far. Null before there is one.',
            }),
          ),
        },
        { description: 'The days before the connection, read backward from the newest.' },
      ),
      runs: Type.Array(RefTo(SyncRun), { description: 'The last sync runs, newest first.' }),
    },
    { description: 'Recent activity of a connection.' },
  ),
);

export const DeviceSyncEnvelope = Component(
  'DeviceSyncEnvelope',
  Type.Object(
    { data: RefTo(DeviceSync) },
    { description: 'Recent activity of a connection, in its envelope.' },
  ),
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
