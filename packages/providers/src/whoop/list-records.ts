import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, listOf, type Fields } from '../mapping/read.ts';
import type { AppApi, Documents, Span, UserApi } from '../provider.ts';

/** The most that a page holds: calls are what is scarce. */
const pageSize = 25;

/** Where something of the API's second version is. */
export function addressOf({ app }: Pick<AppApi, 'app'>, path: string): string {
  return `${app.hosts['api']}/developer/v2${path}`;
}

/** The records of a collection that lie in a span, page by page, the newest first. */
export async function* listRecords(
  api: UserApi,
  path: string,
  { fromMs, toMs }: Span,
): AsyncGenerator<Documents> {
  const range = { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() };
  let nextToken: string | null = null;
  do {
    const query = { limit: pageSize, ...range, ...(nextToken !== null && { nextToken }) };
    const answer = await api.send({ method: 'GET', url: addressOf(api, path), query });
    const page = fieldsOf(jsonOf(answer));
    const records = listOf(page['records']);
    if (records.length > 0) yield records;
    nextToken = tokenOf(page['next_token']);
  } while (nextToken !== null);
}

/** One record; null when there is no such one. */
export async function findRecord(
  api: UserApi,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Fields | null> {
  try {
    return fieldsOf(jsonOf(await api.send({ method: 'GET', url: addressOf(api, path), query })));
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'gone') return null;
    throw error;
  }
}

/** An id as a part of an address; what a push names is not trusted to be one. */
export function pathPart(id: unknown): string {
  return encodeURIComponent(idOf(id) ?? '');
}

function tokenOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
