import type { DeviceWire } from '@tributary/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { providersQuery } from '../../api/user.ts';
import type { Environment } from '../../api/client.ts';
import { Badge, State } from '../../components/badge.tsx';
import { words } from './value-text.ts';

/** How a device is doing, in a word. */
export function DeviceState({ device: { status, sync } }: { device: DeviceWire }) {
  if (status === 'pending') return <State tone="plain">Waiting for the person</State>;
  if (status === 'expired' || sync?.state === 'revoked') return <Badge tone="bad">Access ended</Badge>;
  if (sync?.state === 'silent') return <Badge tone="bad">Silent</Badge>;
  if (sync?.state === 'late') return <Badge tone="warn">Late</Badge>;
  if (status === 'suspect') return <Badge tone="warn">Access in doubt</Badge>;
  return <State>Active</State>;
}

/** Whether somebody should do something about it. */
export function needsSomebody({ status, sync }: DeviceWire): boolean {
  if (status === 'pending') return false;
  return status === 'expired' || status === 'suspect' || (sync !== null && sync.state !== 'fresh');
}

/** What is going on, in a sentence. */
export function sayDevice({ status, sync }: DeviceWire): string {
  if (sync && sync.state !== 'fresh') return sync.message;
  if (status === 'pending') return 'The link was made; the person has not allowed it yet.';
  if (status === 'expired') return 'The person has to allow it again.';
  return sync?.message ?? 'Data is sent here as it comes.';
}

/** What providers are called; until that is known, the id in words. */
export function useProviderNames(environment: Environment): (id: string) => string {
  const { data } = useQuery(providersQuery(environment));
  return useCallback((id) => data?.data.find((provider) => provider.id === id)?.name ?? words(id), [data]);
}
