import swagger from '@fastify/swagger';
import { errorTable, operations, webhooks, type Operation } from '@tributary/contract';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../frame/access.ts';

const description = `Tributary combines what rings, watches, scales, sensors and phones report about a user into one explained, canonical value
per metric and day.

## Two forms

The user calls and the data reads exist in two forms. The form of a request is chosen by

1. the header \`API-Form: 1\` or \`API-Form: 2\`;
2. otherwise the names of its fields: \`reference_id\`, \`page\`, \`per_page\`, \`start_date\`, \`end_date\` and, on daily,
   \`metrics\` are Form 1; \`external_ref\`, \`limit\`, \`cursor\`, \`from_date\`, \`to_date\` and, on daily and scores, \`types\` are Form 2;
3. otherwise the only form that can serve it: daily, sleep and workouts without dates are Form 2, which has default dates;
4. otherwise the default form of the account.

The response header \`API-Form\` names the form of the response. A request with fields of both forms is rejected.

## Limits

API keys of one environment share 100 requests per second with bursts of 200. A user token has 20 with bursts of 40, and an SDK session 10 with
bursts of 50. The \`RateLimit\` header reports what remains. A 429 response says in \`Retry-After\` how long to wait.

## Errors

Every error has the shape \`{error, message, details}\`: a code to branch on, a message for people, and more information. Every response has a
\`Request-Id\`.

## Requests

HEAD works wherever GET does. A trailing slash of a path is ignored. Booleans in a query may have any letter case, and an empty \`cursor\` is
the same as none.

## Unknown fields

Unknown query parameters are rejected. Unknown body fields are ignored. If an ignored field resembles a known one, such as \`time_zone\`, the
response has \`warnings\`.

## Changes

New fields and operations are added without notice, so ignore fields that you do not know. Breaking changes ship under a new prefix instead of
\`/v1\`.`;

const headers = {
  'Request-Id': {
    description: 'Identifies this request in the logs of the service. Include it when you report a problem.',
    schema: { type: 'string' },
    example: 'req_5a3c2b1a0d1z',
  },
  RateLimit: {
    description: 'What remains of each limit (`r`), and the seconds until it is full again (`t`).',
    schema: { type: 'string' },
    example: '"key";r=187;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limits of this credential: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"key";q=200;w=2',
  },
} as const;

/** Generates the API description from the same schemas that validate requests. */
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
      servers: [{ url: '/', description: 'This server.' }],
      tags: [
        { name: 'Users', description: 'The people whose data is stored.' },
        { name: 'Devices', description: 'Providers, connected devices and their sync status.' },
        { name: 'Data', description: 'Consolidated values, sessions and samples, and their explanations.' },
        { name: 'Tokens', description: 'Credentials for apps and phones.' },
        { name: 'Mobile SDK', description: 'Sessions and uploads of phones.' },
        { name: 'Catalogs', description: 'The metrics that can be read, and the methods that can be set.' },
        { name: 'Consolidation', description: 'Settings for how values of several devices become one.' },
        { name: 'Events', description: 'Changes to data, in one order.' },
        { name: 'Webhooks', description: 'Endpoints that receive events, and the deliveries to them.' },
        { name: 'Team roster', description: 'Invitations to share data, and the members who accepted.' },
        { name: 'Audit', description: 'Audited actions, and reads of user data.' },
        { name: 'Sandbox', description: 'Simulated users whose current day can be moved forward.' },
        { name: 'Service', description: 'Health and description of the service itself.' },
      ],
      components: {
        headers,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, `sk_live_…` or `sk_sandbox_…`. Allows any operation on any user of its environment.',
          },
          userToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A token from `POST /v1/auth/user-token`. Allows reads of its own user.',
          },
          sdkToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of an SDK session, `sdk_…`. Allows the calls of the Mobile SDK.',
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
  webhooks?: object;
  components: { responses?: Record<string, OpenApiResponse> };
}

interface OpenApiResponse {
  description: string;
  headers?: object;
  /** Absent when a response has no body. */
  content?: { 'application/json'?: { schema?: object; examples: Record<string, unknown> } };
}

interface OpenApiOperation {
  operationId: string;
  security: unknown[];
  requestBody?: { content: { 'application/json': { examples?: object } } };
  responses: Record<string, OpenApiResponse | { $ref: string }>;
}

