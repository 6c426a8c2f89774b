import { onDeviceProviders } from '@tributary/contract';
import { findProvider } from '@tributary/providers';

const onDeviceNames: Record<(typeof onDeviceProviders)[number], string> = {
  apple_health: 'Apple Health',
  health_connect: 'Health Connect',
  samsung_health: 'Samsung Health',
};

/** What people call a provider; its id where it has no name. */
export function providerName(id: string): string {
  const onDevice = onDeviceProviders.find((one) => one === id);
  return onDevice ? onDeviceNames[onDevice] : (findProvider(id)?.name ?? id);
}
