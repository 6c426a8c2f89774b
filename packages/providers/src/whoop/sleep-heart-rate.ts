import { fieldsOf, instantOf, listOf, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, UserApi } from '../provider.ts';
import { findRecord, pathPart } from './list-records.ts';

/** The heart rate samples of the sleep that a push referred to. */
export async function readSleepHeartRate(api: UserApi, id: string): Promise<Documents> {
  const record = await findRecord(api, `/activity/sleep/${pathPart(id)}/stream`, { types: 'hr' });
  return record ? [record] : [];
}

/** The heart rate of sleeps. */
export function mapSleepHeartRate(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    const points = listOf(document['stream']).flatMap((row): [number, number | null][] => {
      const { timestamp, hr } = fieldsOf(row);
      const atMs = instantOf(timestamp);
      return atMs === null ? [] : [[atMs, numberOf(hr)]];
    });
    batch.addSeries({ metric: 'heart_rate', points });
  }
}
