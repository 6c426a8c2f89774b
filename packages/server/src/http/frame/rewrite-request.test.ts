import { expect, test } from 'vitest';
import { MethodTable } from './method-table.ts';
import { withoutTrailingSlash } from './rewrite-request.ts';

test.each([
  ['/v1/users/', '/v1/users'],
  ['/v1/users/?limit=2', '/v1/users?limit=2'],
  ['/v1/users?next=/', '/v1/users?next=/'],
  ['/v1/users', '/v1/users'],
  ['/v1/users//', '/v1/users/'],
  ['/v1/', '/v1'],
  ['/', '/'],
  ['/docs/', '/docs/'],
  ['/v1', '/v1'],
])('turns %s into %s', (url, expected) => {
  expect(withoutTrailingSlash(url)).toBe(expected);
});

test('serves HEAD as GET, except where a path has its own handler or no GET', () => {
  const methods = new MethodTable();
  methods.add('/v1/users', ['GET']);
  methods.add('/v1/users', ['POST']);
  methods.add('/v1/users/:id', ['GET']);
  methods.add('/push/:id', ['GET', 'HEAD', 'POST']);
  methods.add('/v1/auth/user-token', ['POST']);
  methods.add('/dashboard/*', ['GET']);
  expect(methods.isHeadServedAsGet('/v1/users?limit=2')).toBe(true);
  expect(methods.isHeadServedAsGet('/v1/users/x')).toBe(true);
  expect(methods.isHeadServedAsGet('/push/x')).toBe(false);
  expect(methods.isHeadServedAsGet('/v1/auth/user-token')).toBe(false);
  expect(methods.isHeadServedAsGet('/dashboard/users')).toBe(true);
  expect(methods.allowedAt('/v1/users')).toEqual(['GET', 'HEAD', 'POST']);
  expect(methods.allowedAt('/v1/auth/user-token')).toEqual(['POST']);
  expect(methods.allowedAt('/v1/none')).toEqual([]);
});
