import { clientNames } from './client-names.ts';
import type { JsonSchema } from './to-typescript.ts';

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
}

interface Response {
  content?: { 'application/json'?: { schema: JsonSchema } };
}

export interface FormDocument {
  paths: Record<string, Record<string, WrittenOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
}

interface WrittenOperation {
  operationId: string;
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, Response | { $ref: string }>;
}

type Paging = 'none' | 'cursor' | 'page' | 'feed';

/** An operation of one form, as the client needs it. */
export interface ClientOperation {
  operationId: string;
  namespace: string;
  method: string;
  httpMethod: string;
  path: string;
  comment: string;
  /** Names of the path parameters, in order. */
  pathNames: string[];
  query: JsonSchema | null;
  body: JsonSchema | null;
  /** The schema of a successful response; null without a body. */
  response: JsonSchema | null;
  /** How the list continues; null if the response is not a list. */
  paging: Paging | null;
  isOpen: boolean;
  /** Whether a user token allows it. */
  isForUsers: boolean;
  isKeyed: boolean;
  /** Codes of each error status. */
  errorCodes: Record<string, string[]>;
}

/** The operations of an API description that the client offers. */
export function readForm(document: FormDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([httpMethod, written]) => {
      const name = clientNames[written.operationId];
      if (name === null) return [];
      if (name === undefined)
        throw new Error(`scripts/openapi/client-names.ts has no name for ${written.operationId}.`);
      return [readOperation(document, path, httpMethod, written, name)];
    }),
  );
}

function readOperation(
  document: FormDocument,
  path: string,
  httpMethod: string,
  written: WrittenOperation,
  name: string,
): ClientOperation {
  const parameters = (written.parameters ?? []).map((one) =>
    '$ref' in one ? document.components.parameters[nameIn(one.$ref)]! : one,
  );
  const responses = Object.entries(written.responses).map(
    ([status, one]) =>
      [status, '$ref' in one ? document.components.responses[nameIn(one.$ref)]! : one] as const,
  );
  const success = responses.find(([status]) => status.startsWith('2'))![1];
  const response = success.content?.['application/json']?.schema ?? null;
  const [namespace, method] = name.split('.') as [string, string];
  return {
    operationId: written.operationId,
    namespace,
    method,
    httpMethod: httpMethod.toUpperCase(),
    path,
    comment: [`${written.summary}.`, written.description ?? ''].join(' ').trim(),
    pathNames: parameters.filter(({ in: place }) => place === 'path').map(nameArgument),
    query: readQuery(parameters),
    body: written.requestBody?.content['application/json'].schema ?? null,
    response,
    paging: httpMethod === 'get' && response ? pagingOf(document, response) : null,
    isOpen: written.security.length === 0,
    isForUsers: written.security.some((scheme) => 'userToken' in scheme),
    isKeyed: parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    errorCodes: Object.fromEntries(
      responses.flatMap(([status, one]) => {
        const codes = codesOf(one);
        return codes ? [[status, codes]] : [];
      }),
    ),
  };
}

/** Parameters with commas also accept an array. */
function readQuery(parameters: readonly Parameter[]): JsonSchema | null {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  if (inQuery.length === 0) return null;
  const list: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'readonly string[]' }] };
  return {
    type: 'object',
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [
        name,
        { ...(/comma-separated/i.test(description) ? list : schema), description },
      ]),
    ),
  };
}

function pagingOf(document: FormDocument, response: JsonSchema): Paging | null {
  const schema = response.$ref ? document.components.schemas[nameIn(response.$ref)]! : response;
  const { data, events, next_cursor, meta } = schema.properties ?? {};
  if (events?.type === 'array') return 'feed';
  if (data?.type !== 'array') return null;
  if (next_cursor) return 'cursor';
  return meta ? 'page' : 'none';
}

function codesOf({ content }: Response): string[] | null {
  const parts = content?.['application/json']?.schema.allOf ?? [];
  return (parts.find(({ properties }) => properties?.['error']?.enum)?.properties?.['error']?.enum ??
    null) as string[] | null;
}

/** Paths name every identifier `id`, and the description says what it identifies. */
function nameArgument({ name, description }: Parameter): string {
  const kind = name === 'id' ? /^(\w+) identifier\.$/.exec(description)?.[1] : undefined;
  return kind
    ? `${kind.toLowerCase()}Id`
    : name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1)!;
}
