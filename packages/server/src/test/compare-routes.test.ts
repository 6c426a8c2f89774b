import { expect, test } from 'vitest';
import { compareRoutes } from './compare-routes.ts';

const described = ['GET /v1/users', 'POST /v1/users'];
const exceptions = ['GET /docs'];
const served = [...described, ...exceptions];

test('accepts routes that match', () => {
  expect(compareRoutes({ served, described, exceptions })).toEqual({
    missingInSpec: [],
    unserved: [],
    needless: [],
  });
});

test('reports a route without a description', () => {
  const { missingInSpec } = compareRoutes({
    served: [...served, 'DELETE /v1/everything'],
    described,
    exceptions,
  });
  expect(missingInSpec).toEqual(['DELETE /v1/everything']);
});

test('reports a description without a route', () => {
  const { unserved } = compareRoutes({ served, described: [...described, 'GET /v1/dreams'], exceptions });
  expect(unserved).toEqual(['GET /v1/dreams']);
});

test.each(['GET /gone', 'GET /v1/users'])('reports an unnecessary exception: %s', (route) => {
  const { needless } = compareRoutes({ served, described, exceptions: [...exceptions, route] });
  expect(needless).toEqual([route]);
});
