import { Type } from 'typebox';
import { answer, errors, type Operation } from '../operation.ts';
import { RefTo } from '../schema.ts';
import { Description, Health, KeySet, Readiness } from '../service.ts';

const open: Operation['security'] = [];
const NoQuery = Type.Object({}, { additionalProperties: true });

export const getHealth = {
  operationId: 'getHealth',
  summary: 'Is the process alive?',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: answer('Alive', RefTo(Health), { status: 'ok' }),
    ...errors('internal_error'),
  },
} satisfies Operation;

export const getReadiness = {
  operationId: 'getReadiness',
  summary: 'Can the process serve?',
  description: 'Names what is not ready. A part that is only degraded does not make the process unready.',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: answer('Ready', RefTo(Readiness), {
      status: 'ready',
      checks: { database: 'ok', nats: 'ok', redis: 'ok' },
    }),
    503: answer('Not ready', RefTo(Readiness), {
      status: 'not_ready',
      checks: { database: 'not ready: ECONNREFUSED', nats: 'ok', redis: 'degraded: limiting locally' },
    }),
    ...errors('internal_error'),
  },
} satisfies Operation;

export const getJwks = {
  operationId: 'getJwks',
  summary: 'Public keys of user tokens',
  description: 'A JSON Web Key Set. Two keys are valid during a rotation.',
  tags: ['Tokens'],
  security: open,
  querystring: NoQuery,
  response: {
    200: answer('The keys', RefTo(KeySet), {
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
  summary: 'This description',
  tags: ['Service'],
  security: open,
  querystring: NoQuery,
  response: {
    200: answer('OpenAPI 3.1', RefTo(Description), {
      openapi: '3.1.0',
      info: { title: 'Tributary', version: '1.0.0' },
      paths: {},
    }),
    ...errors('internal_error', 'unavailable'),
  },
} satisfies Operation;
