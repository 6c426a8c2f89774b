import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { metrics } from './metrics.ts';
import { streams } from './streams.ts';

/** Withings: scales, blood pressure monitors, thermometers, sleep mats and watches. */
export const withings: Provider = {
  id: 'withings',
  name: 'Withings',
  kind: 'scale',
  reads: [
    { category: 'Body', what: 'your weight, height and what your body is made of' },
    { category: 'Heart', what: 'your blood pressure, pulse, oxygen and the age of your vessels' },
    { category: 'Temperature', what: 'what your thermometer and your watch measure' },
    { category: 'Activity', what: 'your steps, distance, floors and energy through the day' },
    { category: 'Workouts', what: 'when, how long and how hard you train' },
    { category: 'Sleep', what: 'when you sleep, how deeply, and how your heart and breath go meanwhile' },
  ],
  metrics,
  // Everything that it ever kept can be read; a day takes two calls of a limit that all people share.
  historyDays: 365,
  hosts: { account: 'https://account.withings.com', api: 'https://wbsapi.withings.net' },
  limits: [{ per: 'app', calls: 120, windowSeconds: 60 }],
  cadence: { pollMinutes: { pushed: 360, unpushed: 120 }, lateHours: 72, silentHours: 240 },
  oauth,
  failureOf,
  streams,
  push,
};
