import { Call, ListCall, type Send } from './call.ts';
import type { OperationEntry, OperationTable } from './operation-table.ts';
import type { Form, RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** Builds the methods of a table of operations, by namespace. */
export function buildApi(
  tables: readonly OperationTable[],
  transport: Transport,
  form: Form,
): Record<string, Record<string, unknown>> {
  const api: Record<string, Record<string, unknown>> = {};
  for (const [namespace, operations] of tables.flatMap((table) => Object.entries(table))) {
    const methods = (api[namespace] ??= {});
    for (const [name, entry] of Object.entries(operations))
      methods[name] = (...parts: unknown[]) => call(entry, transport, form, parts);
  }
  return api;
}

/** Takes the parts in their order: path parameters, body, query, options. */
function call(entry: OperationEntry, transport: Transport, form: Form, parts: unknown[]): unknown {
  const { method, hasBody, hasQuery, isOpen = false, isKeyed, paging } = entry;
  const rest = [...parts];
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(rest.shift(), name));
  const body = hasBody ? (rest.shift() ?? {}) : undefined;
  const query: object = hasQuery ? (rest.shift() ?? {}) : {};
  const options = rest.shift() as RequestOptions | undefined;
  // The same key for all attempts: the service then does the work once.
  const key = isKeyed ? { 'Idempotency-Key': crypto.randomUUID() } : {};
  const isRepeatable = method !== 'POST' || isKeyed === true;
  const sendWith =
    (values: object): Send =>
    (headers) =>
      transport.send({
        method,
        path,
        query: values,
        body,
        isOpen,
        isRepeatable,
        options,
        headers: { ...key, ...headers },
      });
  const kind = paging?.[form - 1];
  return kind ? new ListCall(kind, query, sendWith) : new Call(sendWith(query));
}

/** An empty identifier would address the list instead of one entry. */
function segment(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(`\`${name}\` must be an identifier.`);
  return encodeURIComponent(value);
}
