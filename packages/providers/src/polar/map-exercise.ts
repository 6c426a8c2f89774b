import { minuteMs } from '@tributary/domain';
import { fieldsOf, idOf, listOf, mapped, numberOf, textOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { offsetOfMinutes, secondsOfDuration, localMsOf } from './wire.ts';

/** The sample type of heart rates. */
const heartRateType = '0';

/** The start of an exercise, from its local time and the offset next to it. */
export function startOfExercise({ start_time: time, start_time_utc_offset: offset }: Fields): number | null {
  const [localMs, minutes] = [localMsOf(time), numberOf(offset)];
  return localMs === null || minutes === null ? null : localMs - minutes * minuteMs;
}

/** Maps exercises to workouts. */
export function mapExercise(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const exercise = fieldsOf(document);
    const startMs = startOfExercise(exercise);
    const seconds = secondsOfDuration(exercise['duration']);
    const { average, maximum } = fieldsOf(exercise['heart_rate']);
    batch.addWorkout({
      id: idOf(exercise['id']),
      sport: sportOf(exercise),
      startMs,
      endMs: startMs === null || seconds === null ? null : startMs + seconds * 1000,
      offset: offsetOfMinutes(exercise['start_time_utc_offset']),
      values: {
        duration: mapped(seconds, (value) => value / 60),
        active_calories: numberOf(exercise['calories']),
        distance: mapped(numberOf(exercise['distance']), (meters) => meters / 1000),
        heart_rate_avg: numberOf(average),
        heart_rate_max: numberOf(maximum),
      },
      heartRate: startMs === null ? [] : traceOf(exercise['samples'], startMs),
    });
  }
}

/** Some sports are reported as OTHER, with their name only in the detail. */
function sportOf({ sport, detailed_sport_info: detail }: Fields): string | null {
  const word = textOf(sport);
  return word === null || word === 'OTHER' ? (textOf(detail) ?? word) : word;
}

/** Values in one string, at a fixed interval. Missing values or zeros mean that the strap was off. */
function traceOf(samples: unknown, startMs: number): [atMs: number, bpm: number | null][] {
  const heartRateSamples = listOf(samples)
    .map(fieldsOf)
    .find((one) => String(one['sample-type']) === heartRateType);
  const everySeconds = numberOf(heartRateSamples?.['recording-rate']);
  const data = heartRateSamples?.['data'];
  if (everySeconds === null || everySeconds <= 0 || typeof data !== 'string') return [];
  return data.split(',').map((text, index) => {
    const beats = numberOf(text.trim());
    return [startMs + index * everySeconds * 1000, beats === 0 ? null : beats];
  });
}
