import type { LabProvider } from '../provider.ts';
import { garmin } from './garmin/index.ts';
import { oura } from './oura/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

/** Every provider that the lab plays. */
export const allProviders: readonly LabProvider[] = [garmin, oura, whoop, withings];
