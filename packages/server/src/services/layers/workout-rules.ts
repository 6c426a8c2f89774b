import {
  answersOfWorkouts,
  clusterWorkouts,
  dayOf,
  dayOfWorkouts,
  summarizeTrace,
  workoutAnswers,
  workoutDayMetrics,
  type MeasuredWorkout,
  type WorkoutReading,
} from '@tributary/domain';
import type { WorkoutContent as WorkoutAnswer } from '../../store/session-reads.ts';
import { keyOfSession, type LiveSession, type SessionRules } from './session-rules.ts';

/** What is kept of a workout besides its span. */
type WorkoutContent = Pick<WorkoutReading, 'utcOffsetMinutes' | 'sport' | 'name' | 'values' | 'heartRate'>;

type Decidable = MeasuredWorkout & { from: LiveSession<WorkoutContent> };

/** Workouts: they belong to the day they start on, and of several tellings of one the best is kept. */
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
  dayOf: ({ startMs }, timezone) => dayOf(startMs, timezone),
  decide(workouts) {
    return clusterWorkouts(workouts.map(decidable)).map(({ session, mergedKeys }) => {
      return {
        day: session.from.day,
        isMain: false,
        deviceNo: session.device.deviceNo,
        sourceId: session.from.sourceId,
        startMs: session.startMs,
        endMs: session.endMs,
        content: answerOf(session.from),
        gaveWay: workouts
          .filter((other) => mergedKeys.includes(keyOfSession(other)))
          .map(({ device, sourceId }) => [device.deviceNo, sourceId] as const),
      };
    });
  },
  valuesOf: (workouts) => dayOfWorkouts(workouts.map(decidable)),
  metrics: workoutDayMetrics,
  answersOf: (decided) => answersOfWorkouts(decided.map(({ content }) => content as WorkoutAnswer)),
  answered: workoutAnswers,
};

/** What reads need of a workout; the trace itself stays with the device's own telling. */
function answerOf({ content, startMs, endMs }: LiveSession<WorkoutContent>): WorkoutAnswer {
  const { sport, name, values, heartRate } = content;
  const { histogram = [], ...trace } = summarizeTrace(heartRate, endMs - startMs) ?? {};
  return { sport, name, values, trace: 'meanBpm' in trace ? trace : null, histogram };
}

function decidable(workout: LiveSession<WorkoutContent>): Decidable {
  return {
    from: workout,
    key: keyOfSession(workout),
    device: workout.device,
    startMs: workout.startMs,
    endMs: workout.endMs,
    sport: workout.content.sport,
    // A health store on the phone hands on what other apps recorded and does not say which; all count as first hand.
    firstHand: true,
    values: workout.content.values,
  };
}
