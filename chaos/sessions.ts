/**
 * Races of SDK sessions across two processes. Sixteen concurrent requests for the same thing have exactly one winner, every other
 * successful response is identical, and a refresh token that two parties use ends its session.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Client, limitRunTime, type Outcome, progress, Report, startRunStack } from '@tributary/rig';
import { createIdSource, systemClock } from '@tributary/server/testing/ids';
import { createAccount } from '@tributary/server/testing/accounts';
import { openPool, testActor } from '@tributary/server/testing/database';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run chaos:sessions -- [--short] [--rounds <number>]

Sends 16 concurrent requests per round to two processes of a private stack, and counts the requests that succeed.

  --short    60 rounds of each kind instead of 2000
  --rounds   number of rounds of each kind`);
  process.exit(0);
}

const parallel = 16;
/** Number of concurrent races, each on its own session. */
const concurrency = 4;
const rounds = Number(values.rounds ?? (values.short ? 60 : 2_000));
/** A key may make 100 requests a second, and this run makes many more. */
const accounts = values.short ? 10 : 60;

interface User {
  key: string;
  id: string;
}

/** One race: its requests, and a check that returns what is wrong with the responses. */
interface Race {
  requests: { path: string; key?: string; headers?: Record<string, string>; body: object | (() => object) };
  check: (outcomes: Outcome[]) => string | null;
}

interface Kind {
  title: string;
  /** Creates what the next race of this worker needs. */
  prepare: (worker: number) => Promise<Race>;
  /** Checks the database at the end. Returns null if it is correct. */
  verify: () => Promise<string | null>;
}

const report = new Report();
limitRunTime(values.short ? 4 : 15);
await using running = await startRunStack(2, {
  // All requests come from one address here.
  ADDRESS_LIMIT_PER_SECOND: '1000000',
  ADDRESS_LIMIT_BURST: '1000000',
});
using client = new Client();
let requestCount = 0;
const users = await makeUsers();

for (const kind of [
  creations(),
  exchanges('client'),
  exchanges('mobile'),
  retries('one request_id'),
  retries('no request_id'),
  thefts(),
]) {
  await run(kind);
}
report.print(`Sessions: ${rounds} rounds of each kind, ${parallel} concurrent requests, 2 processes`);

