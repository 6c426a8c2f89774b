import { fieldsOf, instantOf, mapped, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { offsetOfDuration, secondsOf, sessionIdOf, valueOf } from './wire.ts';

/** Maps exercises to workouts. Time in zones is left out, because the service computes its own zones. */
export function mapExercise(documents: Documents, batch: BatchBuilder): void {
  for (const point of documents) {
    const exercise = valueOf('exercise', point);
    const { startTime, endTime, startUtcOffset } = fieldsOf(exercise['interval']);
    const summary = fieldsOf(exercise['metricsSummary']);
    const { poolLengthMillimeters } = fieldsOf(exercise['exerciseMetadata']);
    batch.addWorkout({
      id: sessionIdOf(point),
      sport: textOf(exercise['exerciseType']),
      name: textOf(exercise['displayName']),
      startMs: instantOf(startTime),
      endMs: instantOf(endTime),
      offset: offsetOfDuration(startUtcOffset),
      values: {
        duration: mapped(secondsOf(exercise['activeDuration']), (seconds) => seconds / 60),
        active_calories: numberOf(summary['caloriesKcal']),
        distance: scaled(summary['distanceMillimeters'], 1_000_000),
        steps: numberOf(summary['steps']),
        heart_rate_avg: numberOf(summary['averageHeartRateBeatsPerMinute']),
        avg_speed_kmh: mapped(
          numberOf(summary['averageSpeedMillimetersPerSecond']),
          (speed) => (speed * 3600) / 1_000_000,
        ),
        elevation_gain: scaled(summary['elevationGainMillimeters'], 1000),
        swimming_lap_length_m: scaled(poolLengthMillimeters, 1000),
      },
    });
  }
}

function scaled(millimeters: unknown, perUnit: number): number | null {
  return mapped(numberOf(millimeters), (value) => value / perUnit);
}
