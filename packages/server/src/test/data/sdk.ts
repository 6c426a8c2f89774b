import { randomUUID } from 'node:crypto';
import type { TestResponse, TestApp, TestRequest } from '../apps/test-app.ts';

/** SDK requests of a backend and of a phone. */
export function sdkOf(app: TestApp) {
  return {
    async newUser(key = app.account.liveKey): Promise<string> {
      const { body } = await app.request('POST', '/v1/users', { key, body: { external_ref: randomUUID() } });
      return body.id;
    },
    start(userId: string, body: object = {}, options: TestRequest & { idempotencyKey?: string } = {}) {
      const { idempotencyKey = randomUUID(), headers, ...rest } = options;
      return app.request('POST', `/v1/users/${userId}/sdk-sessions`, {
        body,
        ...rest,
        headers: { 'idempotency-key': idempotencyKey, ...headers },
      });
    },
    list: (userId: string, key = app.account.liveKey) =>
      app.request('GET', `/v1/users/${userId}/sdk-sessions`, { key }),
    exchange: (token: unknown): Promise<TestResponse> =>
      app.request('POST', '/v1/sdk/sessions/exchange', { key: '', body: { client_token: token } }),
    refresh: (token: unknown, requestId?: unknown): Promise<TestResponse> =>
      app.request('POST', '/v1/sdk/sessions/refresh', {
        key: '',
        body: { refresh_token: token, ...(requestId === undefined ? {} : { request_id: requestId }) },
      }),
    end: (accessToken: string) => app.request('DELETE', '/v1/sdk/sessions/current', { key: accessToken }),
    /** Credentials of a new session, with the response that started it. */
    async signIn(userId: string, body: object = {}, key = app.account.liveKey) {
      const bootstrap = (await this.start(userId, body, { key })).body;
      return { bootstrap, credentials: (await this.exchange(bootstrap.client_token)).body };
    },
    async mobileToken(userId: string, body: object = {}, key = app.account.liveKey): Promise<string> {
      const response = await app.request('POST', '/v1/auth/mobile-token', {
        key,
        body: { user_id: userId, ...body },
      });
      return response.body.token;
    },
  };
}
