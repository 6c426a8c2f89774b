import { jsonOf, ProviderFailure } from '../failure.ts';
import { fieldsOf, listOf, numberOf, type Fields } from '../mapping/read.ts';
import type { AppApi, Call, Documents } from '../provider.ts';

type Form = NonNullable<Call['form']>;

/** Calls an action and returns the `body` of its response. */
export async function callAction(
  api: AppApi,
  path: string,
  form: Form,
  options: Pick<Call, 'bare'> = {},
): Promise<Fields> {
  const url = `${api.app.hosts['api']}${path}`;
  const response = await api.send({ method: 'POST', url, form, ...options });
  return fieldsOf(fieldsOf(jsonOf(response))['body']);
}

/** All pages of a list. An empty list may be an object. */
export async function* pagesOf(
  api: AppApi,
  path: string,
  form: Form,
  list: string,
): AsyncGenerator<Documents> {
  let offset: number | undefined;
  for (;;) {
    const body = await callAction(api, path, { ...form, offset });
    const documents = listOf(body[list]);
    if (documents.length > 0) yield documents;
    // A boolean in most lists, and a number in the list of measures.
    if (body['more'] !== true && numberOf(body['more']) !== 1) return;
    const next = numberOf(body['offset']);
    if (next === null || next <= (offset ?? 0))
      throw new ProviderFailure('unavailable', 'the response announces a next page without a valid offset');
    offset = next;
  }
}