/** Adds what the plugin does not support: body examples, common response headers, and one shared component per error response. */
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
      const { description } = response;
      const codes = errorCodesOf(response);
      const warns = operation.requestBody && status.startsWith('2');
      const content = codes
        ? withCodes(response.content, codes)
        : warns
          ? withWarnings(response.content)
          : response.content;
      const completed = { description, headers, ...(content ? { content } : {}) };
      // Without a credential there is no limit per credential to report.
      const byAddress = status === '429' && !isLimited ? 'ByAddress' : '';
      const name = codes && nameErrorResponse(codes) + byAddress;
      if (name && JSON.stringify((shared[name] ??= completed)) !== JSON.stringify(completed)) {
        throw new Error(
          `${operation.operationId} describes its ${status} response differently than other operations with the same codes`,
        );
      }
      operation.responses[status] = name ? { $ref: `#/components/responses/${name}` } : completed;
    }
  }
  document.webhooks = webhooksOf();
  document.components.responses = Object.fromEntries(
    Object.entries(shared).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return document;
}

/** The contract refers to components by their ID, the document by their place in it. */
function webhooksOf(): object {
  return JSON.parse(
    JSON.stringify(webhooks).replaceAll(/"\$ref":"(\w+)#"/g, '"$ref":"#/components/schemas/$1"'),
  ) as object;
}

/** The codes that an error response can carry; null for a response that is not an error. */
function errorCodesOf({ content }: OpenApiResponse): string[] | null {
  const codes = Object.keys(content?.['application/json']?.examples ?? {});
  return codes.length > 0 && codes.every((code) => code in errorTable) ? codes : null;
}

/** Narrows `error` to the codes of one response. Done here and not in the route, where it would compile a serializer per group of codes. */
function withCodes(content: OpenApiResponse['content'], codes: string[]): OpenApiResponse['content'] {
  const { schema, examples } = content!['application/json']!;
  const error = { type: 'string', enum: codes };
  return { 'application/json': { schema: { allOf: [schema, { properties: { error } }] }, examples } };
}

/** Adds `warnings`, which `http/frame/field-warnings.ts` puts into the response of any operation with a body. */
function withWarnings(content: OpenApiResponse['content']): OpenApiResponse['content'] {
  const { schema, examples } = content?.['application/json'] ?? {};
  if (!schema || !examples) return content;
  const warnings = {
    type: 'array',
    items: { $ref: '#/components/schemas/FieldWarning' },
    description: 'Only if the body has unknown fields that resemble known ones.',
  };
  return {
    'application/json': {
      schema: { allOf: [schema, { type: 'object', properties: { warnings } }] },
      examples,
    },
  };
}

/** Names of error responses that can carry several codes. */
const sharedNames: Readonly<Record<string, string>> = {
  'missing_token invalid_token token_expired': 'Unauthorized',
  'insufficient_scope wrong_user': 'InsufficientScopeOrWrongUser',
  'invalid_request invalid_body': 'InvalidRequestOrBody',
  'invalid_request invalid_cursor': 'InvalidRequestOrCursor',
  'invalid_request invalid_url': 'InvalidRequestOrUrl',
  'invalid_request mixed_forms': 'InvalidRequestOrMixedForms',
  'invalid_request too_many_days': 'InvalidRequestOrTooManyDays',
  'batch_conflict device_limit_reached': 'UploadConflict',
  'invalid_request mixed_forms invalid_cursor': 'InvalidRequestFormsOrCursor',
  'invalid_request unknown_provider provider_unavailable use_mobile_sdk redirect_url_not_allowed':
    'InvalidConnectRequest',
  'not_found workout_not_found': 'UserOrWorkoutNotFound',
  'idempotency_conflict idempotency_in_progress': 'IdempotencyKeyInUse',
  'roster_not_configured already_invited already_member reference_id_taken': 'InvitationConflict',
  'webhook_not_active delivery_merged': 'ResendConflict',
  'invalid_metric invalid_method invalid_provider': 'InvalidConsolidationSettings',
};

/** A response with one code is named after it: `UserNotFound`. */
function nameErrorResponse(codes: string[]): string {
  const [code = '', ...more] = codes;
  const name =
    more.length > 0
      ? sharedNames[codes.join(' ')]
      : code.replaceAll(/(^|_)([a-z])/g, (_match, _start, letter: string) => letter.toUpperCase());
  if (!name) throw new Error(`http/reference/docs.ts has no name for the error response ${codes.join(', ')}`);
  return name;
}

function operationOf(operationId: string): Operation {
  return (operations as Record<string, Operation>)[operationId]!;
}
