import type { LabProvider } from '../provider.ts';
import { dexcom } from './dexcom/index.ts';
import { garmin } from './garmin/index.ts';
import { googleHealth } from './google-health/index.ts';
import { oura } from './oura/index.ts';
import { polar } from './polar/index.ts';
import { strava } from './strava/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

/** Every provider that the lab simulates. */
export const allProviders: readonly LabProvider[] = [
  dexcom,
  garmin,
  googleHealth,
  oura,
  polar,
  strava,
  whoop,
  withings,
];
