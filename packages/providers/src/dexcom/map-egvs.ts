import { fieldsOf, idOf, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { glucoseUnitOf } from './glucose-unit-of.ts';
import { instantOfRecord, offsetOfRecord } from './times.ts';

interface Series {
  unit: string;
  offset: string | null;
  points: [number, number][];
}

/** Maps sensor readings, each once, in their original unit. The sensor clamps values to 40 and 400, and the mapping keeps these. */
export function mapEgvs(documents: Documents, batch: BatchBuilder): void {
  const byId = new Map(
    documents
      .map(fieldsOf)
      .map((record) => [idOf(record['recordId']) ?? textOf(record['systemTime']), record]),
  );
  const all = new Map<string, Series>();
  for (const record of byId.values()) {
    const unit = glucoseUnitOf(record['unit']);
    const atMs = instantOfRecord(record);
    const value = numberOf(record['value']);
    if (unit === null || atMs === null || value === null) continue;
    const offset = offsetOfRecord(record);
    const key = `${unit} ${offset}`;
    const series = all.get(key) ?? { unit, offset, points: [] };
    series.points.push([atMs, value]);
    all.set(key, series);
  }
  for (const series of all.values()) batch.addSeries({ metric: 'blood_glucose', ...series });
}
