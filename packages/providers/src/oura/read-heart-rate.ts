import type { Documents, Span, UserApi } from '../provider.ts';
import { readCollection } from './read-collection.ts';

/** The heart rate of a span. It has its own range parameters and returns nothing when requested by date. */
export function readHeartRate(api: UserApi, { fromMs, toMs }: Span): AsyncIterable<Documents> {
  return readCollection(api, 'heartrate', {
    start_datetime: new Date(fromMs).toISOString(),
    end_datetime: new Date(toMs).toISOString(),
  });
}
