import { fieldsOf, numberOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { dateOfCycle, kcalOf } from './values.ts';

/** Daily strain, energy and heart rate. Those of the open cycle grow until it ends. */
export function mapCycles(documents: Documents, told: Told): void {
  for (const cycle of documents.map(fieldsOf)) {
    const date = dateOfCycle(cycle['start'], cycle['timezone_offset']);
    const score = fieldsOf(cycle['score']);
    told.daily(date, 'device_strain', numberOf(score['strain']));
    // Includes energy at rest, so it is not active energy.
    told.daily(date, 'total_energy', kcalOf(score['kilojoule']));
    told.daily(date, 'heart_rate', numberOf(score['average_heart_rate']));
    told.daily(date, 'heart_rate_max', numberOf(score['max_heart_rate']));
  }
}
