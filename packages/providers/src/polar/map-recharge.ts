import { dateOf, fieldsOf, numberOf, offsetOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { momentsOf, nightClockOf } from './night-clock.ts';

/** A nightly recharge with the times of its night, which it does not contain itself. */
export interface RechargeDocument {
  recharge: unknown;
  sleep_start_time: unknown;
  sleep_end_time: unknown;
}

/** Maps nightly recharges, which cover four hours of a night. */
export function mapRecharge(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const { recharge, sleep_start_time: start, sleep_end_time: end } = fieldsOf(document);
    const night = fieldsOf(recharge);
    const date = dateOf(night['date']);
    const variability = numberOf(night['heart_rate_variability_avg']);
    batch.addDaily(date, 'sleep_heart_rate', numberOf(night['heart_rate_avg']));
    batch.addDaily(date, 'sleep_heart_rate_variability', variability);
    batch.addDaily(date, 'heart_rate_variability_rmssd', variability);
    batch.addDaily(date, 'sleep_respiratory_rate', numberOf(night['breathing_rate_avg']));
    batch.addDaily(date, 'device_readiness_score', numberOf(night['nightly_recharge_status']));
    const clock = nightClockOf(start, end);
    if (clock)
      batch.addSeries({
        metric: 'heart_rate_variability_rmssd',
        points: momentsOf(clock, night['hrv_samples']),
        offset: offsetOf(end),
      });
  }
}
