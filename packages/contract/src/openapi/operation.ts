import { Type, type TSchema } from 'typebox';
import { errorTable, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { Component, RefTo, Words } from './schema.ts';

export const FieldProblem = Component(
  'FieldProblem',
  Type.Object(
    {
      in: Words(['path', 'query', 'header', 'body'], { description: 'The part of the request.' }),
      name: Type.String({
        description: 'The parameter, or the path of the body field with dots. Empty for the whole part.',
      }),
      problem: Type.String({ description: 'What is wrong and what it must be.' }),
    },
    { description: 'One problem with a request.' },
  ),
);

export const FieldWarning = Component(
  'FieldWarning',
  Type.Object(
    {
      field: Type.String({ description: 'The name of the field in the body.' }),
      message: Type.String({ description: 'What to send instead.' }),
    },
    { description: 'A body field that was ignored and is probably misspelled.' },
  ),
);

export const ErrorBody = Component(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'A stable code to branch on.' }),
      message: Type.String({ description: 'What is wrong and what to do, for people.' }),
      details: Type.Object(
        {
          fields: Type.Optional(
            Type.Array(RefTo(FieldProblem), {
              description: 'Only with `invalid_request`, `invalid_body` and `invalid_filter`.',
            }),
          ),
          request_id: Type.Optional(
            Type.String({
              description: 'The `Request-Id` of the response. Include it when you report a problem.',
            }),
          ),
        },
        {
          additionalProperties: true,
          description: 'More information about the error.',
        },
      ),
    },
    { description: 'The shape of every error.' },
  ),
);

/** Definition of an HTTP operation. It validates requests, serializes responses and generates the OpenAPI description. */
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  params?: TSchema;
  querystring?: TSchema;
  headers?: TSchema;
  body?: TSchema;
  /** Named examples of the body. An operation with a body has at least one. */
  bodyExamples?: Record<string, unknown>;
  response: Record<number, unknown>;
}

/** Errors with more than their default message. Each can occur on every operation that lists it. */
const examples: Partial<Record<ErrorCode, { message?: string; details: ErrorDetails }>> = {
  invalid_request: {
    message: 'Query parameter `verbose` is not supported by this endpoint.',
    details: { fields: [{ in: 'query', name: 'verbose', problem: 'is not supported by this endpoint' }] },
  },
  invalid_body: {
    message: 'Body field `metrics.steps.method` must be one of priority, merge, max, avg, sum, null.',
    details: {
      fields: [
        {
          in: 'body',
          name: 'metrics.steps.method',
          problem: 'must be one of priority, merge, max, avg, sum, null',
        },
      ],
    },
  },
  invalid_metric: {
    details: { metrics: [{ key: 'deep_sleep', group: 'sleep_stages' }], group: 'sleep_stages' },
  },
  invalid_method: {
    details: {
      metrics: [{ key: 'weight', method: 'sum', allowed_methods: ['priority', 'max', 'avg'] }],
    },
  },
  invalid_provider: { details: { providers: ['garmin'], connected: ['apple_health', 'oura'] } },
  mixed_forms: { details: { form_1: ['reference_id'], form_2: [] } },
  roster_not_configured: { details: { missing: ['organization_name'] } },
  invalid_filter: {
    details: { fields: [{ in: 'query', name: 'external_ref', problem: 'must not be empty' }] },
  },
};

const retryAfter = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'Seconds to wait before the next attempt.' },
};

/** Errors that a later retry can resolve. */
const waitingCodes = new Set<ErrorCode>(['rate_limited', 'unavailable', 'idempotency_in_progress']);

/** The error responses of an operation, grouped by status, with an example of each code. */
export function errors(...codes: ErrorCode[]): Record<number, unknown> {
  const byStatus: Record<number, unknown> = {};
  for (const status of new Set(codes.map((code) => errorTable[code].status))) {
    const group = codes.filter((code) => errorTable[code].status === status);
    byStatus[status] = {
      description: group.map((code) => `\`${code}\``).join(', '),
      ...(group.some((code) => waitingCodes.has(code)) ? { headers: retryAfter } : {}),
      content: {
        'application/json': {
          schema: RefTo(ErrorBody),
          examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    };
  }
  return byStatus;
}

function exampleOf(code: ErrorCode): object {
  const { message = errorTable[code].message, details = {} } = examples[code] ?? {};
  return { error: code, message, details: { ...details, request_id: 'req_5a3c2b1a0d1z' } };
}

/** A JSON response with its example. */
export function jsonResponse(description: string, schema: TSchema, example: unknown) {
  return {
    description,
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  };
}

/** A response that streams server-sent events, with the beginning of one as the example. */
export function streamResponse(description: string, example: string) {
  return {
    description,
    content: {
      'text/event-stream': { schema: Type.String(), examples: { example: { value: example } } },
    },
  };
}

/** A response without a body. */
export function noContent(description: string) {
  return { description, type: 'null' };
}

/** A JSON response whose shape depends on the form of the request, with an example of each form. */
export function jsonResponseInForms(
  description: string,
  form1: { schema: TSchema; example: unknown },
  form2: { schema: TSchema; example: unknown },
) {
  return {
    description,
    headers: {
      'API-Form': { type: 'string', enum: ['1', '2'], description: 'The form of this response.' },
    },
    content: {
      'application/json': {
        schema: Type.Unsafe<unknown>({ anyOf: [form1.schema, form2.schema] }),
        examples: { form_1: { value: form1.example }, form_2: { value: form2.example } },
      },
    },
  };
}

/** Errors of authenticated operations that work even while the account is suspended. */
export const evenSuspendedErrors = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

/** Errors that every other authenticated operation may return. */
export const authenticatedErrors = [
  ...evenSuspendedErrors,
  'payment_required',
] as const satisfies readonly ErrorCode[];

/** Selects the form on endpoints that have two. The API description lists the other ways to select it. */
export const FormHeader = Type.Object({
  // A pattern instead of an enum: tools that build sample requests would send the first enum value regardless of the other fields.
  'API-Form': Type.Optional(
    Type.String({
      pattern: '^[12]$',
      description:
        'The form of request and response, `1` or `2`. Default: decided by the fields of the request, then by the account.',
    }),
  ),
});
