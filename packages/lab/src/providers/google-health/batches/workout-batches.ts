import type { Day, Workout } from '../../../world/people/day.ts';
import { documentId } from '../../document-id.ts';
import type { Batch, Point } from './batch.ts';
import { durationOf, int64 } from '../wire.ts';

/** Google has about 180 names. Those for swimming and the gym are assumptions. */
const exerciseTypes: Record<Workout['sport'], string> = {
  running: 'RUNNING',
  cycling: 'BIKING',
  swimming: 'SWIMMING',
  strength: 'STRENGTH_TRAINING',
  yoga: 'YOGA',
  walking: 'WALKING',
};
const poolM = 25;

/** The workouts of a day. A revision recalculates the energy. */
export function workoutBatches(person: string, day: Day): Batch[] {
  return day.workouts.map((workout) => {
    const { start, end } = workout;
    const id = documentId(person, 'exercise', day.date, workout.key);
    const one = (value: Record<string, unknown>): Point => ({ start, end, source: 'watch', value });
    const zones = zonesOf(workout);
    return {
      kind: 'workout',
      key: workout.key,
      endedAt: end,
      day,
      recordId: id,
      points: {
        exercise: ({ revision }) => [{ ...one(exerciseValue(workout, revision)), id }],
        altitude: () =>
          workout.elevationGainM ? [one({ gainMillimeters: int64(workout.elevationGainM * 1000) })] : [],
        // Plain minutes in each zone. Whether high zones count twice is unknown.
        'active-zone-minutes': () =>
          (
            [
              ['FAT_BURN', zones.moderate],
              ['CARDIO', zones.vigorous],
              ['PEAK', zones.peak],
            ] as const
          )
            .filter(([, seconds]) => seconds >= 60)
            .map(([heartRateZone, seconds]) =>
              one({ heartRateZone, activeZoneMinutes: int64(Math.floor(seconds / 60)) }),
            ),
        'run-vo2-max': () =>
          workout.sport === 'running'
            ? [{ start: end, end, source: 'watch', value: { runVo2Max: day.vo2Max } }]
            : [],
      },
    };
  });
}

function exerciseValue(workout: Workout, revision: number): Record<string, unknown> {
  const { sport, distanceM, elevationGainM } = workout;
  const zones = zonesOf(workout);
  const durationMs = workout.end - workout.start;
  const zoneMinutes = [zones.moderate, zones.vigorous, zones.peak].map((seconds) => Math.floor(seconds / 60));
  return {
    exerciseType: exerciseTypes[sport],
    displayName: sport[0]!.toUpperCase() + sport.slice(1),
    activeDuration: durationOf(durationMs),
    metricsSummary: {
      caloriesKcal: workout.activeKcal + 5 * revision,
      ...(distanceM !== null && {
        distanceMillimeters: distanceM * 1000,
        averageSpeedMillimetersPerSecond: (distanceM * 1_000_000) / durationMs,
      }),
      ...(elevationGainM !== null && { elevationGainMillimeters: elevationGainM * 1000 }),
      ...(sport === 'swimming' && distanceM !== null && { totalSwimLengths: Math.round(distanceM / poolM) }),
      averageHeartRateBeatsPerMinute: int64(workout.averageHeartRate),
      activeZoneMinutes: int64(zoneMinutes.reduce((sum, minutes) => sum + minutes, 0)),
      heartRateZoneDurations: {
        lightTime: durationOf(zones.light * 1000),
        moderateTime: durationOf(zones.moderate * 1000),
        vigorousTime: durationOf(zones.vigorous * 1000),
        peakTime: durationOf(zones.peak * 1000),
      },
    },
    ...(sport === 'swimming' && { exerciseMetadata: { poolLengthMillimeters: int64(poolM * 1000) } }),
  };
}

/** Google has four zones where the ground truth has five, so the two lowest are merged. */
function zonesOf({ zoneSeconds: [first, second, third, fourth, fifth] }: Workout) {
  return { light: first + second, moderate: third, vigorous: fourth, peak: fifth };
}
