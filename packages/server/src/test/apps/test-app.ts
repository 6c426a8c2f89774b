import type pg from 'pg';
import { inject } from 'vitest';
import type { AddressInfo } from 'node:net';
import type { Context } from '../../context.ts';
import { createContext } from '../../create-context.ts';
import { buildApp } from '../../http/frame/app.ts';
import { formatId } from '../../ids.ts';
import { createLog } from '../../log.ts';
import { createAccount } from '../../services/accounts/create-account.ts';
import { ensureSigningKey } from '../../services/signing-keys/ensure-signing-key.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { testConfig } from './test-config.ts';
import { testActor } from '../acting.ts';

export interface TestAccount {
  id: string;
  uuid: string;
  liveKey: string;
  sandboxKey: string;
}

export interface TestRequest {
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as is, instead of `body`. */
  rawBody?: string;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  body: any;
}

export interface TestApp extends AsyncDisposable {
  ctx: Context;
  url: string;
  /** A superuser connection to the database, without row-level security. */
  admin: pg.Pool;
  account: TestAccount;
  createAccount(): Promise<TestAccount>;
  request(method: string, path: string, options?: TestRequest): Promise<TestResponse>;
  /** Moves the clock of code and SQL, and waits until both follow. */
  moveClock(ms: number): Promise<void>;
  insertDevice(userId: string, device: { id: string; provider: string; status: string }): Promise<void>;
}

/** Prepares the database of a test before the service connects. Returns settings of the service. */
export type ArrangeDatabase = (
  database: TestDatabase,
  resources: AsyncDisposableStack,
) => Promise<Record<string, string>>;

/** The service in this process, on real engines, behind a real socket. */
export async function startTestApp(
  overrides: Record<string, string> = {},
  onLogLine?: (line: string) => void,
  arrange: ArrangeDatabase = async () => ({}),
): Promise<TestApp> {
  const engines = inject('engines');
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await createTestDatabase());
  const config = testConfig({
    DATABASE_URL: database.url,
    // All tests share one NATS.
    AUDIT_NAME: database.url.split('/').at(-1)!,
    NATS_URL: engines.natsUrl,
    REDIS_URL: engines.redisUrl,
    ...(await arrange(database, resources)),
    ...overrides,
  });
  const log = createLog(config, 'api', onLogLine && { write: onLogLine });
  const ctx = resources.use(await createContext(config, 'api', log));
  await ensureSigningKey(ctx);
  const app = await buildApp(ctx);
  resources.defer(async () => {
    // A client may keep a connection without any request, for which the server would wait a minute.
    const timer = setTimeout(() => app.server.closeAllConnections(), 1_000);
    await app.close();
    clearTimeout(timer);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  async function newAccount(): Promise<TestAccount> {
    const { account, live, sandbox } = await createAccount(ctx, testActor, { name: 'Test' });
    return {
      id: formatId('acc', account.id),
      uuid: account.id,
      liveKey: live.secret,
      sandboxKey: sandbox.secret,
    };
  }
  const account = await newAccount();
  const owned = resources.move();

  return {
    ctx,
    url,
    admin: database.admin,
    account,
    createAccount: newAccount,
    request: (method, path, options = {}) => send(url, method, path, { key: account.liveKey, ...options }),
    async moveClock(ms) {
      await database.admin.query(
        `INSERT INTO clock_offset (offset_ms) VALUES ($1) ON CONFLICT (only_row) DO UPDATE SET offset_ms = $1`,
        [ms],
      );
      const isApplied = () => Math.abs(ctx.clock.now() - Date.now() - ms) < 50;
      while (!isApplied()) await new Promise((resolve) => setTimeout(resolve, 20));
      ctx.credentials.clear();
    },
    async insertDevice(userId, device) {
      await database.admin.query(
        `INSERT INTO devices (user_id, device_no, id, provider, status, connected_at)
         VALUES ($1, (SELECT coalesce(max(device_no), 0) + 1 FROM devices WHERE user_id = $1), $2, $3, $4, now())`,
        [userId, device.id, device.provider, device.status],
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function send(url: string, method: string, path: string, options: TestRequest): Promise<TestResponse> {
  const hasBody = options.body !== undefined || options.rawBody !== undefined;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    },
    ...(hasBody ? { body: options.rawBody ?? JSON.stringify(options.body) } : {}),
  });
  const text = await readBody(response);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

/** The whole body; for an endless stream, its first chunk. */
async function readBody(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  if (!reader) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** The API key of an account for an environment. */
export function keyOf(account: TestAccount, environment: Environment): string {
  return environment === 'live' ? account.liveKey : account.sandboxKey;
}
