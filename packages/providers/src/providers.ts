import { dexcom } from './dexcom/index.ts';
import { garmin } from './garmin/index.ts';
import { googleHealth } from './google-health/index.ts';
import { oura } from './oura/index.ts';
import { polar } from './polar/index.ts';
import type { Provider } from './provider.ts';
import { strava } from './strava/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

/** Every cloud provider, in display order. */
export const providers: readonly Provider[] = [
  oura,
  whoop,
  withings,
  garmin,
  googleHealth,
  polar,
  strava,
  dexcom,
];

export function findProvider(id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id);
}
