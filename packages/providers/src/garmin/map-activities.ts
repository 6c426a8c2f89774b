import {
  fieldsOf,
  idOf,
  kmOfMetres,
  listOf,
  mapped,
  minutesOfSeconds,
  numberOf,
  textOf,
} from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { latestRows, levelOf, msOf, offsetOfRow, startOf, type Row } from './rows.ts';

/**
 * Activities without samples. Watch recordings also arrive under `activityDetails` with their samples. Mapping them here too would let the later push
 * remove the heart rate trace. So only activities without details are mapped: manual ones and the parts of multisport activities.
 */
export function mapActivities(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, activityIdOf))
    if (row['manual'] === true || textOf(row['parentSummaryId']) !== null) addWorkout(row, [], batch);
}

/** Manually edited activities. They replace the earlier version. */
export function mapUpdatedActivities(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, activityIdOf)) addWorkout(row, [], batch);
}

/** Activities with their samples. */
export function mapActivityDetails(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, idOfDetails)) {
    const samples = listOf(row['samples'])
      .map(fieldsOf)
      .flatMap((sample): [number, number | null][] => {
        const atMs = startOf(sample);
        return atMs === null ? [] : [[atMs, levelOf(sample['heartRate'])]];
      });
    addWorkout({ activityId: idOfDetails(row), ...fieldsOf(row['summary']) }, samples, batch);
  }
}

function idOfDetails(row: Row): string | null {
  return activityIdOf(fieldsOf(row['summary'])) ?? activityIdOf(row);
}

/** Stable when an activity is sent again, unlike `summaryId`. */
function activityIdOf(row: Row): string | null {
  return idOf(row['activityId']);
}

/** The parts of a multisport activity count, because they have their own sports. The parent would count everything twice. */
function addWorkout(row: Row, heartRate: readonly [number, number | null][], batch: BatchBuilder): void {
  if (row['isParent'] === true) return;
  const startMs = startOf(row);
  const lastedMs = msOf(row['durationInSeconds']);
  if (startMs === null || lastedMs === null) return;
  batch.addWorkout({
    id: activityIdOf(row),
    sport: textOf(row['activityType']),
    name: textOf(row['activityName']),
    startMs,
    // Pauses are not part of the duration, but samples continue after them.
    endMs: heartRate.reduce((end, [atMs]) => Math.max(end, atMs), startMs + lastedMs),
    offset: offsetOfRow(row),
    values: {
      duration: minutesOfSeconds(row['durationInSeconds']),
      distance: kmOfMetres(row['distanceInMeters']),
      active_calories: numberOf(row['activeKilocalories']),
      steps: numberOf(row['steps']),
      heart_rate_avg: levelOf(row['averageHeartRateInBeatsPerMinute']),
      heart_rate_max: levelOf(row['maxHeartRateInBeatsPerMinute']),
      avg_speed_kmh: mapped(numberOf(row['averageSpeedInMetersPerSecond']), (speed) => speed * 3.6),
      elevation_gain: numberOf(row['totalElevationGainInMeters']),
    },
    heartRate,
  });
}
