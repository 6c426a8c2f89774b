import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStack } from '@tributary/rig';
import { createAccount } from '@tributary/server/testing/accounts';
import { openPool, testActor } from '@tributary/server/testing/database';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';
import type { Batch } from './reference/uploads.ts';

/** A user, a key that can read their data, and an SDK session that can upload it. */
export interface TestUser {
  id: string;
  key: string;
  token: string;
}

/** Keeps every key far below its limit of requests. */
const usersPerAccount = 20;
const patienceMs = 600_000;

/** Repeats a request once if the connection was closed: the service closes idle ones, and computing the reference takes a while. */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    return await fetch(url, init);
  }
}

/** The service under test, used through its public API. */
export class World {
  readonly #run: RunStack;
  #requestCount = 0;

  constructor(run: RunStack) {
    this.#run = run;
  }

  async createUsers(timezones: readonly string[]): Promise<TestUser[]> {
    const operator = openPool({
      url: this.#run.stack.engines.databaseUrl,
      role: 'operator',
      max: 2,
      statementTimeoutMs: 10_000,
      applicationName: 'chaos',
    });
    const users: TestUser[] = [];
    for (let at = 0; at < timezones.length; at += usersPerAccount) {
      const { live } = await createAccount({ operator, newId: createIdSource(systemClock) }, testActor, {
        name: `Rules ${at}`,
      });
      for (const timezone of timezones.slice(at, at + usersPerAccount))
        users.push(await this.#createUser(live.secret, timezone, crypto.randomUUID()));
    }
    await operator.end();
    return users;
  }

  async #createUser(key: string, timezone: string, reference: string): Promise<TestUser> {
    const { data } = await this.request('POST', '/v1/users', key, { reference_id: reference, timezone });
    const { id } = data as { id: string };
    const session = await this.request('POST', `/v1/users/${id}/sdk-sessions`, key, {}, crypto.randomUUID());
    const { access_token: token } = await this.request('POST', '/v1/sdk/sessions/exchange', null, {
      client_token: session['client_token'],
    });
    return { id, key, token: token as string };
  }

  /** Sends a request that must succeed, and repeats it while the service is throttling or if it had closed an idle connection. */
  async request(
    method: string,
    path: string,
    key: string | null,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Record<string, unknown>> {
    const { api } = this.#run;
    for (;;) {
      const node = api[(this.#requestCount += 1) % api.length]!;
      const response = await send(`${node.baseUrl}${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as Record<string, unknown>;
      if (response.status !== 429 && response.status !== 503)
        throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  /** The `data` of a read of a user. */
  async get<Item>({ id, key }: TestUser, path: string): Promise<Item[]> {
    const { data } = await this.request('GET', `/v1/users/${id}/${path}`, key);
    return data as Item[];
  }

  /** All pages of a list. */
  async list<Item>({ id, key }: TestUser, name: string, range: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let query = range; ;) {
      const page = await this.request('GET', `/v1/users/${id}/${name}?${query}`, key);
      items.push(...(page['data'] as Item[]));
      const cursor = page['next_cursor'] as string | null;
      if (cursor === null) return items;
      query = `cursor=${encodeURIComponent(cursor)}`;
    }
  }

  async upload({ token }: TestUser, batch: Batch): Promise<void> {
    await this.request('POST', '/v1/sdk/batches', token, batch);
  }

  /** Waits until all uploads are processed and no history is being recomputed. */
  async untilProcessed(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const { rows } = await this.#run.admin.query<{ left: number; failed: number }>(
        `SELECT (SELECT count(*) FROM pending_batches) + (SELECT count(*) FROM pgboss.job
           WHERE state < 'completed' AND name = 'reconsolidate-user') AS left,
           (SELECT count(*) FROM dead_letters) AS failed`,
      );
      const { left, failed } = rows[0]!;
      if (failed > 0) throw new Error(`${failed} uploads became dead letters`);
      if (left === 0) return;
      if (performance.now() - startedAt > patienceMs)
        throw new Error(`${left} uploads and jobs are still pending after ${patienceMs / 1000} s`);
      await sleep(100);
    }
  }
}
