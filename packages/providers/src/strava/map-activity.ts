import {
  fieldsOf,
  idOf,
  instantOf,
  kmOfMetres,
  listOf,
  mapped,
  numberOf,
  offsetOfSeconds,
  textOf,
  type Fields,
} from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { addAverages } from './add-averages.ts';

/** The maximum number of points to keep, even of a full-day ride recorded every second. */
const mostPoints = 7200;
/** A recording that was never stopped is not a workout. */
const mostSeconds = 48 * 3600;

/** Maps activities to workouts. */
export function mapActivities(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    const activity = fieldsOf(document['activity']);
    const id = idOf(activity['id']);
    const sport = textOf(activity['sport_type']) ?? textOf(activity['type']);
    // The local time has an incorrect `Z`, while this one is correct.
    const startMs = instantOf(activity['start_date']);
    const seconds = positiveOf(activity['elapsed_time']);
    if (id === null || startMs === null || seconds === null || seconds > mostSeconds) continue;
    const span = {
      startMs,
      endMs: startMs + seconds * 1000,
      offset: offsetOfSeconds(activity['utc_offset']),
    };
    batch.addWorkout({
      id,
      sport,
      ...span,
      name: textOf(activity['name']),
      values: valuesOf(activity),
      heartRate: heartRateOf(fieldsOf(document['streams']), startMs),
    });
    addAverages(activity, { id, sport, ...span }, batch);
  }
}

/** A number above zero. Strava writes 0 for values that a sport lacks and for values that were not measured. */
function positiveOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : null;
}

/** `kilojoules` are work at the pedals, not energy of the body. */
function valuesOf(activity: Fields): Record<string, number | null> {
  const speed = positiveOf(activity['average_speed']);
  return {
    distance: kmOfMetres(positiveOf(activity['distance'])),
    elevation_gain: positiveOf(activity['total_elevation_gain']),
    active_calories: positiveOf(activity['calories']),
    heart_rate_avg: numberOf(activity['average_heartrate']),
    heart_rate_max: numberOf(activity['max_heartrate']),
    avg_speed_kmh: mapped(speed, (metresPerSecond) => metresPerSecond * 3.6),
    avg_pace_seconds_per_km: paceOf(speed),
  };
}

/** Pace based on moving time, like the reported speed. The workout duration includes pauses. None for a pace that is not plausible on foot. */
function paceOf(metresPerSecond: number | null): number | null {
  const pace = mapped(metresPerSecond, (speed) => 1000 / speed);
  return pace !== null && pace >= 60 && pace <= 7200 ? pace : null;
}

/** Streams are columns: seconds from the start next to beats per minute. */
function heartRateOf(streams: Fields, startMs: number): [number, number | null][] {
  const [times, beats] = ['time', 'heartrate'].map((name) => listOf(fieldsOf(streams[name])['data']));
  const step = Math.ceil(times!.length / mostPoints);
  return times!.flatMap((time, at): [number, number | null][] => {
    const seconds = numberOf(time);
    return seconds === null || at % step !== 0 ? [] : [[startMs + seconds * 1000, numberOf(beats![at])]];
  });
}
