import { dayMs } from '@tributary/domain';
import { jsonOf } from '../failure.ts';
import { dateOf, fieldsOf, mapped, numberOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { addressOf } from './list-records.ts';

/** Current height and weight. They have no times, so they say nothing about a past span. */
export async function* readBody(api: UserApi, { toMs }: Span): AsyncGenerator<Documents> {
  const nowMs = api.now();
  if (toMs <= nowMs - dayMs) return;
  const response = await api.send({ method: 'GET', url: addressOf(api, '/user/measurement/body') });
  // The date instead of the time, so that unchanged values are the same document all day.
  yield [{ read_on: new Date(nowMs).toISOString().slice(0, 10), body: fieldsOf(jsonOf(response)) }];
}

/** Height and weight, as of the beginning of the day on which they were read. */
export function mapBody(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents.map(fieldsOf)) {
    const body = fieldsOf(document['body']);
    const startMs = mapped(dateOf(document['read_on']), Date.parse);
    const height = mapped(numberOf(body['height_meter']), (metres) => metres * 100);
    batch.addReading({ metric: 'height', startMs, value: height });
    batch.addReading({ metric: 'weight', startMs, value: numberOf(body['weight_kilogram']) });
  }
}
