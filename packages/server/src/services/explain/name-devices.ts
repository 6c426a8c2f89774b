import { formatId } from '../../ids.ts';
import type { NamedDevice } from '../../store/reads/explanations.ts';
import { providerName } from '../providers/provider-name.ts';

/** A label for each device, by its number: `the Oura ring`, followed by its ID if another device has the same label. */
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
  return `the ${providerName(provider)} ${kindName(kind)}`;
}

/** Kinds whose names are not their identifiers. */
const kindNames: Partial<Record<NamedDevice['kind'], string>> = {
  other: 'device',
  manual: 'manual entry',
  cgm: 'CGM',
};

function kindName(kind: NamedDevice['kind']): string {
  return kindNames[kind] ?? kind.replaceAll('_', ' ');
}
