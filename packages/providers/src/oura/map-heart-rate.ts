import { fieldsOf, instantOf, numberOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';

/** Rows of heart rate. Those of a sleep stand in its document too, at the same moments, and are kept once. */
export function mapHeartRate(documents: Documents, told: Told): void {
  const points = documents.map(fieldsOf).flatMap(({ timestamp, bpm }) => {
    const atMs = instantOf(timestamp);
    return atMs === null ? [] : [[atMs, numberOf(bpm)] as const];
  });
  told.series({ metric: 'heart_rate', points });
}
