import {
  clusterWorkouts,
  dayMs,
  dayOf,
  dayOfWorkouts,
  minuteMs,
  summarizeTrace,
  canonicalWorkoutMetrics,
  workoutDayMetrics,
  type MeasuredWorkout,
  type WorkoutReading,
} from '@tributary/domain';
import type { WorkoutContent as CanonicalWorkoutContent } from '../../store/reads/sessions.ts';
import { keyOfSession, type LiveSession, type SessionRules } from './session-rules.ts';

/** The stored content of a workout besides its span. */
type WorkoutContent = Pick<WorkoutReading, 'utcOffsetMinutes' | 'sport' | 'name' | 'values' | 'heartRate'>;

type Decidable = MeasuredWorkout & { from: LiveSession<WorkoutContent> };

/** Workouts belong to the day they start on. If several devices report the same workout, the best one is used. */
export const workoutRules: SessionRules<WorkoutReading, WorkoutContent> = {
  kind: 'workout',
  readingsOf: (batch) => batch.workouts,
  contentOf: ({ utcOffsetMinutes, sport, name, values, heartRate }) => ({
    utcOffsetMinutes,
    sport,
    name,
    values,
    heartRate,
  }),
  dayOf: ({ startMs }, timezones) => dayOf(startMs, timezones),
  decide(workouts) {
    return clusterWorkouts(workouts.map(decidable)).map(({ session, mergedKeys }) => {
      return {
        day: session.from.day,
        isMain: false,
        deviceNo: session.device.deviceNo,
        sourceId: session.from.sourceId,
        startMs: session.startMs,
        endMs: session.endMs,
        content: toCanonicalWorkout(session.from),
        mergedFrom: workouts
          .filter((other) => mergedKeys.includes(keyOfSession(other)))
          .map(({ device, sourceId }) => [device.deviceNo, sourceId] as const),
      };
    });
  },
  valuesOf: (workouts) => dayOfWorkouts(workouts.map(decidable)),
  metrics: workoutDayMetrics,
  canonicalMetrics: canonicalWorkoutMetrics,
};

/** The part of a workout that reads need. The heart rate trace stays in the normalized layer. */
function toCanonicalWorkout({
  content,
  startMs,
  endMs,
}: LiveSession<WorkoutContent>): CanonicalWorkoutContent {
  const { sport, name, values, heartRate } = content;
  const { histogram = [], ...trace } = summarizeTrace(heartRate, endMs - startMs) ?? {};
  return { sport, name, values, trace: 'meanBpm' in trace ? trace : null, histogram };
}

function decidable(workout: LiveSession<WorkoutContent>): Decidable {
  const { startMs, endMs, day, device } = workout;
  const { sport, values, heartRate, utcOffsetMinutes } = workout.content;
  const offsets = heartRate.offsetsMs;
  return {
    from: workout,
    key: keyOfSession(workout),
    device,
    startMs,
    endMs,
    day,
    sport,
    // A phone's health store passes on what other apps recorded without naming them, so all count as first-hand.
    firstHand: true,
    startHidden: (startMs + (utcOffsetMinutes ?? 0) * minuteMs) % dayMs === hiddenStartMs,
    distanceKm: values['distance'] ?? null,
    trace: offsets.length > 0 ? { startMs: startMs + offsets[0]!, endMs: startMs + offsets.at(-1)! } : null,
    values,
  };
}

/** Strava gives a workout whose start is hidden this time after midnight. */
const hiddenStartMs = 1000;
