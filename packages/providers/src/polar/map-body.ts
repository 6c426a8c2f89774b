import { dateOf, fieldsOf, instantOf, mapped, numberOf, offsetOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { offsetOfMinutes } from './wire.ts';

/** Maps body data as of its last change. Its resting heart rate is a setting, not a measurement. */
export function mapPhysicalInfo(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const info = fieldsOf(document);
    const at = { startMs: instantOf(info['modified']), offset: offsetOf(info['modified']) };
    batch.addReading({ metric: 'weight', value: numberOf(info['weight']), ...at });
    batch.addReading({ metric: 'height', value: numberOf(info['height']), ...at });
    batch.addReading({ metric: 'vo2_max', value: numberOf(info['vo2_max']), ...at });
  }
}

/** Maps daily cardio load. Negative values mean that there is none. */
export function mapCardioLoad(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const { date, cardio_load: rawLoad } = fieldsOf(document);
    const load = numberOf(rawLoad);
    batch.addDaily(dateOf(date), 'device_training_load', load !== null && load >= 0 ? load : null);
  }
}

/** Maps the skin temperature of nights, and how far it is from the person's baseline. */
export function mapSkinTemperature(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const fields = fieldsOf(document);
    const date = dateOf(fields['sleep_date']);
    batch.addDaily(date, 'sleep_skin_temperature', numberOf(fields['sleep_time_skin_temperature_celsius']));
    batch.addDaily(date, 'sleep_temperature_deviation', numberOf(fields['deviation_from_baseline_celsius']));
  }
}

/** Maps blood oxygen tests, which users take whenever they like. */
export function mapBloodOxygen(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const { blood_oxygen_percent: percent, test_time: time, time_zone_offset: offset } = fieldsOf(document);
    batch.addReading({
      metric: 'blood_oxygen',
      value: numberOf(percent),
      startMs: mapped(numberOf(time), (seconds) => seconds * 1000),
      offset: offsetOfMinutes(offset),
    });
  }
}
