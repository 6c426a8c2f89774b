import { fieldsOf, kmOfMetres, listOf, mapped, numberOf, type Fields } from '../../mapping/read.ts';
import type { BatchBuilder } from '../../mapping/batch-builder.ts';
import type { Documents } from '../../provider.ts';
import { placeDays } from './place-days.ts';
import { sensed } from './sensed.ts';
import { isEchoOrNoDevice } from './origin.ts';
import { addSeries } from './series.ts';
import { offsetIn } from './zone.ts';

/** Fields that must be requested by name. */
export const intradayFields = [
  'steps',
  'elevation',
  'calories',
  'distance',
  'duration',
  'heart_rate',
  'spo2_auto',
  'rmssd',
  'sdnn1',
  'rr',
  'core_body_temperature',
];

const measured = {
  heart_rate: 'heart_rate',
  spo2_auto: 'blood_oxygen',
  rmssd: 'heart_rate_variability_rmssd',
  sdnn1: 'heart_rate_variability',
  rr: 'respiratory_rate',
  core_body_temperature: 'body_temperature',
};

/**
 * Maps a watch's intraday records. They have neither zone nor device, so each is matched with the summary of its day. Echoed days are left out, and
 * movement is mapped only if the summary names a tracker.
 */
export function mapIntraday(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    const days = placeDays(listOf(document['days']));
    const entries = Object.entries(fieldsOf(document['series'])).flatMap(([epoch, entry]) => {
      const startMs = mapped(numberOf(epoch), (seconds) => seconds * 1000);
      if (startMs === null) return [];
      const day = days.find((one) => one.startMs <= startMs && startMs < one.endMs)?.summary;
      return day && isEchoOrNoDevice(day) ? [] : [{ startMs, day, fields: fieldsOf(entry) }];
    });
    for (const { startMs, day, fields } of entries)
      if (day) addMovement(batch, fields, startMs, offsetIn(day['timezone'], startMs));
    for (const timezone of new Set(entries.map(({ day }) => day?.['timezone']))) {
      const there = entries.filter(({ day }) => day?.['timezone'] === timezone);
      for (const [field, metric] of Object.entries(measured)) {
        const points = there.map(({ startMs, fields }) => [startMs, sensed(fields[field])] as const);
        addSeries(batch, metric, timezone, points);
      }
    }
  }
}

function addMovement(batch: BatchBuilder, fields: Fields, startMs: number, offset: string | null): void {
  const seconds = numberOf(fields['duration']);
  if (seconds === null || seconds <= 0) return;
  const during = { startMs, endMs: startMs + seconds * 1000, offset };
  batch.addReading({ metric: 'steps', value: numberOf(fields['steps']), ...during });
  batch.addReading({ metric: 'distance', value: kmOfMetres(fields['distance']), ...during });
  batch.addReading({ metric: 'floors_climbed', value: numberOf(fields['elevation']), ...during });
  batch.addReading({ metric: 'active_calories', value: numberOf(fields['calories']), ...during });
}
