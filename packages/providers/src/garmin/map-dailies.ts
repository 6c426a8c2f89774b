import { kmOfMetres, minutesOfSeconds, numberOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { calendarDateOf, latestRows, levelOf, offsetOfRow, samplesOf } from './rows.ts';

/** Days, which grow until they end. `averageHeartRateInBeatsPerMinute` covers seven days, so it is not a value of this day. */
export function mapDailies(documents: Documents, told: Told): void {
  for (const row of latestRows(documents, calendarDateOf, (one) => numberOf(one['durationInSeconds']) ?? 0)) {
    const date = calendarDateOf(row);
    told.daily(date, 'steps', numberOf(row['steps']));
    told.daily(date, 'distance', kmOfMetres(row['distanceInMeters']));
    told.daily(date, 'floors_climbed', numberOf(row['floorsClimbed']));
    told.daily(date, 'active_calories', numberOf(row['activeKilocalories']));
    told.daily(date, 'resting_energy', numberOf(row['bmrKilocalories']));
    told.daily(date, 'active_time', minutesOfSeconds(row['activeTimeInSeconds']));
    told.daily(
      date,
      'moderate_intensity_activity',
      minutesOfSeconds(row['moderateIntensityDurationInSeconds']),
    );
    told.daily(
      date,
      'vigorous_intensity_activity',
      minutesOfSeconds(row['vigorousIntensityDurationInSeconds']),
    );
    told.daily(date, 'resting_heart_rate', levelOf(row['restingHeartRateInBeatsPerMinute']));
    told.daily(date, 'heart_rate_min', levelOf(row['minHeartRateInBeatsPerMinute']));
    told.daily(date, 'heart_rate_max', levelOf(row['maxHeartRateInBeatsPerMinute']));
    told.daily(date, 'device_stress_level', levelOf(row['averageStressLevel']));
    told.daily(date, 'device_stress_high_time', minutesOfSeconds(row['highStressDurationInSeconds']));
    told.series({
      metric: 'heart_rate',
      points: samplesOf(row, 'timeOffsetHeartRateSamples'),
      offset: offsetOfRow(row),
    });
  }
}
