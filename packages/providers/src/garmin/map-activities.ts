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
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { latestRows, levelOf, msOf, offsetOfRow, startOf, type Row } from './rows.ts';

/**
 * Activities without samples. What a watch recorded comes with its samples under `activityDetails`: told from here too, whichever came last
 * would take the trace away. So only what has no details is told: what was entered by hand, and the parts of a multisport activity.
 */
export function mapActivities(documents: Documents, told: Told): void {
  for (const row of latestRows(documents, activityIdOf))
    if (row['manual'] === true || textOf(row['parentSummaryId']) !== null) tellWorkout(row, [], told);
}

/** Activities that someone changed by hand; they replace what was told before. */
export function mapUpdatedActivities(documents: Documents, told: Told): void {
  for (const row of latestRows(documents, activityIdOf)) tellWorkout(row, [], told);
}

/** Activities with their samples. */
export function mapActivityDetails(documents: Documents, told: Told): void {
  for (const row of latestRows(documents, idOfDetails)) {
    const samples = listOf(row['samples'])
      .map(fieldsOf)
      .flatMap((sample): [number, number | null][] => {
        const atMs = startOf(sample);
        return atMs === null ? [] : [[atMs, levelOf(sample['heartRate'])]];
      });
    tellWorkout({ activityId: idOfDetails(row), ...fieldsOf(row['summary']) }, samples, told);
  }
}

function idOfDetails(row: Row): string | null {
  return activityIdOf(fieldsOf(row['summary'])) ?? activityIdOf(row);
}

/** Stays when an activity is sent again, which a `summaryId` may not. */
function activityIdOf(row: Row): string | null {
  return idOf(row['activityId']);
}

/** Of a multisport activity the parts count, since they know their sports; the whole would count everything twice. */
function tellWorkout(row: Row, heartRate: readonly [number, number | null][], told: Told): void {
  if (row['isParent'] === true) return;
  const startMs = startOf(row);
  const lastedMs = msOf(row['durationInSeconds']);
  if (startMs === null || lastedMs === null) return;
  told.workout({
    id: activityIdOf(row),
    sport: textOf(row['activityType']),
    name: textOf(row['activityName']),
    startMs,
    // Pauses are not part of the duration, but the samples go on after them.
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
