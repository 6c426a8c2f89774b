import { Type, type TSchema } from 'typebox';
import { errorTable, type ErrorCode, type ErrorDetails } from './errors.ts';
import { Component, RefTo, Words } from './schema.ts';

export const FieldProblem = Component(
  'FieldProblem',
  Type.Object(
    {
      in: Words(['path', 'query', 'header', 'body'], { description: 'Which part of the request' }),
      name: Type.String({
        description: 'The parameter, or the path of the body field with dots; empty for the whole part',
      }),
      problem: Type.String({ description: 'What it must be' }),
    },
    { description: 'One thing that is wrong with a request' },
  ),
);

export const ErrorBody = Component(
  'Error',
  Type.Object(
    {
      error: Type.String({ description: 'A stable code to branch on' }),
      message: Type.String({ description: 'What was wrong and how to mend it, for people' }),
      details: Type.Object(
        {
          fields: Type.Optional(
            Type.Array(RefTo(FieldProblem), {
              description: 'With `invalid_request`, `invalid_body` and `invalid_filter`',
            }),
          ),
        },
        {
          additionalProperties: true,
          description: 'More facts about the error. Always present; `{}` when there are none',
        },
      ),
    },
    { description: 'Every error has this shape' },
  ),
);

/** What one HTTP call looks like: it validates the request, serialises the answer and becomes OpenAPI. */
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
  /** Named examples of the body, at least one where there is a body. */
  bodyExamples?: Record<string, unknown>;
  response: Record<number, unknown>;
}

/** Errors that say more than their default; each of these can happen on every operation that lists it. */
const examples: Partial<Record<ErrorCode, { message?: string; details: ErrorDetails }>> = {
  invalid_request: {
    message: 'query parameter verbose is not known here.',
    details: { fields: [{ in: 'query', name: 'verbose', problem: 'is not known here' }] },
  },
  invalid_body: {
    message: 'body field metrics.steps.method must be one of priority, merge, max, avg, sum, null.',
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
  'Retry-After': { type: 'integer', minimum: 1, description: 'Seconds to wait before the next try' },
};

/** Errors after which waiting helps. */
const waitingCodes = new Set<ErrorCode>(['rate_limited', 'unavailable', 'idempotency_in_progress']);

/** The error answers of an operation, grouped by status, each with an example of every code it may carry. */
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
          examples: Object.fromEntries(
            group.map((code) => [
              code,
              { value: { error: code, message: errorTable[code].message, details: {}, ...examples[code] } },
            ]),
          ),
        },
      },
    };
  }
  return byStatus;
}

/** A JSON answer with its example. */
export function answer(description: string, schema: TSchema, example: unknown) {
  return {
    description,
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  };
}

/** An answer that goes on as server-sent events, with the beginning of one. */
export function streamAnswer(description: string, example: string) {
  return {
    description,
    content: {
      'text/event-stream': { schema: Type.String(), examples: { example: { value: example } } },
    },
  };
}

/** An answer without a body. */
export function noContent(description: string) {
  return { description, type: 'null' };
}

/** A JSON answer whose shape depends on the form of the request, with an example of each. */
export function answerInForms(
  description: string,
  form1: { schema: TSchema; example: unknown },
  form2: { schema: TSchema; example: unknown },
) {
  return {
    description,
    headers: {
      'API-Form': { type: 'string', enum: ['1', '2'], description: 'The form this answer is in' },
    },
    content: {
      'application/json': {
        schema: Type.Unsafe<unknown>({ anyOf: [form1.schema, form2.schema] }),
        examples: { form_1: { value: form1.example }, form_2: { value: form2.example } },
      },
    },
  };
}

/** The errors that any authenticated call may answer with. */
export const authenticatedErrors = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'payment_required',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

/** Chooses the form of an endpoint that has two; the other ways are in the API description. */
export const FormHeader = Type.Object({
  // A pattern and not an enum: tools that build sample requests would send the first word of an enum, whatever the other fields are.
  'API-Form': Type.Optional(
    Type.String({
      pattern: '^[12]$',
      description:
        'The form of request and answer, `1` or `2`. When absent, the fields of the request decide, then the account.',
    }),
  ),
});
