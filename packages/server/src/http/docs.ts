import swagger from '@fastify/swagger';
import { errorTable, operations, type Operation } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { Access } from './access.ts';

const description = `Tributary takes what rings, watches, scales, sensors and phones report about a person, and gives an app one clean,
explained, canonical answer per metric and day.

## Two forms

The user calls and the data reads exist in two forms. A request chooses

1. by the header \`API-Form: 1\` or \`API-Form: 2\`;
2. else by the names of its fields: \`reference_id\`, \`page\`, \`per_page\`, \`start_date\` and \`end_date\` are Form 1;
   \`external_ref\`, \`limit\`, \`cursor\`, \`from_date\` and \`to_date\` are Form 2;
3. else by the default of the account.

Answers say in \`API-Form\` which form they are in. Fields of both forms in one request are refused.

## Limits

100 requests a second with bursts of 200 for the API keys of an environment; 20 with bursts of 40 for a user token; 10 with bursts of 50 for an SDK
session. \`RateLimit\` says what remains, and a 429 says in \`Retry-After\` how long to wait.

## Errors

Every error has the shape \`{error, message, details}\`: a code to branch on, a sentence for people, and facts. Every answer carries a
\`Request-Id\`.

## Changes

New fields and operations are added without notice, so ignore fields that you do not know. What would break a client comes under a new prefix
instead of \`/v1\`.`;

const headers = {
  'Request-Id': {
    description: 'Names this request in the logs of the service; quote it when you report a problem',
    schema: { type: 'string' },
    example: 'req_5a3c2b1a0d1z',
  },
  RateLimit: {
    description: 'What remains of each limit (`r`), and the seconds until it is whole again (`t`)',
    schema: { type: 'string' },
    example: '"key";r=187;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limits of this credential: `q` requests in `w` seconds',
    schema: { type: 'string' },
    example: '"key";q=200;w=2',
  },
} as const;

/** Describes the API from the same schemas that validate it. */
export async function installDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1.0.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Users', description: 'The people whose data is kept' },
        { name: 'Devices', description: 'Where data comes from' },
        { name: 'Data', description: 'What the devices of a user tell, as one' },
        { name: 'Tokens', description: 'Credentials for apps and phones' },
        { name: 'Mobile SDK', description: 'Sessions of phones' },
        { name: 'Catalogs', description: 'What can be read, and what can be set' },
        { name: 'Consolidation', description: 'How values of several devices become one' },
        { name: 'Events', description: 'What happened, in one order' },
        { name: 'Webhooks', description: 'Where events are sent, and what became of each' },
        {
          name: 'Team roster',
          description: 'People who were asked to share their data, and what they answered',
        },
        { name: 'Audit', description: 'Who did what to what' },
        { name: 'Sandbox', description: 'People who are made up, and whose days can be let pass' },
        { name: 'Service', description: 'Health and description of the service itself' },
      ],
      components: {
        headers,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, `sk_live_…` or `sk_sandbox_…`: any user of its environment, any operation',
          },
          userToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token from `POST /v1/auth/user-token`: reads of its own user',
          },
          sdkToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of an SDK session, `sdk_…`: the calls of the Mobile SDK',
          },
        },
      },
    },
    // Components keep the names that the contract gave them.
    refResolver: { buildLocalReference: (json) => json['$id'] as string },
    transformObject: (document) => complete((document as { openapiObject: OpenApiDocument }).openapiObject),
  });
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (route.schema && access) route.schema.security = securityOf(access);
  });
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.open) return [];
  return [
    ...(access.apiKey ? [{ apiKey: [] }] : []),
    ...(access.ownUser ? [{ userToken: [] }] : []),
    ...(access.sdk ? [{ sdkToken: [] }] : []),
  ];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { responses?: Record<string, OpenApiResponse> };
}

interface OpenApiResponse {
  description: string;
  headers?: object;
  /** Absent where an answer has no body. */
  content?: { 'application/json'?: { examples: Record<string, unknown> } };
}

interface OpenApiOperation {
  operationId: string;
  security: unknown[];
  requestBody?: { content: { 'application/json': { examples?: object } } };
  responses: Record<string, OpenApiResponse | { $ref: string }>;
}

/** Adds what the plugin has no place for: examples of bodies, the headers that answers have in common, and one place for each error answer. */
function complete(document: OpenApiDocument): OpenApiDocument {
  const shared: Record<string, OpenApiResponse> = {};
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { bodyExamples } = operationOf(operation.operationId);
    if (operation.requestBody) {
      operation.requestBody.content['application/json'].examples = Object.fromEntries(
        Object.entries(bodyExamples ?? {}).map(([name, value]) => [name, { value }]),
      );
    }
    for (const [status, response] of Object.entries(operation.responses as Record<string, OpenApiResponse>)) {
      const isLimited = operation.security.length > 0 && (status.startsWith('2') || status === '429');
      const names = ['Request-Id', ...(isLimited ? ['RateLimit', 'RateLimit-Policy'] : [])];
      const common = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
      const headers = { ...response.headers, ...(Object.fromEntries(common) as object) };
      const { description, content } = response;
      const completed = { description, headers, ...(content ? { content } : {}) };
      // Without a credential there is no limit of one to tell about.
      const byAddress = status === '429' && !isLimited ? 'ByAddress' : '';
      const codes = errorAnswerName(completed);
      const name = codes && codes + byAddress;
      if (name && JSON.stringify((shared[name] ??= completed)) !== JSON.stringify(completed)) {
        throw new Error(
          `${operation.operationId} describes its ${status} unlike other operations with the same codes`,
        );
      }
      operation.responses[status] = name ? { $ref: `#/components/responses/${name}` } : completed;
    }
  }
  document.components.responses = Object.fromEntries(
    Object.entries(shared).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return document;
}

/** Error answers are named by the codes that they may carry: `MissingTokenOrInvalidToken`. Null for an answer that is no error. */
function errorAnswerName({ content }: OpenApiResponse): string | null {
  const json = content?.['application/json'];
  if (!json) return null;
  const codes = Object.keys(json.examples);
  if (!codes.every((code) => code in errorTable)) return null;
  return codes
    .map((code) => code.replaceAll(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase()))
    .join('Or');
}

function operationOf(operationId: string): Operation {
  return (operations as Record<string, Operation>)[operationId]!;
}
