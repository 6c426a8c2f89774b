import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, idOf, listOf, type Fields } from '../mapping/read.ts';
import type { AppApi, Documents, Span, UserApi } from '../provider.ts';

/** The maximum page size, because calls are scarce. */
const pageSize = 25;

/** A URL of version 2 of the API. */
export function addressOf({ app }: Pick<AppApi, 'app'>, path: string): string {
  return `${app.hosts['api']}/developer/v2${path}`;
}

/** The records of a collection in a span, page by page, newest first. */
export async function* listRecords(
  api: UserApi,
  path: string,
  { fromMs, toMs }: Span,
): AsyncGenerator<Documents> {
  const range = { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() };
  let nextToken: string | null = null;
  do {
    const query = { limit: pageSize, ...range, ...(nextToken !== null && { nextToken }) };
    const response = await api.send({ method: 'GET', url: addressOf(api, path), query });
    const page = fieldsOf(jsonOf(response));
    const records = listOf(page['records']);
    if (records.length > 0) yield records;
    nextToken = tokenOf(page['next_token']);
  } while (nextToken !== null);
}

/** One record, or null if it does not exist. */
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

/** Encodes an id for a URL. Ids from pushes are not trusted. */
export function pathPart(id: unknown): string {
  return encodeURIComponent(idOf(id) ?? '');
}

function tokenOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
