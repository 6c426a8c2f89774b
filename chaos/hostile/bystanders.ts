import { randomUUID } from 'node:crypto';
import {
  Client,
  type Outcome,
  pace,
  quantile,
  type Report,
  type RunAccount,
  type RunStack,
} from '@tributary/rig';

/** Requests of other tenants during one period. */
export interface Observation {
  requests: readonly Outcome[];
  healthChecks: readonly Outcome[];
}

interface Bystander {
  key: string;
  userId: string;
  token: string;
}

const readsPerSecond = 40;
const uploadsPerSecond = 2;
const healthChecksPerSecond = 10;
/** How long to wait for the last responses. A service with a fault may never send them. */
const mostWaitMs = 30_000;

/** Users of two accounts who read, upload and check the health of the service at a steady rate. */
export class Bystanders implements Disposable {
  readonly #running: RunStack;
  readonly #client = new Client();
  readonly #users: readonly Bystander[];
  #count = 0;

  private constructor(running: RunStack, users: readonly Bystander[]) {
    this.#running = running;
    this.#users = users;
  }

  static async create(running: RunStack): Promise<Bystanders> {
    const users: Bystander[] = [];
    for (const name of ['Bystander A', 'Bystander B']) {
      const { live_key: key } = await running.tributary<RunAccount>('account', 'create', '--name', name);
      for (let at = 0; at < 3; at += 1) users.push(await createUser(running, key));
    }
    return new Bystanders(running, users);
  }

  /** Sends requests while `during` runs. */
  async observe(during: () => Promise<unknown>): Promise<Observation> {
    const [requests, healthChecks]: [Outcome[], Outcome[]] = [[], []];
    const stop = new AbortController();
    const loads = [
      this.#pace(
        readsPerSecond,
        ({ key, userId }) => ({ key, path: `/v1/users/${userId}/daily` }),
        requests,
        stop,
      ),
      this.#pace(uploadsPerSecond, upload, requests, stop),
      this.#pace(healthChecksPerSecond, () => ({ key: '', path: '/healthz' }), healthChecks, stop),
    ];
    try {
      await during();
    } finally {
      stop.abort();
      const giveUp = setTimeout(() => this.#client[Symbol.dispose](), mostWaitMs);
      await Promise.all(loads);
      clearTimeout(giveUp);
    }
    return { requests, healthChecks };
  }

  #pace(
    perSecond: number,
    next: (user: Bystander) => { method?: 'GET' | 'POST'; key: string; path: string; body?: unknown },
    into: Outcome[],
    { signal }: AbortController,
  ): Promise<void> {
    const { api } = this.#running;
    return pace(
      this.#client,
      perSecond,
      () => {
        this.#count += 1;
        return {
          node: api[this.#count % api.length]!.baseUrl,
          ...next(this.#users[this.#count % this.#users.length]!),
        };
      },
      signal,
      (outcome) => into.push(outcome),
    );
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }
}

/** Adds what bystanders noticed of an attack, compared with a calm period. */
export function reportBystanders(
  report: Report,
  calm: Observation,
  attacked: Observation,
  most: { ratio: number; healthMs: number },
): void {
  const failed = attacked.requests.filter(({ status }) => status === null || status >= 400);
  report.bound(
    'failed requests of other tenants',
    `${failed.length} of ${attacked.requests.length}${describe(failed)}`,
    '0',
    failed.length === 0,
  );
  const [before, during] = [p99(calm.requests), p99(attacked.requests)];
  report.bound(
    "p99 of other tenants' requests",
    `${during.toFixed(1)} ms, ${(during / before).toFixed(2)} of calm (${before.toFixed(1)} ms)`,
    `≤ ${most.ratio} of calm`,
    during <= before * most.ratio,
  );
  const health = p99(attacked.healthChecks);
  const isHealthy = attacked.healthChecks.every(({ status }) => status === 200) && health <= most.healthMs;
  report.bound(
    'p99 of health checks',
    `${health.toFixed(1)} ms of ${attacked.healthChecks.length}`,
    `≤ ${most.healthMs} ms, all 200`,
    isHealthy,
  );
}

const p99 = (outcomes: readonly Outcome[]): number =>
  quantile(
    outcomes.map(({ durationMs }) => durationMs),
    0.99,
  );

function describe([first]: readonly Outcome[]): string {
  return first ? `, first: ${first.failure?.reason ?? `${first.status} ${first.body.slice(0, 80)}`}` : '';
}

function upload({ token }: Bystander) {
  const start = new Date(Date.now() - 60_000).toISOString();
  const records = [{ metric: 'heart_rate', start, value: 60 }];
  const device = { provider: 'apple_health', id: 'watch', kind: 'watch' };
  return {
    method: 'POST' as const,
    key: token,
    path: '/v1/sdk/batches',
    body: { batch_id: randomUUID(), device, records },
  };
}

/** Access tokens of this number of phones of a new account. */
export async function createUploadTokens(
  running: RunStack,
  account: string,
  count: number,
): Promise<string[]> {
  const { live_key: key } = await running.tributary<RunAccount>('account', 'create', '--name', account);
  const tokens: string[] = [];
  for (let at = 0; at < count; at += 1) tokens.push((await createUser(running, key)).token);
  return tokens;
}

async function createUser(running: RunStack, key: string): Promise<Bystander> {
  const { data } = await post(running, '/v1/users', key, { reference_id: randomUUID(), timezone: 'UTC' });
  const { id: userId } = data as { id: string };
  const session = await post(running, `/v1/users/${userId}/sdk-sessions`, key, { platform: 'ios' });
  const client_token = session['client_token'];
  const { access_token } = await post(running, '/v1/sdk/sessions/exchange', null, { client_token });
  return { key, userId, token: access_token as string };
}

async function post(
  running: RunStack,
  path: string,
  key: string | null,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${running.api[0]!.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
