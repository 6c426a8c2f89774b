import { errorTable } from '@tributary/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRoutes } from '../test/compare-routes.ts';
import { createSchemaCheck, listOperations, readOpenApiFile } from '../test/openapi-file.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { buildApp } from './app.ts';

const document = await readOpenApiFile();
const operations = listOperations(document);
const check = createSchemaCheck(document);

/** What is served without being an operation: the pages of the reference, and what browsers ask before they call. */
const exceptions = ['GET /docs', 'GET /docs/', 'GET /docs/js/scalar.js', 'OPTIONS /v1/users/{id}/devices'];

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function listServedRoutes(): Promise<string[]> {
  const served: string[] = [];
  const again = await buildApp(app.ctx, ({ method, url }) => {
    for (const one of [method].flat()) served.push(`${one} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
  await again.close();
  return served;
}

describe('the checked-in description', () => {
  test('is what the service serves', async () => {
    const answer = await app.request('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(document);
    expect(JSON.stringify(answer.body)).toBe(JSON.stringify(document));
  });

  test('describes every route that is served, and no other', async () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect(compareRoutes({ served: await listServedRoutes(), described, exceptions })).toEqual({
      undescribed: [],
      unserved: [],
      needless: [],
    });
  });

  test('is OpenAPI 3.1 of version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  test('names every operation and component once, in words', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^([A-Z][a-z]+)+$/);
  });
});

describe.each(operations.map((described) => [described.operation.operationId, described] as const))(
  '%s',
  (_id, { at, operation }) => {
    test('has a summary, a tag and its security', () => {
      expect(operation.summary).not.toBe('');
      expect(operation.tags).toHaveLength(1);
      expect(operation.security).toBeInstanceOf(Array);
    });

    test('describes every parameter', () => {
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.description, parameter.name).toBeTruthy();
        if (parameter.in === 'path') expect(parameter.example, parameter.name).toBeTruthy();
      }
    });

    test('has valid examples of parameters and body', () => {
      for (const [index, { example }] of (operation.parameters ?? []).entries()) {
        if (example !== undefined) expect(check(`${at}/parameters/${index}/schema`, example)).toBeNull();
      }
      if (!operation.requestBody) return;
      const examples = Object.values(operation.requestBody.content['application/json'].examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const { value } of examples) {
        expect(check(`${at}/requestBody/content/application~1json/schema`, value)).toBeNull();
      }
    });

    test.each(Object.keys(operation.responses))('has valid examples of its %s', (status) => {
      const response = operation.responses[status]!;
      const { examples = {} } = response.content['application/json'];
      const inTwoForms = 'API-Form' in response.headers;
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      if (inTwoForms) expect(Object.keys(examples)).toEqual(['form_1', 'form_2']);
      for (const [name, { value }] of Object.entries(examples)) {
        expect(check(`${at}/responses/${status}/content/application~1json/schema`, value), name).toBeNull();
        if (name in errorTable) expect(value).toMatchObject({ error: name });
      }
    });

    test('describes how it refuses', () => {
      const statuses = Object.keys(operation.responses);
      expect(statuses).toContain('500');
      if (operation.security.length > 0) {
        expect(statuses).toEqual(expect.arrayContaining(['400', '401', '402', '403', '429', '503']));
      }
    });
  },
);

/** The statuses that the interface promises for the operations there are. */
const promised: Record<string, string[]> = {
  createUser: ['201', '400', '401', '402', '409', '429'],
  listUsers: ['200', '400', '401', '402', '422', '429'],
  getUser: ['200', '400', '401', '402', '404', '429'],
  updateUser: ['200', '400', '401', '402', '404', '429'],
  deleteUser: ['202', '400', '401', '402', '404', '429'],
  listDevices: ['200', '401', '402', '404', '429'],
  createUserToken: ['200', '400', '401', '404', '429'],
  refreshUserToken: ['200', '400', '401', '404', '429'],
  createMobileToken: ['200', '400', '401', '404', '429'],
};

test.each(Object.entries(promised))('%s describes what is promised', (operationId, statuses) => {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  expect(Object.keys(found!.operation.responses)).toEqual(expect.arrayContaining(statuses));
});

test('the check of examples can fail', () => {
  expect(check('/components/schemas/Error', { error: 'x', message: 'x' })).toContain('details');
  expect(check('/components/schemas/CreateUser', { timezone: 'Mars/Olympus', reference_id: 'a' })).toContain(
    'timezone',
  );
});
