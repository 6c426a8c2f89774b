import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { accessOf } from '../frame/access.ts';
import { buildApp } from '../frame/app.ts';
import { personReadOf, personReadOfDashboard } from './person-reads.ts';

let app: TestApp;
let routes: RouteOptions[];
beforeAll(async () => {
  app = await startTestApp();
  routes = [];
  const built = await buildApp(app.ctx, (route) => routes.push(route));
  await built.ready();
  await built.close();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Routes that take neither an API key nor a user token nor a dashboard session, with the reason why they record nothing. */
const outside: [path: RegExp, reason: string][] = [
  [/^\/dashboard(\/\*)?$/, 'files of the dashboard'],
  [/^\/(docs|reference)/, 'the API reference'],
  [/^\/(connect|invitations|memberships?)\b/, 'pages that a user opens about themselves, from a link'],
  [/^\/(pages\/|assets\/|style|\$|favicon)/, 'files of pages'],
  [/^\/push\//, 'pushes of providers'],
  [/^\/providers\/:id\/logo\.svg$/, 'logos of providers'],
  [/^\/$/, 'a page of links'],
];

test('classifies every route', () => {
  const unclassified = routes.filter(({ method, url, schema }) => {
    if (method === 'OPTIONS' || method === 'HEAD') return false;
    if (schema?.operationId !== undefined) return personReadOf(schema.operationId) === undefined;
    if (url.startsWith('/dashboard/api/'))
      return personReadOfDashboard(String(method), url.slice('/dashboard/api'.length)) === undefined;
    return !outside.some(([path]) => path.test(url));
  });
  expect(unclassified.map(({ method, url }) => `${String(method)} ${url}`)).toEqual([]);
});

test('records every route that returns measured values, that a user token may call, or that is about one user', () => {
  const unrecorded = routes.filter(({ method, url, schema, config }) => {
    if (method === 'OPTIONS') return false;
    const access = schema?.operationId ? accessOf(schema.operationId) : undefined;
    const isAboutUser = method === 'GET' && /\/users\/:id\b/.test(url);
    return (isAboutUser || access?.measured || access?.ownUser) && !config?.recorded;
  });
  expect(unrecorded.map(({ method, url }) => `${String(method)} ${url}`)).toEqual([]);
  expect(routes.filter(({ config }) => config?.recorded).length).toBeGreaterThan(25);
});

test('records reads of one user only where the request or the response names the user', () => {
  for (const { url, schema, config } of routes) {
    const user = config?.recorded?.user;
    if (user === 'path') expect(url).toMatch(/\/users\/:id\b/);
    if (user === 'query') expect(JSON.stringify(schema?.querystring)).toContain('"user_id"');
  }
});

test.each([
  () => personReadOf('listSecrets'),
  () => personReadOfDashboard('GET', '/secrets'),
  () => personReadOfDashboard('POST', '/users/:id/secrets'),
])('refuses to serve a route without a classification: %s', (find) =>
  expect(find).toThrow(/has no entry for/),
);
