import { isDayOrAll, isStorableText, isTimezone } from '@tributary/domain';
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { readFile } from 'node:fs/promises';

export interface OpenApiMedia {
  schema: object;
  examples?: Record<string, { value: unknown }>;
}

export interface OpenApiParameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  description?: string;
  schema: object;
  example?: unknown;
}

export interface OpenApiResponse {
  description: string;
  headers: Record<string, unknown>;
  /** Absent when a response has no body. */
  content?: { 'application/json': OpenApiMedia; 'text/event-stream'?: OpenApiMedia };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: OpenApiParameter[];
  requestBody?: { content: { 'application/json': OpenApiMedia } };
  responses: Record<string, OpenApiResponse>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { version: string };
  components: { schemas: Record<string, object>; responses: Record<string, OpenApiResponse> };
  paths: Record<string, Record<string, WrittenOperation>>;
}

/** An operation as written in the file: shared responses are references. */
type WrittenOperation = Omit<OpenApiOperation, 'responses'> & {
  responses: Record<string, OpenApiResponse | { $ref: string }>;
};

/** An operation and its location in the document. */
export interface DescribedOperation {
  method: string;
  path: string;
  /** JSON pointer of the operation. */
  at: string;
  operation: OpenApiOperation;
  /** JSON pointer of a response schema. */
  schemaOf: (status: string | number) => string;
}

/** The checked-in API description, of both forms or of one. */
export async function readOpenApiFile(form?: 1 | 2): Promise<OpenApiDocument> {
  const name = form ? `openapi.form${form}.json` : 'openapi.json';
  const text = await readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8');
  return JSON.parse(text) as OpenApiDocument;
}

export function listOperations(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]) => {
      const at = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
      const shared = (status: string | number): string | null => {
        const response = written.responses[status];
        return response && '$ref' in response ? response.$ref.replace('#/components/responses/', '') : null;
      };
      const responses = Object.entries(written.responses).map(([status, response]) => {
        const name = shared(status);
        return [status, name ? document.components.responses[name]! : (response as OpenApiResponse)] as const;
      });
      return {
        method: method.toUpperCase(),
        path,
        at,
        operation: { ...written, responses: Object.fromEntries(responses) },
        schemaOf(status) {
          const name = shared(status);
          const responsePath = name ? `/components/responses/${name}` : `${at}/responses/${status}`;
          return `${responsePath}/content/application~1json/schema`;
        },
      };
    }),
  );
}

/** Validates values against schemas of the document by JSON pointer; returns the errors, or null. */
export function createSchemaCheck(
  document: OpenApiDocument,
): (pointer: string, value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addFormat('text', isStorableText);
  ajv.addFormat('timezone', isTimezone);
  ajv.addFormat('date-or-all', isDayOrAll);
  ajv.addSchema(document, 'openapi.json');
  return (pointer, value) => {
    const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`);
    if (!validate) throw new Error(`openapi.json has nothing at ${pointer}`);
    return validate(value) ? null : ajv.errorsText(validate.errors as ErrorObject[]);
  };
}
