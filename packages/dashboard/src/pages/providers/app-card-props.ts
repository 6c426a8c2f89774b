import type { ProviderRowWire } from '@tributary/contract';

export interface AppCardProps {
  row: ProviderRowWire;
  app: NonNullable<ProviderRowWire['app']>;
  mayChange: boolean;
}
