import { dayMs } from '@tributary/domain';
import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, textOf } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import type { ProviderResponse } from '../provider-response.ts';
import { datesAround } from '../span.ts';
import { filterNameOf, partsOfDate } from './wire.ts';

/** A longer list must be an endless loop. */
const mostPages = 10_000;

/** Points of a type in a span, merged across sources. A plain list would count steps twice that both phone and watch counted. */
export async function* readPoints(
  api: UserApi,
  type: string,
  filter: string,
  pageSize: number,
): AsyncGenerator<Documents> {
  const query = { dataSourceFamily: 'users/me/dataSourceFamilies/all-sources', filter, pageSize };
  yield* pagesOf('dataPoints', (pageToken) =>
    api.send({ method: 'GET', url: `${pointsUrl(api, type)}:reconcile`, query: { ...query, pageToken } }),
  );
}

/** Daily totals, merged across sources, in ranges that Google allows. */
export async function* readDailyTotals(
  api: UserApi,
  type: string,
  span: Span,
  mostDays: number,
): AsyncGenerator<Documents> {
  const { from, after } = datesOf(span);
  for (let start = from; start < after; start = dateLater(start, mostDays)) {
    const next = dateLater(start, mostDays);
    const end = next < after ? next : after;
    const range = { start: { date: partsOfDate(start) }, end: { date: partsOfDate(end) } };
    yield* pagesOf('rollupDataPoints', (pageToken) =>
      api.send({
        method: 'POST',
        url: `${pointsUrl(api, type)}:dailyRollUp`,
        json: { range, windowSizeDays: 1, ...(pageToken !== undefined && { pageToken }) },
      }),
    );
  }
}

/** The URL of the points of a type. */
export function pointsUrl({ app }: UserApi, type: string): string {
  return `${app.hosts['health']}/v4/users/me/dataTypes/${type}/dataPoints`;
}

/** All points whose member is in the span, in physical time. */
export function filterByInstant(type: string, member: string, { fromMs, toMs }: Span): string {
  return filterOf(type, member, new Date(fromMs).toISOString(), new Date(toMs).toISOString());
}

/** All points whose member is on a local date that the span may include. */
export function filterByDate(type: string, member: string, span: Span): string {
  const { from, after } = datesOf(span);
  return filterOf(type, member, from, after);
}

function filterOf(type: string, member: string, from: string, before: string): string {
  const name = `${filterNameOf(type)}.${member}`;
  return `${name} >= "${from}" AND ${name} < "${before}"`;
}

/** An empty page may be followed by others, so only a missing token ends the list. */
async function* pagesOf(
  list: string,
  fetchPage: (pageToken: string | undefined) => Promise<ProviderResponse>,
): AsyncGenerator<Documents> {
  let pageToken: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const body = fieldsOf(jsonOf(await fetchPage(pageToken)));
    const documents = listOf(body[list]);
    if (documents.length > 0) yield documents;
    const { nextPageToken } = body;
    if (textOf(nextPageToken) === null) return;
    pageToken = String(nextPageToken);
  }
  throw new ProviderFailure('unavailable', 'the list of pages does not end');
}

function datesOf(span: Span): { from: string; after: string } {
  const { from, to } = datesAround(span);
  return { from, after: dateLater(to, 1) };
}

function dateLater(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}
