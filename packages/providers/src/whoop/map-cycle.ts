import { fieldsOf, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { dateOfCycle, kcalOf } from './values.ts';

/** Daily strain, energy and heart rate. Those of the open cycle grow until it ends. */
export function mapCycles(documents: Documents, batch: BatchBuilder): void {
  for (const cycle of documents.map(fieldsOf)) {
    const date = dateOfCycle(cycle['start'], cycle['timezone_offset']);
    const score = fieldsOf(cycle['score']);
    batch.addDaily(date, 'device_strain', numberOf(score['strain']));
    // Includes energy at rest, so it is not active energy.
    batch.addDaily(date, 'total_energy', kcalOf(score['kilojoule']));
    batch.addDaily(date, 'heart_rate', numberOf(score['average_heart_rate']));
    batch.addDaily(date, 'heart_rate_max', numberOf(score['max_heart_rate']));
  }
}
