import { Type, type Static } from 'typebox';
import { Component, Nullable, RefTo, Timestamp, Words } from './schema.ts';

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
};
