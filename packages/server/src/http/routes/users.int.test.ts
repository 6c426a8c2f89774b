import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const fresh = () => `ref-${(count += 1)}`;

test('create', async () => {
  const r = await app.request('POST', '/v1/users', { body: { reference_id: fresh() } });
  expect(r.status).toBe(201);
});
