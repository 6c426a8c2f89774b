import { Type } from 'typebox';
import { jsonResponse, errors, type Operation } from '../openapi/operation.ts';
import { RefTo } from '../openapi/schema.ts';
import { Description, Health, KeySet, Readiness } from '../resources/service.ts';

const open: Operation['security'] = [];
const NoQuery = Type.Object({}, { additionalProperties: true });

export const getHealth = {
  operationId: 'getHealth',
  summary: 'Check liveness',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The process is alive.', RefTo(Health), { status: 'ok' }),
    ...errors('internal_error'),
  },
} satisfies Operation;

export const getReadiness = {
  operationId: 'getReadiness',
  summary: 'Check readiness',
  description: 'Lists each check and its result. A degraded check does not make the process unready.',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The process is ready.', RefTo(Readiness), {
      status: 'ready',
      checks: { database: 'ok', loops: 'ok', nats: 'ok', redis: 'ok' },
    }),
    503: jsonResponse('The process is not ready.', RefTo(Readiness), {
      status: 'not_ready',
      checks: {
        database: 'not ready: ECONNREFUSED',
        loops: 'ok',
        nats: 'ok',
        redis: 'degraded: unreachable, each node enforces its own share of the limits',
      },
    }),
    ...errors('internal_error'),
  },
} satisfies Operation;

export const getJwks = {
  operationId: 'getJwks',
  summary: 'Get the public keys of user tokens',
  description: 'Returns a JSON Web Key Set. During a rotation, two keys are valid.',
  tags: ['Tokens'],
  security: open,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The keys.', RefTo(KeySet), {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f',
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    }),
    ...errors('internal_error', 'unavailable'),
  },
} satisfies Operation;

export const getOpenapi = {
  operationId: 'getOpenapi',
  summary: 'Get the OpenAPI document',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The OpenAPI 3.1 document.', RefTo(Description), {
      openapi: '3.1.0',
      info: { title: 'Tributary', version: '1.0.0' },
      paths: {},
    }),
    ...errors('internal_error', 'unavailable'),
  },
} satisfies Operation;

const ofForm = (form: 1 | 2) => ({
  summary: `Get the OpenAPI document of Form ${form}`,
  description: `Describes only Form ${form}, without alternatives, for code generators.`,
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: jsonResponse('The OpenAPI 3.1 document.', RefTo(Description), {
      openapi: '3.1.0',
      info: { title: `Tributary, Form ${form}`, version: '1.0.0' },
      paths: {},
    }),
    ...errors('internal_error', 'unavailable'),
  },
});

export const getOpenapiForm1 = { operationId: 'getOpenapiForm1', ...ofForm(1) } satisfies Operation;
export const getOpenapiForm2 = { operationId: 'getOpenapiForm2', ...ofForm(2) } satisfies Operation;
