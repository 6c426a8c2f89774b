import { fieldsOf, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, Stream } from '../provider.ts';
import { calendarDateOf, latestRows, levelOf, offsetOfRow, samplesOf } from './rows.ts';

/** Heart rate variability through a night: RMSSD every five minutes and overall. */
export function mapHrv(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, calendarDateOf))
    batch.addDaily(calendarDateOf(row), 'sleep_heart_rate_variability', levelOf(row['lastNightAvg']));
  mapSamples({ hrvValues: 'heart_rate_variability_rmssd' })(documents, batch);
}

/** Stress and body battery. Levels below one are codes for missing values. */
export const mapStressDetails = mapSamples({
  timeOffsetStressLevelValues: 'device_stress_level',
  timeOffsetBodyBatteryValues: 'device_energy_level',
});

/** Blood oxygen, measured automatically or on demand. */
export const mapPulseOx = mapSamples({ timeOffsetSpo2Values: 'blood_oxygen' });

/** Respiration during day and night. */
export const mapRespiration = mapSamples({ timeOffsetEpochToBreaths: 'respiratory_rate' });

/** Fitness, as a daily value because it has no time. */
export function mapUserMetrics(documents: Documents, batch: BatchBuilder): void {
  for (const row of latestRows(documents, calendarDateOf))
    batch.addDaily(calendarDateOf(row), 'vo2_max', numberOf(row['vo2Max']));
}

function mapSamples(metrics: Readonly<Record<string, string>>): Stream['map'] {
  return (documents, batch) => {
    for (const row of documents.map(fieldsOf))
      for (const [name, metric] of Object.entries(metrics))
        batch.addSeries({ metric, points: samplesOf(row, name), offset: offsetOfRow(row) });
  };
}
