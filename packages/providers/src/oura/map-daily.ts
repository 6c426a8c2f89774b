import { dateOf, fieldsOf, minutesOfSeconds, numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';

/** Maps each document to a metric of its day. */
const mapDaily =
  (read: (document: Fields) => Record<string, number | null>) =>
  (documents: Documents, batch: BatchBuilder): void => {
    for (const fields of documents.map(fieldsOf))
      for (const [metric, value] of Object.entries(read(fields)))
        batch.addDaily(dateOf(fields['day']), metric, value);
  };

/** Oura's sleep score. `contributors` are scores too, even those named after a measurement. */
export const mapDailySleep = mapDaily(({ score }) => ({ device_sleep_score: numberOf(score) }));

/**
 * Oura's readiness score, with contributors of the same kind, and the temperature of the night minus the person's baseline, in degrees Celsius.
 * The deviation of the trend covers several days.
 */
export const mapDailyReadiness = mapDaily((document) => ({
  device_readiness_score: numberOf(document['score']),
  sleep_temperature_deviation: numberOf(document['temperature_deviation']),
}));

/** Blood oxygen over the night, and breathing disturbances. */
export const mapDailySpo2 = mapDaily((document) => ({
  sleep_blood_oxygen: numberOf(fieldsOf(document['spo2_percentage'])['average']),
  breathing_disturbances: numberOf(document['breathing_disturbance_index']),
}));

/** Daytime duration of high stress and high recovery. */
export const mapDailyStress = mapDaily((document) => ({
  device_stress_high_time: minutesOfSeconds(document['stress_high']),
  device_recovery_time: minutesOfSeconds(document['recovery_high']),
}));

const resilienceLevels = ['limited', 'adequate', 'solid', 'strong', 'exceptional'];

/** Resilience to stress, from 1 to 5. */
export const mapDailyResilience = mapDaily(({ level }) => {
  const place = resilienceLevels.findIndex((word) => word === level);
  return { device_resilience_level: place === -1 ? null : place + 1 };
});

/** VO2 max. */
export const mapVo2Max = mapDaily((document) => ({ vo2_max: numberOf(document['vo2_max']) }));

/** The age and stiffness of the arteries. */
export const mapCardiovascularAge = mapDaily((document) => ({
  cardiovascular_age: numberOf(document['vascular_age']),
  pulse_wave_velocity: numberOf(document['pulse_wave_velocity']),
}));
