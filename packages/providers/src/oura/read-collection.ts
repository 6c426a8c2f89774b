import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import type { Call, Documents, Span, UserApi } from '../provider.ts';
import { datesAround } from '../span.ts';
import { apiUrl } from './api-url.ts';

const base = '/v2/usercollection';

/** The days that a span may include. A plain end date would mean its midnight and exclude the day itself. */
export function daysOf(span: Span): { start_date: string; end_date: string } {
  const { from, to } = datesAround(span);
  return { start_date: from, end_date: endOf(to) };
}

/** The last time of a local date, which Oura accepts without an offset. */
export function endOf(date: string): string {
  return `${date}T23:59:59`;
}

/** The documents of a collection, page by page. An empty page may be followed by others. */
export async function* readCollection(
  api: UserApi,
  name: string,
  query: NonNullable<Call['query']>,
): AsyncGenerator<Documents> {
  let token: string | null = null;
  do {
    const pageQuery: Call['query'] = token === null ? query : { ...query, next_token: token };
    const response = await api.send({
      method: 'GET',
      url: apiUrl(api.app, `${base}/${name}`),
      query: pageQuery,
    });
    const { data, next_token: next } = fieldsOf(jsonOf(response));
    if (!Array.isArray(data)) throw new ProviderFailure('unavailable', 'the response has no list');
    if (data.length > 0) yield data;
    token = typeof next === 'string' && next !== '' ? next : null;
  } while (token !== null);
}

/** One document of a collection, or none if it is gone. */
export async function readDocument(api: UserApi, name: string, id: string): Promise<Documents> {
  const url = apiUrl(api.app, `${base}/${name}/${encodeURIComponent(id)}`);
  try {
    return [jsonOf(await api.send({ method: 'GET', url }))];
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'gone') return [];
    throw error;
  }
}
