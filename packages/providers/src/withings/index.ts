import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { metrics } from './map/metrics.ts';
import { streams } from './streams.ts';

/** Withings: scales, blood pressure monitors, thermometers, sleep mats and watches. */
export const withings: Provider = {
  id: 'withings',
  name: 'Withings',
  kind: 'scale',
  reads: [
    { category: 'Body', what: 'your weight, height and body composition' },
    { category: 'Heart', what: 'your blood pressure, pulse, blood oxygen and vascular age' },
    { category: 'Temperature', what: 'the readings from your thermometer and watch' },
    { category: 'Activity', what: 'your steps, distance, floors and energy during the day' },
    { category: 'Workouts', what: 'when, how long and how hard you train' },
    {
      category: 'Sleep',
      what: 'when and how deeply you sleep, and your heart rate and breathing during sleep',
    },
  ],
  metrics,
  // The whole history can be read. A day takes two calls of a limit that all users share.
  historyDays: 365,
  hosts: { account: 'https://account.withings.com', api: 'https://wbsapi.withings.net' },
  limits: [{ per: 'app', calls: 120, windowSeconds: 60 }],
  cadence: { pollMinutes: { pushed: 360, unpushed: 120 }, lateHours: 72, silentHours: 240 },
  oauth,
  failureOf,
  streams,
  push,
};
