import { dateOf, fieldsOf, listOf, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { dayClockOf } from './day-clock.ts';
import { localMsOf } from './wire.ts';

/** The heart rate of a date, which has no offset, with nearby times that do. */
export interface HeartRateDocument {
  day: unknown;
  known_times: readonly string[];
}

/** Maps daily heart rate. If the clock's offset is unknown, so are the sample times, but the daily values are still valid. */
export function mapHeartRate(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const { day, known_times: times } = fieldsOf(document);
    const date = dateOf(fieldsOf(day)['date']);
    if (date === null) continue;
    const samples = listOf(fieldsOf(day)['heart_rate_samples']).flatMap((item): [number, number][] => {
      const { heart_rate: beats, sample_time: time } = fieldsOf(item);
      const [localMs, value] = [localMsOf(`${date}T${textOf(time)}`), numberOf(beats)];
      return localMs === null || value === null ? [] : [[localMs, value]];
    });
    const clock = dayClockOf(listOf(times));
    if (!clock) addDailyValues(date, samples, batch);
    else {
      const byOffset = Map.groupBy(
        samples.map(([localMs, value]) => ({ ...clock(localMs), value })),
        ({ offset }) => offset,
      );
      for (const [offset, placed] of byOffset)
        batch.addSeries({
          metric: 'heart_rate',
          points: placed.map(({ atMs, value }) => [atMs, value] as const),
          offset,
        });
    }
  }
}

function addDailyValues(date: string, samples: readonly [number, number][], batch: BatchBuilder): void {
  const beats = samples.map(([, value]) => value);
  if (beats.length === 0) return;
  batch.addDaily(date, 'heart_rate', beats.reduce((sum, value) => sum + value, 0) / beats.length);
  batch.addDaily(date, 'heart_rate_min', Math.min(...beats));
  batch.addDaily(date, 'heart_rate_max', Math.max(...beats));
}
