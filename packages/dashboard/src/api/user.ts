import { queryOptions } from '@tanstack/react-query';
import type { DeviceSyncWire, DeviceWire, ProviderWire, UserDetailWire } from '@tributary/contract';
import type { Environment } from './client/client.ts';
import { callPublic, userPath } from './client/public.ts';

export const userQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['user', environment, id],
    queryFn: ({ signal }) => callPublic<UserDetailWire>(environment, 'GET', userPath(id), { signal }),
    // The page polls while data is being processed or a device is pending.
    refetchInterval: ({ state: { data } }) => {
      if (data?.sync.state === 'processing') return 2_000;
      return data?.devices.length === 0 ? 5_000 : false;
    },
  });

export const devicesQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['user', environment, id, 'devices'],
    queryFn: ({ signal }) =>
      callPublic<{ data: DeviceWire[] }>(environment, 'GET', `${userPath(id)}/devices`, { signal }),
  });

export const deviceSyncQuery = (environment: Environment, id: string, deviceId: string) =>
  queryOptions({
    queryKey: ['user', environment, id, 'devices', deviceId],
    queryFn: ({ signal }) =>
      callPublic<{ data: DeviceSyncWire }>(environment, 'GET', `${devicePath(id, deviceId)}/sync`, {
        signal,
      }),
  });

/** Providers that can be connected, and the others with the reason. */
export const providersQuery = (environment: Environment) =>
  queryOptions({
    queryKey: ['providers', environment, 'public'],
    queryFn: ({ signal }) =>
      callPublic<{ data: ProviderWire[] }>(environment, 'GET', '/providers', {
        query: { include: 'unavailable' },
        signal,
      }),
    staleTime: 300_000,
  });

const devicePath = (id: string, deviceId: string) =>
  `${userPath(id)}/devices/${encodeURIComponent(deviceId)}`;

export interface PendingDevice {
  data: { id: string; provider: string; auth_url: string };
}

export const connectDevice = (environment: Environment, id: string, provider: string) =>
  callPublic<PendingDevice>(environment, 'POST', `${userPath(id)}/devices`, { body: { provider } });

export const disconnectDevice = (environment: Environment, id: string, deviceId: string) =>
  callPublic(environment, 'DELETE', devicePath(id, deviceId));

export const deleteUser = (environment: Environment, id: string) =>
  callPublic(environment, 'DELETE', userPath(id));

/** Advances a sandbox user by days. Zero days brings the data up to now. */
export const advanceUser = (id: string, days: number) =>
  callPublic('sandbox', 'POST', `/sandbox${userPath(id)}/advance`, { body: { days } });
