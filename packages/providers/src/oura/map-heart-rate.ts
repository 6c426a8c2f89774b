import { fieldsOf, instantOf, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';

/** Heart rate rows. Those during a sleep are also in its document, at the same times, and are stored once. */
export function mapHeartRate(documents: Documents, batch: BatchBuilder): void {
  const points = documents.map(fieldsOf).flatMap(({ timestamp, bpm }) => {
    const atMs = instantOf(timestamp);
    return atMs === null ? [] : [[atMs, numberOf(bpm)] as const];
  });
  batch.addSeries({ metric: 'heart_rate', points });
}
