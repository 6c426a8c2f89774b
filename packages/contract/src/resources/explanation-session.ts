import { Type, type Static } from 'typebox';
import {
  batchTimes,
  exampleArrival,
  ExplainedDevice,
  explanationLimits,
  pendingRebuild,
  provenance,
  rank,
  ring,
  watch,
} from './explanation-parts.ts';
import { CalendarDate, Component, RefTo, Timestamp, Words } from '../openapi/schema.ts';

/** Why a session was merged into another. */
const sessionReasons = [
  'lower_rank',
  'connected_earlier',
  'other_id',
  'second_hand',
  'same_device_overlap',
  'excluded',
  'low_coverage',
  'hidden_start',
  'less_complete',
] as const;
export type SessionReason = (typeof sessionReasons)[number];

const sessionSource = {
  device: RefTo(ExplainedDevice),
  rank,
  source_id: Type.String({ description: 'The id the device uses for the session.' }),
  start: Timestamp,
  end: Timestamp,
  ...batchTimes,
};

const ReturnedSession = Type.Object(sessionSource, { title: 'ReturnedSession' });

export const OverlappingSession = Component(
  'OverlappingSession',
  Type.Object(
    {
      ...sessionSource,
      overlap_minutes: Type.Number({
        minimum: 0,
        description:
          'Time that it shares with the session that is returned. 0 if the two overlap only through a third.',
      }),
      outcome: Words(['merged', 'excluded'], {
        description:
          '`merged`: the session that is returned represents it. `excluded`: its provider is disabled.',
      }),
      reason: Words(sessionReasons, { description: 'The reason, as a code to branch on.' }),
      because: Type.String({ description: 'The reason, as a sentence with numbers.' }),
    },
    { description: 'A session of a device that is not returned because it was merged into another one.' },
  ),
);

const sessionExplanation = {
  date: { ...CalendarDate, description: 'The day it counts toward.' },
  timezone: Type.String({ description: 'The time zone in which the session started.' }),
  start: Timestamp,
  end: Timestamp,
  summary: Type.String({ description: 'The explanation in a sentence or two.' }),
  kept: { ...ReturnedSession, description: 'The session that is returned.' },
  merged: Type.Array(RefTo(OverlappingSession), {
    maxItems: explanationLimits.sessions,
    description: 'Sessions of devices that were merged into this one.',
  }),
  merged_truncated: Type.Boolean({ description: 'Whether there are more sessions than listed.' }),
};

export const SleepExplanation = Component(
  'SleepExplanation',
  Type.Object(
    {
      id: Type.String({ description: 'Sleep session identifier.' }),
      kind: Words(['sleep']),
      ...sessionExplanation,
      is_main_sleep: Type.Boolean({ description: 'As the sleep endpoint returns it.' }),
      main_because: Type.String({ description: 'Why it is or is not the main sleep of its day.' }),
      excluded: Type.Array(RefTo(OverlappingSession), {
        maxItems: explanationLimits.sessions,
        description: 'Sessions at the same time from providers that the settings exclude.',
      }),
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'The explanation of a sleep session.' },
  ),
);

export const WorkoutExplanation = Component(
  'WorkoutExplanation',
  Type.Object(
    {
      id: Type.String({ description: 'Workout identifier.' }),
      kind: Words(['workout']),
      ...sessionExplanation,
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'The explanation of a workout. Consolidation settings do not apply to workouts.' },
  ),
);

export type OverlappingSessionWire = Static<typeof OverlappingSession>;
export type SleepExplanationWire = Static<typeof SleepExplanation>;
export type WorkoutExplanationWire = Static<typeof WorkoutExplanation>;

const exampleSession = {
  date: '2026-03-02',
  timezone: 'Europe/Berlin',
  start: '2026-03-01T21:48:30.000Z',
  end: '2026-03-02T05:36:00.000Z',
  merged_truncated: false,
  pending_rebuild: false,
  provenance: { answered_from: 'canonical layer', data_version: 42 },
} as const;

export const exampleSleepExplanation = {
  ...exampleSession,
  id: 'slp_6vq2e1c8mdh8v9xk2j3n5p7rsa',
  kind: 'sleep',
  summary: 'From the Apple Health watch. One overlapping session from another device was merged into it.',
  kept: {
    device: watch,
    rank: 30,
    source_id: '5F0A-night',
    start: exampleSession.start,
    end: exampleSession.end,
    ...exampleArrival,
  },
  is_main_sleep: true,
  main_because:
    'Main sleep: the only session that ends on this day, with 426 minutes asleep. The minimum is 60 minutes.',
  merged: [
    {
      device: ring,
      rank: 1010,
      source_id: 'night-2026-03-02',
      start: '2026-03-01T22:00:00.000Z',
      end: '2026-03-02T05:30:00.000Z',
      ...exampleArrival,
      overlap_minutes: 450,
      outcome: 'merged',
      reason: 'lower_rank',
      because:
        'Not used: the Apple Health watch ranks higher. Data from the phone outranks data from a cloud API.',
    },
  ],
  excluded: [],
} satisfies SleepExplanationWire;

export const exampleWorkoutExplanation = {
  ...exampleSession,
  id: 'wko_6vq2e1c8mdh8v9xk2j3n5p7rsa',
  kind: 'workout',
  date: '2026-03-01',
  start: '2026-03-01T16:00:00.000Z',
  end: '2026-03-01T16:47:30.000Z',
  summary: 'From the Apple Health watch only.',
  kept: {
    device: watch,
    rank: 20,
    source_id: '81C2-run',
    start: '2026-03-01T16:00:00.000Z',
    end: '2026-03-01T16:47:30.000Z',
    ...exampleArrival,
  },
  merged: [],
} satisfies WorkoutExplanationWire;
