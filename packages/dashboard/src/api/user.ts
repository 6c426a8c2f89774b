import { queryOptions } from '@tanstack/react-query';
import type { DeviceSyncWire, DeviceWire, ProviderWire, UserDetailWire } from '@tributary/contract';
import type { Environment } from './client.ts';
import { callPublic, userPath } from './public.ts';

export const userQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: ['user', environment, id],
    queryFn: ({ signal }) => callPublic<UserDetailWire>(environment, 'GET', userPath(id), { signal }),
    // While data is on its way, or anybody waits for a device, the page follows it.
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

/** Those that can be connected, and with the reason those that cannot. */
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

/** Lets days pass for somebody of the sandbox; none brings the data up to this moment. */
export const advanceUser = (id: string, days: number) =>
  callPublic('sandbox', 'POST', `/sandbox${userPath(id)}/advance`, { body: { days } });
