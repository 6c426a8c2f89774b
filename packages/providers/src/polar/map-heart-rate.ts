import { dateOf, fieldsOf, listOf, numberOf, textOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { dayClockOf } from './day-clock.ts';
import { wallOf } from './wire.ts';

/** The heart rate of a date, which has no offset, with nearby times that do. */
export interface HeartRateDocument {
  day: unknown;
  known_times: readonly string[];
}

/** Maps daily heart rate. If the clock's offset is unknown, so are the sample times, but the daily values are still valid. */
export function mapHeartRate(documents: Documents, told: Told): void {
  for (const document of documents) {
    const { day, known_times: times } = fieldsOf(document);
    const date = dateOf(fieldsOf(day)['date']);
    if (date === null) continue;
    const samples = listOf(fieldsOf(day)['heart_rate_samples']).flatMap((item): [number, number][] => {
      const { heart_rate: beats, sample_time: time } = fieldsOf(item);
      const [wallMs, value] = [wallOf(`${date}T${textOf(time)}`), numberOf(beats)];
      return wallMs === null || value === null ? [] : [[wallMs, value]];
    });
    const clock = dayClockOf(listOf(times));
    if (!clock) tellDate(date, samples, told);
    else {
      const byOffset = Map.groupBy(
        samples.map(([wallMs, value]) => ({ ...clock(wallMs), value })),
        ({ offset }) => offset,
      );
      for (const [offset, placed] of byOffset)
        told.series({
          metric: 'heart_rate',
          points: placed.map(({ atMs, value }) => [atMs, value] as const),
          offset,
        });
    }
  }
}

function tellDate(date: string, samples: readonly [number, number][], told: Told): void {
  const beats = samples.map(([, value]) => value);
  if (beats.length === 0) return;
  told.daily(date, 'heart_rate', beats.reduce((sum, value) => sum + value, 0) / beats.length);
  told.daily(date, 'heart_rate_min', Math.min(...beats));
  told.daily(date, 'heart_rate_max', Math.max(...beats));
}
