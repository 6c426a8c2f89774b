import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { mapEgvs } from './map-egvs.ts';
import { mapEvents } from './map-events.ts';
import { oauth } from './oauth.ts';
import { usOrigin } from './origin-of.ts';
import { mostDays, readRecords } from './read-records.ts';

/** Dexcom: sensors that measure glucose under the skin. */
export const dexcom: Provider = {
  id: 'dexcom',
  name: 'Dexcom',
  kind: 'cgm',
  reads: [
    {
      category: 'Glucose',
      what: 'what your sensor measures every five minutes, and values from your finger',
    },
    { category: 'Food', what: 'the carbohydrates that you enter' },
    { category: 'Insulin', what: 'the insulin that you enter' },
    { category: 'Activity', what: 'the exercise that you enter' },
  ],
  metrics: ['blood_glucose', 'carbohydrates', 'insulin_delivery', 'exercise'],
  historyDays: 365,
  hosts: { api: usOrigin },
  settings: [{ name: 'region', about: 'where the app is registered: us (unless told), eu, jp or sandbox' }],
  limits: [{ per: 'app', calls: 60_000, windowSeconds: 3600 }],
  // Nothing is pushed. Readings are held back for one to three hours, which no polling can shorten.
  cadence: { pollMinutes: { pushed: 10, unpushed: 10 }, lateHours: 12, silentHours: 72 },
  oauth,
  failureOf,
  streams: [
    {
      name: 'egvs',
      read: (user, span) => readRecords(user, 'egvs', span),
      pieceDays: mostDays,
      // Gaps are filled when the signal is back.
      trailingDays: 2,
      map: mapEgvs,
    },
    {
      name: 'events',
      read: (user, span) => readRecords(user, 'events', span),
      pieceDays: mostDays,
      // People mend and delete entries days later.
      trailingDays: 7,
      map: mapEvents,
    },
  ],
  push: null,
};
