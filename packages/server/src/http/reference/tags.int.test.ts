import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

/** Responses that are tagged by their content. */

let app: TestApp;
let user: PhoneUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await createPhoneUser(app);
});
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  ['a user', () => `/v1/users/${user.id}`],
  ['users', () => '/v1/users?limit=5'],
  // @contract all/caching: Devices
  ['devices', () => `/v1/users/${user.id}/devices`],
  // @contract all/caching: Consolidation settings
  ['consolidation settings', () => `/v1/users/${user.id}/consolidation`],
])('returns 304 for current %s until the content changes', async (_, path) => {
  const first = await app.request('GET', path());
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  const options = { headers: { 'if-none-match': `"other", W/${etag}` } };
  const again = await fetch(`${app.url}${path()}`, {
    headers: { ...options.headers, authorization: `Bearer ${app.account.liveKey}` },
  });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect(again.headers.get('content-type')).toBeNull();
  await user.upload(
    { id: `watch ${Math.random()}` },
    { daily: [{ metric: 'steps', date: '2026-03-01', value: 1 }] },
  );
  await workThrough(app);
  const change = { body: { metrics: { steps: { method: 'sum' } } } };
  await app.request('PATCH', `/v1/users/${user.id}/consolidation`, change);
  expect((await app.request('GET', path(), options)).status).toBe(200);
  await app.request('DELETE', `/v1/users/${user.id}/consolidation`);
});

test('sets no tag on errors and changes', async () => {
  const missing = await app.request('GET', '/v1/users/unknown', { headers: { 'if-none-match': '*' } });
  expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
  const changed = await app.request('PATCH', `/v1/users/${user.id}`, {
    body: {},
    headers: { 'if-none-match': '*' },
  });
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, null]);
});
