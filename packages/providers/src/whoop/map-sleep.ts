import { fieldsOf, instantOf, minutesOfMs, numberOf, textOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { recordOffsetOf } from './values.ts';

/** Sleeps with their recoveries. A score is absent until it exists. */
export function mapSleeps(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    addSleep(fieldsOf(document['sleep']), fieldsOf(fieldsOf(document['recovery'])['score']), batch);
    addRecovery(fieldsOf(document['sleep']), document['recovery'], batch);
  }
}

function addSleep(sleep: Fields, recovered: Fields, batch: BatchBuilder): void {
  const score = fieldsOf(sleep['score']);
  const stages = fieldsOf(score['stage_summary']);
  batch.addSleep({
    id: textOf(sleep['id']),
    startMs: instantOf(sleep['start']),
    endMs: instantOf(sleep['end']),
    offset: recordOffsetOf(sleep['timezone_offset']),
    minutes: {
      in_bed: minutesOfMs(stages['total_in_bed_time_milli']),
      awake: minutesOfMs(stages['total_awake_time_milli']),
      light: minutesOfMs(stages['total_light_sleep_time_milli']),
      deep: minutesOfMs(stages['total_slow_wave_sleep_time_milli']),
      rem: minutesOfMs(stages['total_rem_sleep_time_milli']),
    },
    vitals: {
      sleep_respiratory_rate: numberOf(score['respiratory_rate']),
      device_sleep_score: numberOf(score['sleep_performance_percentage']),
      sleep_blood_oxygen: numberOf(recovered['spo2_percentage']),
      sleep_skin_temperature: numberOf(recovered['skin_temp_celsius']),
    },
  });
}

/** Recorded at waking up, under the id of the sleep, so that it can be deleted by that id. */
function addRecovery(sleep: Fields, recovery: unknown, batch: BatchBuilder): void {
  const id = textOf(sleep['id']);
  if (id === null) return;
  // The night has no recovery any more. A nap never had one.
  if (recovery === null && sleep['nap'] === false) return batch.addDeletion('record', id);
  const score = fieldsOf(fieldsOf(recovery)['score']);
  const addReading = (metric: string, value: unknown) =>
    batch.addReading({
      metric,
      startMs: instantOf(sleep['end']),
      value: numberOf(value),
      offset: recordOffsetOf(sleep['timezone_offset']),
      id,
    });
  // While WHOOP calibrates for a new user, measurements are valid but scores are not.
  if (score['user_calibrating'] !== true) addReading('device_readiness_score', score['recovery_score']);
  addReading('resting_heart_rate', score['resting_heart_rate']);
  addReading('heart_rate_variability_rmssd', score['hrv_rmssd_milli']);
}
