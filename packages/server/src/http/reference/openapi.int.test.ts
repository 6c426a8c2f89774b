import { errorTable, type ErrorCode } from '@tributary/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRoutes } from '../../test/compare-routes.ts';
import { createSchemaCheck, listOperations, readOpenApiFile } from '../../test/openapi-file.ts';
import { readMessages } from '../../test/stream-client.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { accessOf } from '../frame/access.ts';
import { buildApp } from '../frame/app.ts';
import { readStyleSheet } from '../pages/style-sheet.ts';

const document = await readOpenApiFile();
const operations = listOperations(document);
const check = createSchemaCheck(document);

/** Routes that are not operations: the reference, the hosted pages, provider pushes, and CORS preflights. */
const browserReads = operations.filter(({ operation }) => accessOf(operation.operationId).ownUser);
const preflights = browserReads.map(({ path }) => `OPTIONS ${path}`);
const links = [
  '/invitations/{token}',
  '/memberships/{token}',
  '/connect/{token}',
  '/connect/callback',
  '/push/{environment}/{provider}/{secret}',
];
const pages = [
  ...links.flatMap((path) => ['GET', 'HEAD', 'POST'].map((method) => `${method} ${path}`)),
  `GET ${readStyleSheet().path}`,
  'GET /providers/{id}/logo.svg',
];
const exceptions = ['GET /', 'GET /docs', 'GET /docs/', 'GET /docs/js/scalar.js', ...pages, ...preflights];

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Excludes the dashboard, whose API is for its own pages. */
async function listServedRoutes(): Promise<string[]> {
  const served: string[] = [];
  const again = await buildApp(app.ctx, ({ method, url }) => {
    if (/^\/dashboard(\/|$)/.test(url)) return;
    for (const one of [method].flat()) served.push(`${one} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
  await again.close();
  return served;
}

describe('checked-in API description', () => {
  test('matches the served one', async () => {
    const response = await app.request('GET', '/openapi.json');
    expect(response.status).toBe(200);
    expect(response.body).toEqual(document);
    expect(JSON.stringify(response.body)).toBe(JSON.stringify(document));
  });

  // @contract all/forms: `/openapi.form1.json` and `/openapi.form2.json` each describe one form
  test.each([1, 2] as const)('of Form %s matches the served one', async (form) => {
    const response = await app.request('GET', `/openapi.form${form}.json`, { key: '' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.stringify(response.body)).toBe(JSON.stringify(await readOpenApiFile(form)));
  });

  // @contract all/formats: The version is the first part of the path; other paths do not exist
  test('describes every served route and no other', async () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect(compareRoutes({ served: await listServedRoutes(), described, exceptions })).toEqual({
      missingInSpec: [],
      unserved: [],
      needless: [],
    });
  });

  // @contract all/formats: The machine-readable description is version 1.0.0
  test('is OpenAPI 3.1 with version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  test('names every operation and component once, in words', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const { schemas, responses } = document.components;
    for (const name of [...Object.keys(schemas), ...Object.keys(responses)])
      expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    for (const name of Object.keys(responses)) expect(name.length, name).toBeLessThanOrEqual(40);
  });
});

describe.each(operations.map((described) => [described.operation.operationId, described] as const))(
  '%s',
  (_id, { method, at, operation, schemaOf }) => {
    const parameters = [...(operation.parameters ?? []).entries()];
    const responses = Object.entries(operation.responses);
    const withBody = responses.filter(([, { content }]) => content !== undefined);
    const withJson = withBody.filter(([, { content }]) => !content!['text/event-stream']);

    test('has a body in every response except 204 and 304', () => {
      const without = responses.filter((response) => !withBody.includes(response));
      const expected = ['204', '304'].filter((status) => status in operation.responses);
      expect(without.map(([status]) => status)).toEqual(expected);
    });

    test('has a summary, a tag and its security', () => {
      expect(operation.summary).not.toBe('');
      expect(operation.tags).toHaveLength(1);
      expect(operation.security).toBeInstanceOf(Array);
    });

    // @contract all/credentials: 402 is documented where a suspended account gets it: everywhere except deletion and phones
    test('documents 402 exactly where a suspended account gets it', () => {
      const { apiKey = false, evenSuspended = false } = accessOf(operation.operationId);
      expect('402' in operation.responses).toBe(apiKey && !evenSuspended);
      if (method === 'DELETE') expect(operation.responses).not.toHaveProperty('402');
    });

    test('describes every parameter', () => {
      for (const [, parameter] of parameters) expect(parameter.description, parameter.name).toBeTruthy();
      const inPath = parameters.filter(([, parameter]) => parameter.in === 'path');
      for (const [index, { name, example }] of inPath) {
        expect(check(`${at}/parameters/${index}/schema`, example), name).toBeNull();
      }
    });

    test.each(operation.requestBody ? [operation.requestBody] : [])(
      'has valid examples of its body',
      (body) => {
        const examples = Object.entries(body.content['application/json'].examples ?? {});
        expect(examples.length).toBeGreaterThan(0);
        for (const [name, { value }] of examples) {
          expect(check(`${at}/requestBody/content/application~1json/schema`, value), name).toBeNull();
        }
      },
    );

    test.each(withJson)('has valid examples of its %s', (status, { content }) => {
      const examples = Object.entries(content!['application/json'].examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const [name, { value }] of examples) {
        expect(check(schemaOf(status), value), name).toBeNull();
      }
    });

    test.each(responses.filter(([, { headers }]) => 'API-Form' in headers))(
      'shows its %s in both forms',
      (_status, { content }) => {
        expect(Object.keys(content!['application/json'].examples ?? {})).toEqual(['form_1', 'form_2']);
      },
    );

    // @contract all/credentials: The API description lists every error code of every status
    test.each(
      responses.filter(([status]) => Number(status) >= 400 && operation.operationId !== 'getReadiness'),
    )('shows every code of its %s', (status, { description, content }) => {
      const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code!);
      const { schema, examples = {} } = content!['application/json'];
      expect(Object.keys(examples)).toEqual(codes);
      expect(schema).toMatchObject({ allOf: [{}, { properties: { error: { enum: codes } } }] });
      for (const code of codes) {
        expect(errorTable[code as ErrorCode].status).toBe(Number(status));
        expect(examples[code]?.value).toMatchObject({ error: code });
      }
    });

    test('documents its errors and no impossible ones', () => {
      const rule = accessOf(operation.operationId);
      const statuses = Object.keys(operation.responses);
      const refusals = rule.open ? [] : ['400', '401', '429', '503'];
      expect(statuses).toEqual(expect.arrayContaining(['500', ...refusals]));
      expect(statuses.includes('402')).toBe(!rule.open && !rule.sdk && !rule.evenSuspended);
      expect(statuses.includes('403')).toBe(!rule.open && !rule.sdk);
      expect(statuses.includes('429')).toBe(!rule.open || rule.open === 'limited');
    });
  },
);

/** The statuses that the contract promises for existing operations. */
const promised: Record<string, string[]> = {
  createUser: ['201', '400', '401', '402', '409', '429'],
  listUsers: ['200', '400', '401', '402', '422', '429'],
  getUser: ['200', '400', '401', '402', '404', '429'],
  updateUser: ['200', '400', '401', '402', '404', '429'],
  deleteUser: ['202', '400', '401', '404', '429'],
  listDevices: ['200', '401', '402', '404', '429'],
  deleteDevice: ['204', '401', '404', '429'],
  getConsolidationCatalog: ['200', '401', '402', '429'],
  getConsolidation: ['200', '400', '401', '402', '404', '429'],
  updateConsolidation: ['202', '400', '401', '402', '404', '422', '429'],
  resetConsolidation: ['202', '400', '401', '404', '429'],
  createUserToken: ['200', '400', '401', '404', '429'],
  refreshUserToken: ['200', '400', '401', '404', '429'],
  createMobileToken: ['200', '400', '401', '404', '429'],
  listWebhooks: ['200', '401', '402', '403', '429'],
  createWebhook: ['201', '400', '401', '402', '403', '429'],
  updateWebhook: ['200', '400', '401', '402', '403', '404', '429'],
  deleteWebhook: ['204', '400', '401', '403', '404', '429'],
  createSdkSession: ['200', '201', '400', '401', '404', '409', '429'],
  listSdkSessions: ['200', '401', '404', '429'],
  deleteSdkSession: ['204', '401', '404', '429'],
  exchangeClientToken: ['200', '400', '401'],
  refreshSdkCredentials: ['200', '400', '401'],
  deleteCurrentSdkSession: ['204', '401', '429'],
};

test.each(Object.entries(promised))('%s documents the promised statuses', (operationId, statuses) => {
  const match = operations.find(({ operation }) => operation.operationId === operationId);
  expect(Object.keys(match!.operation.responses)).toEqual(expect.arrayContaining(statuses));
});

test('describes the stream with example events as they are sent', () => {
  const streams = operations.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ content }) => content?.['text/event-stream'] ?? []),
  );
  expect(streams).toHaveLength(1);
  const text = streams[0]!.examples!['example']!.value as string;
  const [position, event] = readMessages(text);
  expect(position!.event).toBe('feed.position');
  expect(check('/components/schemas/Event', JSON.parse(event!.data))).toBeNull();
});

test('fails for an invalid example', () => {
  expect(check('/components/schemas/Error', { error: 'x', message: 'x' })).toContain('details');
  expect(check('/components/schemas/CreateUser', { timezone: 'Mars/Olympus', reference_id: 'a' })).toContain(
    'timezone',
  );
});
