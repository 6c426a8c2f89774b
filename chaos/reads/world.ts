import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random, RunStack } from '@tributary/rig';
import { createIdSource, formatId, systemClock } from '@tributary/server/testing/ids';
import { sealSdkToken } from '@tributary/server/testing/credentials';
import { createAccount } from '@tributary/server/testing/accounts';
import { openPool, testActor } from '@tributary/server/testing/database';
import { withoutScores } from './without-scores.ts';

/** A user with a key that can read their data and a session that can upload it. */
export interface TestUser {
  userId: string;
  /** As the API formats it. */
  id: string;
  key: string;
  token: string;
}

export interface ApiResponse {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies have many shapes
  body: any;
}

const scopes = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition'] as const;
/** Limits the users per account, since a key may make 100 requests a second and a run makes many more. */
const usersPerAccount = 20;
const patienceMs = 180_000;

/** The service under test, and a client for it. */
export class World {
  readonly #run: RunStack;
  #requestCount = 0;

  constructor(run: RunStack) {
    this.#run = run;
  }

  get admin(): RunStack['admin'] {
    return this.#run.admin;
  }

  /** Creates users with an active session each, directly in the database. */
  async createUsers(
    users: readonly { timezone: string; profile: object }[],
    random: Random,
  ): Promise<TestUser[]> {
    const { keyring } = this.#run;
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + 4 * 3600;
    const operator = openPool({
      url: this.#run.stack.engines.databaseUrl,
      role: 'operator',
      max: 2,
      statementTimeoutMs: 10_000,
      applicationName: 'chaos',
    });
    const createdUsers: TestUser[] = [];
    for (let at = 0; at < users.length; at += usersPerAccount) {
      const { account, live } = await createAccount(
        { operator, newId: createIdSource(systemClock) },
        testActor,
        { name: `Reads ${at}` },
      );
      const tenant = { accountId: account.id, environment: 'live' as const };
      for (const { timezone, profile } of users.slice(at, at + usersPerAccount)) {
        const [userId, sessionId] = [random.uuid(), random.uuid()];
        await this.admin.query(
          `INSERT INTO users (id, account_id, environment, reference_id, timezone, profile) VALUES ($1, $2, 'live', $1::uuid::text, $3, $4)`,
          [userId, account.id, timezone, profile],
        );
        await this.admin.query(
          `INSERT INTO sdk_sessions (id, account_id, environment, user_id, status, scopes, refresh_hash, refreshed_at)
           VALUES ($1, $2, 'live', $3, 'active', $4, $5, now())`,
          [sessionId, account.id, userId, scopes, randomBytes(32)],
        );
        const token = sealSdkToken(keyring, { tenant, userId, sessionId, scopes }, expiresAtSeconds);
        createdUsers.push({ userId, id: formatId('user', userId), key: live.secret, token });
      }
    }
    await operator.end();
    return createdUsers;
  }

  /** Sends a request, and retries while the service is throttling. Returns any other response. */
  async request(method: string, path: string, key: string, body?: object): Promise<ApiResponse> {
    const { api } = this.#run;
    for (;;) {
      const node = api[(this.#requestCount += 1) % api.length]!;
      const response = await fetch(`${node.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      const { status } = response;
      if (status !== 429 && status !== 503) return { status, body: text === '' ? null : JSON.parse(text) };
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  /** Sends a request that must succeed. */
  async must(method: string, path: string, key: string, body?: object): Promise<ApiResponse['body']> {
    const response = await this.request(method, path, key, body);
    if (response.status >= 300)
      throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async get(who: TestUser, path: string): Promise<ApiResponse['body']> {
    return withoutScores(await this.must('GET', `/v1/users/${who.id}/${path}`, who.key));
  }

  upload({ token }: TestUser, batch: object): Promise<ApiResponse['body']> {
    return this.must('POST', '/v1/sdk/batches', token, batch);
  }

  /** Waits until all uploads are processed and all recompute jobs are done. */
  async untilProcessed(): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const { rows } = await this.admin.query<{ left: number; failed: number }>(
        `SELECT (SELECT count(*) FROM pending_batches) + (SELECT count(*) FROM pgboss.job
           WHERE state < 'completed' AND name IN ('recut-user', 'reconsolidate-user', 'remove-device')) AS left,
           (SELECT count(*) FROM dead_letters) AS failed`,
      );
      const { left, failed } = rows[0]!;
      if (failed > 0) throw new Error(`${failed} uploads became dead letters`);
      if (left === 0) return;
      if (performance.now() - startedAt > patienceMs)
        throw new Error(`${left} uploads and jobs are still pending after ${patienceMs / 1000} s`);
      await sleep(50);
    }
  }
}
