import { kmOfMetres, minutesOfSeconds, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { calendarDateOf, latestRows, levelOf, offsetOfRow, samplesOf } from './rows.ts';

/** Days, which grow until they end. `averageHeartRateInBeatsPerMinute` covers seven days, so it is not a value of this day. */
export function mapDailies(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, calendarDateOf, (one) => numberOf(one['durationInSeconds']) ?? 0)) {
    const date = calendarDateOf(row);
    batch.addDaily(date, 'steps', numberOf(row['steps']));
    batch.addDaily(date, 'distance', kmOfMetres(row['distanceInMeters']));
    batch.addDaily(date, 'floors_climbed', numberOf(row['floorsClimbed']));
    batch.addDaily(date, 'active_calories', numberOf(row['activeKilocalories']));
    batch.addDaily(date, 'resting_energy', numberOf(row['bmrKilocalories']));
    batch.addDaily(date, 'active_time', minutesOfSeconds(row['activeTimeInSeconds']));
    batch.addDaily(
      date,
      'moderate_intensity_activity',
      minutesOfSeconds(row['moderateIntensityDurationInSeconds']),
    );
    batch.addDaily(
      date,
      'vigorous_intensity_activity',
      minutesOfSeconds(row['vigorousIntensityDurationInSeconds']),
    );
    batch.addDaily(date, 'resting_heart_rate', levelOf(row['restingHeartRateInBeatsPerMinute']));
    batch.addDaily(date, 'heart_rate_min', levelOf(row['minHeartRateInBeatsPerMinute']));
    batch.addDaily(date, 'heart_rate_max', levelOf(row['maxHeartRateInBeatsPerMinute']));
    batch.addDaily(date, 'device_stress_level', levelOf(row['averageStressLevel']));
    batch.addDaily(date, 'device_stress_high_time', minutesOfSeconds(row['highStressDurationInSeconds']));
    batch.addSeries({
      metric: 'heart_rate',
      points: samplesOf(row, 'timeOffsetHeartRateSamples'),
      offset: offsetOfRow(row),
    });
  }
}
