import { minuteMs } from '@tributary/domain';
import { fieldsOf, idOf, numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { glucoseUnitOf } from './glucose-unit-of.ts';
import { instantOfRecord, offsetOfRecord } from './times.ts';

/** Event types that have a metric, with the unit of each. */
const entries: Readonly<Record<string, { metric: string; unit: string }>> = {
  carbs: { metric: 'carbohydrates', unit: 'grams' },
  insulin: { metric: 'insulin_delivery', unit: 'units' },
  exercise: { metric: 'exercise', unit: 'minutes' },
};

/** Maps the user's entries. Deleted entries stay in the list and become deletions. */
export function mapEvents(documents: Documents, batch: BatchBuilder): void {
  for (const record of documents.map(fieldsOf)) {
    const id = idOf(record['recordId']);
    const { metric, unit } = meaningOf(record);
    if (metric === null) continue;
    if (record['eventStatus'] === 'deleted') {
      batch.addDeletion('record', id);
      continue;
    }
    const startMs = instantOfRecord(record);
    const value = numberOf(record['value']);
    const lastsMs = metric === 'exercise' && value !== null ? value * minuteMs : null;
    batch.addReading({
      metric,
      startMs,
      endMs: startMs === null || lastsMs === null ? null : startMs + lastsMs,
      value,
      offset: offsetOfRecord(record),
      ...(unit !== null && { unit }),
      ...(id !== null && { id }),
    });
  }
}

function meaningOf({ eventType, unit }: Fields): { metric: string | null; unit: string | null } {
  if (eventType === 'bloodGlucose') {
    const known = glucoseUnitOf(unit);
    return { metric: known && 'blood_glucose', unit: known };
  }
  const entry = entries[String(eventType)];
  return { metric: entry?.unit === unit ? (entry?.metric ?? null) : null, unit: null };
}
