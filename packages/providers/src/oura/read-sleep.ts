import { dateOf, fieldsOf, textOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { daysOf, endOf, readCollection, readDocument } from './read-collection.ts';

/** All sleeps of one day. The main sleep can only be identified among them. */
interface SleepDay {
  day: string;
  sleeps: Documents;
}

/** The sleeps of a span, by day. */
export async function* readSleep(api: UserApi, span: Span): AsyncGenerator<Documents> {
  let pendingSleeps: Documents = [];
  for await (const page of readCollection(api, 'sleep', daysOf(span))) {
    const days = byDay([...pendingSleeps, ...page]);
    // The last day of a page may continue on the next page.
    pendingSleeps = days.pop()?.sleeps ?? [];
    if (days.length > 0) yield days;
  }
  if (pendingSleeps.length > 0) yield byDay(pendingSleeps);
}

/** The sleep with this id, and the others of its day. */
export async function readSleepDay(api: UserApi, id: string): Promise<Documents> {
  const named = await readDocument(api, 'sleep', id);
  const day = dateOf(fieldsOf(named[0])['day']);
  if (day === null) return [];
  const others: unknown[] = [];
  for await (const page of readCollection(api, 'sleep', { start_date: day, end_date: endOf(day) }))
    others.push(...page.filter((one) => fieldsOf(one)['id'] !== id));
  return byDay([...named, ...others]);
}

function byDay(sleeps: Documents): SleepDay[] {
  const days = Map.groupBy(sleeps, (sleep) => textOf(fieldsOf(sleep)['day']) ?? '');
  return [...days].map(([day, ofDay]) => ({ day, sleeps: ofDay }));
}
