import type { DeviceWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { providersQuery } from '../../../api/user.ts';
import type { Environment } from '../../../api/client/client.ts';
import { Badge, State } from '../../../components/feedback/badge.tsx';
import { words } from '../health/value-text.ts';

/** The state of a device in a word. */
export function DeviceState({ device: { status, sync } }: { device: DeviceWire }) {
  if (status === 'pending') return <State tone="plain">Waiting for user</State>;
  if (status === 'expired' || sync?.state === 'revoked') return <Badge tone="bad">Access ended</Badge>;
  if (sync?.state === 'silent') return <Badge tone="bad">Silent</Badge>;
  if (sync?.state === 'late') return <Badge tone="warn">Late</Badge>;
  if (status === 'suspect') return <Badge tone="warn">Access uncertain</Badge>;
  return <State>Active</State>;
}

/** Returns whether a device needs attention. */
export function needsAttention({ status, sync }: DeviceWire): boolean {
  if (status === 'pending') return false;
  return status === 'expired' || status === 'suspect' || (sync !== null && sync.state !== 'fresh');
}

/** The state of a device in a sentence. */
export function describeDevice({ status, sync }: DeviceWire): string {
  if (sync && sync.state !== 'fresh') return sync.message;
  if (status === 'pending') return 'Link created. The user has not authorized access yet.';
  if (status === 'expired') return 'The user must authorize access again.';
  return sync?.message ?? 'Data arrives when the device uploads it.';
}

/** Names of providers. Until they load, the id in words. */
export function useProviderNames(environment: Environment): (id: string) => string {
  const { data } = useQuery(providersQuery(environment));
  return useCallback((id) => data?.data.find((provider) => provider.id === id)?.name ?? words(id), [data]);
}