async function run({ title, prepare, verify }: Kind): Promise<void> {
  progress(`${title}: ${rounds} rounds`);
  const problems: string[] = [];
  const statuses = new Map<number | null, number>();
  const startedAt = performance.now();
  let next = 0;
  const work = async (worker: number): Promise<void> => {
    while (next < rounds) {
      next += 1;
      const { requests, check } = await prepare(worker);
      const outcomes = await Promise.all(Array.from({ length: parallel }, (_, at) => send(at, requests)));
      for (const { status } of outcomes) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const problem = check(outcomes);
      if (problem) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
  const seconds = (performance.now() - startedAt) / 1000;
  const stored = await verify();
  for (const problem of [...new Set(problems)].slice(0, 3)) progress(`${title}: ${problem}`);
  const counted = [...statuses].sort(([a], [b]) => Number(a) - Number(b));
  report.note(
    `${title}: responses`,
    `${counted.map(([status, count]) => `${count} × ${status}`).join(', ')} in ${seconds.toFixed(0)} s`,
  );
  report.bound(
    `${title}: races with the expected result`,
    `${rounds - problems.length}`,
    `${rounds}`,
    problems.length === 0,
  );
  report.bound(`${title}: matches the database`, stored ?? 'yes', 'yes', stored === null);
}

function send(at: number, { path, key = '', headers = {}, body }: Race['requests']): Promise<Outcome> {
  const node = running.api[at % running.api.length]?.baseUrl ?? '';
  const sent = typeof body === 'function' ? body() : body;
  return client.send({ method: 'POST', node, path, key, headers, body: sent });
}

/** One Idempotency-Key creates one session. The other requests get the same session, or an error that it is being created. */
function creations(): Kind {
  return {
    title: 'creation with one key',
    async prepare() {
      const user = nextUser();
      const path = `/v1/users/${user.id}/sdk-sessions`;
      const headers = { 'idempotency-key': randomUUID() };
      return {
        requests: { path, key: user.key, headers, body: { platform: 'ios' } },
        check(outcomes) {
          const creations = outcomes.filter(({ status }) => status === 201);
          const replayed = outcomes.filter(({ status }) => status === 200);
          const busy = outcomes.filter(
            ({ status, body }) => status === 409 && body.includes('"idempotency_in_progress"'),
          );
          if (creations.length !== 1) return `${creations.length} requests created a session`;
          if (creations.length + replayed.length + busy.length !== parallel) return describe(outcomes);
          return allEqual([...creations, ...replayed]) ? null : 'a replayed response differs';
        },
      };
    },
    verify: () => expectCount(`SELECT count(*)::int AS n FROM sdk_sessions WHERE platform = 'ios'`, rounds),
  };
}

/** For one single-use token, one exchange gets credentials. The others are rejected. */
function exchanges(token: 'client' | 'mobile'): Kind {
  const sessions = new Set<string>();
  return {
    title: `exchange of one ${token} token`,
    async prepare() {
      const user = nextUser();
      const client_token = token === 'client' ? await clientToken(user) : await mobileToken(user);
      return {
        requests: { path: '/v1/sdk/sessions/exchange', body: { client_token } },
        check(outcomes) {
          const winners = outcomes.filter(({ status }) => status === 200);
          for (const { body } of winners) sessions.add(JSON.parse(body).session_id);
          return winners.length === 1 && losersAreRefused(outcomes) ? null : describe(outcomes);
        },
      };
    },
    verify: () =>
      expectCount(
        `SELECT count(*)::int AS n FROM sdk_sessions WHERE status = 'active' AND refresh_generation = 1 AND id = ANY ($1)`,
        rounds,
        [[...sessions]],
      ),
  };
}

/**
 * With one refresh token and the same request_id or none, there is one rotation and all responses are equal. Each race continues with the token
 * that the previous one returned.
 */
function retries(attempt: 'one request_id' | 'no request_id'): Kind {
  const tokens: string[] = [];
  const sessions = new Set<string>();
  return {
    title: `refresh with ${attempt}`,
    async prepare(worker) {
      const refresh_token = tokens[worker] ?? (await signIn(sessions));
      return {
        requests: {
          path: '/v1/sdk/sessions/refresh',
          body: attempt === 'no request_id' ? { refresh_token } : { refresh_token, request_id: randomUUID() },
        },
        check(outcomes) {
          const successes = outcomes.filter(({ status }) => status === 200);
          if (successes.length !== parallel) return describe(outcomes);
          tokens[worker] = JSON.parse(successes[0]!.body).refresh_token;
          return allEqual(successes) ? null : 'responses differ';
        },
      };
    },
    // The exchange is generation 1, and each rotation adds 1.
    verify: () =>
      expectCount(
        `SELECT sum(refresh_generation - 1)::int AS n FROM sdk_sessions WHERE status = 'active' AND id = ANY ($1)`,
        rounds,
        [[...sessions]],
      ),
  };
}

/** With one refresh token and a different request_id in each request, one request wins, and the session ends for all. */
function thefts(): Kind {
  const sessions = new Set<string>();
  return {
    title: 'refresh with different request_ids',
    async prepare() {
      const refresh_token = await signIn(sessions);
      return {
        requests: {
          path: '/v1/sdk/sessions/refresh',
          body: () => ({ refresh_token, request_id: randomUUID() }),
        },
        check(outcomes) {
          const winners = outcomes.filter(({ status }) => status === 200);
          return winners.length === 1 && losersAreRefused(outcomes) ? null : describe(outcomes);
        },
      };
    },
    verify: () =>
      expectCount(
        `SELECT count(*)::int AS n FROM sdk_sessions WHERE status = 'revoked' AND id = ANY ($1)`,
        rounds,
        [[...sessions]],
      ),
  };
}

function losersAreRefused(outcomes: readonly Outcome[]): boolean {
  const losers = outcomes.filter(({ status }) => status !== 200);
  return losers.every(({ status, body }) => status === 401 && body.includes('"invalid_token"'));
}

function allEqual(outcomes: readonly Outcome[]): boolean {
  return new Set(outcomes.map(({ body }) => body)).size === 1;
}

function describe(outcomes: readonly Outcome[]): string {
  const seen = outcomes.map(({ status, body }) => `${status} ${/"error":"(\w+)"/.exec(body)?.[1] ?? ''}`);
  return [...new Set(seen)]
    .map((one) => `${seen.filter((other) => other === one).length} × ${one}`)
    .join(', ');
}

async function expectCount(
  text: string,
  expected: number,
  parameters: unknown[] = [],
): Promise<string | null> {
  const { rows } = await running.admin.query<{ n: number }>(text, parameters);
  return rows[0]?.n === expected ? null : `${rows[0]?.n} instead of ${expected}`;
}

function nextUser(): User {
  requestCount += 1;
  return users[requestCount % users.length]!;
}

async function signIn(sessions: Set<string>): Promise<string> {
  const client_token = await mobileToken(nextUser());
  const { session_id, refresh_token } = await mustSend('', '/v1/sdk/sessions/exchange', { client_token });
  sessions.add(session_id!);
  return refresh_token!;
}

async function mobileToken({ key, id }: User): Promise<string> {
  return (await mustSend(key, '/v1/auth/mobile-token', { user_id: id }))['token']!;
}

async function clientToken({ key, id }: User): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  return (await mustSend(key, `/v1/users/${id}/sdk-sessions`, {}, headers))['client_token']!;
}

/** Sends a request that must succeed. */
async function mustSend(
  key: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  requestCount += 1;
  const outcome = await send(requestCount, { path, key, headers, body });
  if (outcome.status === null || outcome.status >= 300)
    throw new Error(`POST ${path} returned ${outcome.status}: ${outcome.body}`);
  return JSON.parse(outcome.body) as Record<string, string>;
}

/** Creates one user in each environment of many accounts. */
async function makeUsers(): Promise<User[]> {
  progress(`creating ${accounts} accounts`);
  const operator = openPool({
    url: running.stack.engines.databaseUrl,
    role: 'operator',
    max: 2,
    statementTimeoutMs: 10_000,
    applicationName: 'chaos',
  });
  const users: User[] = [];
  for (let at = 0; at < accounts; at += 1) {
    const { live, sandbox } = await createAccount(
      { operator, newId: createIdSource(systemClock) },
      testActor,
      { name: `Races ${at}` },
    );
    for (const { secret: key } of [live, sandbox]) {
      const { id } = await mustSend(key, '/v1/users', { external_ref: 'racer' });
      users.push({ key, id: id! });
    }
  }
  await operator.end();
  return users;
}
