import { randomUUID } from 'node:crypto';
import type { TestResponse, TestApp } from '../apps/test-app.ts';

/** A user with a Mobile SDK session. */
export interface SdkUser {
  id: string;
  uuid: string;
  token: string;
  upload(batch: object): Promise<TestResponse>;
  receipt(batchId: string): Promise<TestResponse>;
}

let userCount = 0;

/** Creates a user and makes the requests of a backend and a phone. */
export async function createSdkUser(
  app: TestApp,
  user: object = {},
  session: object = {},
  key: string = app.account.liveKey,
): Promise<SdkUser> {
  userCount += 1;
  const created = await app.request('POST', '/v1/users', {
    key,
    body: { reference_id: `sdk-${userCount}`, ...user },
  });
  const { id } = created.body.data;
  const bootstrap = await app.request('POST', `/v1/users/${id}/sdk-sessions`, {
    key,
    headers: { 'idempotency-key': randomUUID() },
    body: session,
  });
  const exchanged = await app.request('POST', '/v1/sdk/sessions/exchange', {
    key: '',
    body: { client_token: bootstrap.body.client_token },
  });
  const token: string = exchanged.body.access_token;
  const { rows } = await app.admin.query('SELECT id FROM users WHERE reference_id = $1', [
    `sdk-${userCount}`,
  ]);
  return {
    id,
    uuid: rows[0]?.id,
    token,
    upload: (batch) => app.request('POST', '/v1/sdk/batches', { key: token, body: batch }),
    receipt: (batchId) => app.request('GET', `/v1/sdk/batches/${batchId}`, { key: token }),
  };
}

export const watch = { provider: 'apple_health', id: 'watch-1', kind: 'watch' };
export const phone = { provider: 'apple_health', id: 'phone-1', kind: 'phone' };

/** An upload with a new ID. */
export function batchOf(parts: object): { batch_id: string; device: object } {
  return { batch_id: randomUUID(), device: watch, ...parts };
}
