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
import { CalendarDate, Component, RefTo, Timestamp, Words } from './schema.ts';

/** Why one session stands for another. */
const sessionReasons = [
  'lower_rank',
  'connected_earlier',
  'other_id',
  'second_hand',
  'same_device_overlap',
  'excluded',
] as const;
export type SessionReason = (typeof sessionReasons)[number];

const sessionSource = {
  device: RefTo(ExplainedDevice),
  rank,
  source_id: Type.String({ description: 'As the device calls the session' }),
  start: Timestamp,
  end: Timestamp,
  ...batchTimes,
};

const KeptSession = Type.Object(sessionSource, { title: 'KeptSession' });

export const OverlappingSession = Component(
  'OverlappingSession',
  Type.Object(
    {
      ...sessionSource,
      overlap_minutes: Type.Number({
        minimum: 0,
        description: 'Time that it shares with the kept one; 0 when they are one by way of a third',
      }),
      outcome: Words(['merged', 'excluded'], {
        description: '`merged`: the kept session stands for it; `excluded`: its provider is left out',
      }),
      reason: Words(sessionReasons, { description: 'Why, as a word to branch on' }),
      because: Type.String({ description: 'Why, in words and numbers' }),
    },
    { description: 'A session of a device that does not show, because another one stands for it' },
  ),
);

const sessionExplanation = {
  date: { ...CalendarDate, description: 'The day that it counts for' },
  timezone: Type.String({ description: 'In which the day is cut' }),
  start: Timestamp,
  end: Timestamp,
  summary: Type.String({ description: 'The answer in a sentence or two' }),
  kept: { ...KeptSession, description: 'The telling that shows' },
  merged: Type.Array(RefTo(OverlappingSession), {
    maxItems: explanationLimits.sessions,
    description: 'Sessions of devices that this one stands for',
  }),
  merged_truncated: Type.Boolean({ description: 'Whether there are more than are listed' }),
};

export const SleepExplanation = Component(
  'SleepExplanation',
  Type.Object(
    {
      id: Type.String({ description: 'Sleep session identifier' }),
      kind: Words(['sleep']),
      ...sessionExplanation,
      is_main_sleep: Type.Boolean({ description: 'As the list of sleep shows it' }),
      main_because: Type.String({ description: 'Why it is the main sleep of its day, or is not' }),
      excluded: Type.Array(RefTo(OverlappingSession), {
        maxItems: explanationLimits.sessions,
        description: 'Sessions at the same time of providers that the settings leave out',
      }),
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'Why a sleep session shows as it does' },
  ),
);

export const WorkoutExplanation = Component(
  'WorkoutExplanation',
  Type.Object(
    {
      id: Type.String({ description: 'Workout identifier' }),
      kind: Words(['workout']),
      ...sessionExplanation,
      pending_rebuild: pendingRebuild,
      provenance,
    },
    { description: 'Why a workout shows as it does. Consolidation settings do not apply to workouts' },
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
  summary:
    'This sleep session is the telling of the Apple Health watch, which stands for 1 other telling of the same.',
  kept: {
    device: watch,
    rank: 30,
    source_id: '5F0A-night',
    start: exampleSession.start,
    end: exampleSession.end,
    ...exampleArrival,
  },
  is_main_sleep: true,
  main_because: 'With 426 minutes asleep it is the only session that ends on its day, and has at least 120.',
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
        'A ring of a cloud (rank 1010) gives way to a watch through the Mobile SDK (rank 30): the Apple Health watch.',
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
  summary: 'This workout is told by the Apple Health watch alone.',
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
