import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataOf, installRouteMetadata, type RouteMetadata } from './route-metadata.ts';

const app = fastify();
const seen: RouteMetadata[] = [];

beforeAll(async () => {
  installRouteMetadata(app);
  app.addHook('onRequest', (request, _reply, done) => {
    seen.push(metadataOf(request));
    // Later hooks get the same object without reading the route again.
    expect(metadataOf(request)).toBe(seen.at(-1));
    done();
  });
  const query = {
    type: 'object',
    properties: { limit: { type: 'integer' }, flag: { type: 'boolean' }, cursor: { type: 'string' } },
  };
  const daily = { operationId: 'listDaily', querystring: query, response: { 304: { type: 'null' } } };
  app.get('/daily', { schema: daily, config: { access: { apiKey: true } } }, () => 'daily');
  app.get('/metrics/:id', { schema: { operationId: 'listMetrics' } }, () => 'metric');
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('none'));
  await app.ready();
});
afterAll(() => app.close());

async function factsFor(url: string): Promise<RouteMetadata> {
  await app.inject(url);
  return seen.at(-1)!;
}

test('reports an operation with two forms, a tag and typed parameters', async () => {
  expect(await factsFor('/daily')).toEqual({
    url: '/daily',
    access: { apiKey: true },
    anonymousBody: false,
    isBrowserRead: true,
    operationWithForms: 'listDaily',
    typedQuery: [
      ['limit', 'integer'],
      ['flag', 'boolean'],
    ],
    takesCursor: true,
    promisesTag: true,
    recorded: null,
  });
});

test('keeps routes separate', async () => {
  expect(await factsFor('/metrics/1')).toEqual({
    url: '/metrics/:id',
    access: undefined,
    anonymousBody: false,
    isBrowserRead: false,
    operationWithForms: null,
    typedQuery: [],
    takesCursor: false,
    promisesTag: false,
    recorded: null,
  });
  expect((await factsFor('/daily')).url).toBe('/daily');
});

test('collects the facts of a route once', async () => {
  expect(await factsFor('/metrics/2')).toBe(await factsFor('/metrics/3'));
});

test('has no path when no route matched', async () => {
  expect(await factsFor('/nowhere')).toMatchObject({ url: undefined, access: undefined });
});
