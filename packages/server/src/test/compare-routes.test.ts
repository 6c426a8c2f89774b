import { expect, test } from 'vitest';
import { compareRoutes } from './compare-routes.ts';

const described = ['GET /v1/users', 'POST /v1/users'];
const exceptions = ['GET /docs'];
const served = [...described, ...exceptions];

test('routes that agree', () => {
  expect(compareRoutes({ served, described, exceptions })).toEqual({
    undescribed: [],
    unserved: [],
    needless: [],
  });
});

test('a route that nobody described', () => {
  const { undescribed } = compareRoutes({
    served: [...served, 'DELETE /v1/everything'],
    described,
    exceptions,
  });
  expect(undescribed).toEqual(['DELETE /v1/everything']);
});

test('a description of nothing', () => {
  const { unserved } = compareRoutes({ served, described: [...described, 'GET /v1/dreams'], exceptions });
  expect(unserved).toEqual(['GET /v1/dreams']);
});

test.each(['GET /gone', 'GET /v1/users'])('an exception that is not needed: %s', (route) => {
  const { needless } = compareRoutes({ served, described, exceptions: [...exceptions, route] });
  expect(needless).toEqual([route]);
});
