import { formatId } from '../../ids.ts';
import type { NamedDevice } from '../../store/explain-reads.ts';
import { providerName } from '../providers/provider-name.ts';

/** What people call each device, by its number: `the Oura ring`, with its id where that would not tell it from another. */
export function nameDevices(devices: readonly NamedDevice[]): Map<number, string> {
  const alike = Map.groupBy(devices, shortName);
  return new Map(
    devices.map((device) => {
      const name = shortName(device);
      const isUnique = alike.get(name)!.length === 1;
      return [device.deviceNo, isUnique ? name : `${name} ${formatId('dev', device.id)}`];
    }),
  );
}

function shortName({ provider, kind }: NamedDevice): string {
  return `the ${providerName(provider)} ${kind === 'other' ? 'device' : kind.replaceAll('_', ' ')}`;
}
