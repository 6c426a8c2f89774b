import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { mapEgvs } from './map-egvs.ts';
import { mapEvents } from './map-events.ts';
import { oauth } from './oauth.ts';
import { usOrigin } from './origin-of.ts';
import { mostDays, readRecords } from './read-records.ts';

/** Dexcom continuous glucose monitors. */
export const dexcom: Provider = {
  id: 'dexcom',
  name: 'Dexcom',
  kind: 'cgm',
  reads: [
    {
      category: 'Glucose',
      what: 'your sensor readings every five minutes, and your finger-stick values',
    },
    { category: 'Food', what: 'the carbohydrates you enter' },
    { category: 'Insulin', what: 'the insulin you enter' },
    { category: 'Activity', what: 'the exercise you enter' },
  ],
  metrics: ['blood_glucose', 'carbohydrates', 'insulin_delivery', 'exercise'],
  historyDays: 365,
  hosts: { api: usOrigin },
  settings: [
    { name: 'region', about: 'region where the app is registered: us (default), eu, jp or sandbox' },
  ],
  limits: [{ per: 'app', calls: 60_000, windowSeconds: 3600 }],
  // There are no pushes. Readings are delayed by one to three hours, which polling cannot shorten.
  cadence: { pollMinutes: { pushed: 10, unpushed: 10 }, lateHours: 12, silentHours: 72 },
  oauth,
  failureOf,
  streams: [
    {
      kind: 'listed',
      name: 'egvs',
      read: (user, span) => readRecords(user, 'egvs', span),
      readOne: null,
      pieceDays: mostDays,
      // Gaps are filled when the signal is back.
      trailingDays: 2,
      map: mapEgvs,
      deletes: [],
    },
    {
      kind: 'listed',
      name: 'events',
      read: (user, span) => readRecords(user, 'events', span),
      readOne: null,
      pieceDays: mostDays,
      // Users correct and delete entries days later.
      trailingDays: 7,
      map: mapEvents,
      deletes: [],
    },
  ],
  push: null,
};
