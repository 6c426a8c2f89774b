import { onDeviceProviders } from '@tributary/contract';
import { findProvider } from '@tributary/providers';

const onDeviceNames: Record<(typeof onDeviceProviders)[number], string> = {
  apple_health: 'Apple Health',
  health_connect: 'Health Connect',
  samsung_health: 'Samsung Health',
};

/** The display name of a provider, or its ID if it has none. */
export function providerName(id: string): string {
  const onDevice = onDeviceProviders.find((one) => one === id);
  return onDevice ? onDeviceNames[onDevice] : (findProvider(id)?.name ?? id);
}
