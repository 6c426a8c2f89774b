/** A process that receives SIGTERM finishes the requests it accepted: none in flight is cut, and every acknowledged write is stored. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  limitRunTime,
  median,
  type Outcome,
  pace,
  progress,
  Report,
  type RunAccount,
  startRunStack,
} from '@tributary/rig';

const boundMs = 10_000;
const short = process.argv.includes('--short');
/** Requests per second of each of six customers. The short run must fit a shared machine, since overload by itself aborts requests. */
const perSecond = short ? 15 : 50;
const rounds = short ? 3 : 10;
const report = new Report();

limitRunTime(short ? 8 : 10);
// At this level every accepted request is logged, even if its response did not arrive.
await using running = await startRunStack(2, { LOG_LEVEL: 'debug' });
const accounts = [running.stack.info, await newAccount(), await newAccount()];
const keys = accounts.flatMap(({ live_key, sandbox_key }) => [live_key, sandbox_key]);

const requestLine = /"route":"\/v1\/users".*"msg":"request"/;
const acceptedBefore = await countLines(requestLine);
const stop = new AbortController();
const outcomes: Outcome[] = [];
// One client per key: each has its own connections, as separate customers do.
using clients = new DisposableStack();
const loads = keys.map((key) => {
  const client = clients.use(new Client());
  let requestCount = 0;
  const nextCall = () => {
    requestCount += 1;
    const node = running.api[requestCount % 2]?.baseUrl ?? '';
    if (requestCount % 5 > 1) return { node, path: '/v1/users?limit=20', key };
    return { method: 'POST' as const, node, path: '/v1/users', key, body: userOf(key, requestCount) };
  };
  return pace(client, perSecond, nextCall, stop.signal, (outcome) => outcomes.push(outcome));
});

const endings: number[] = [];
for (let round = 0; round < rounds; round += 1) await endOne(round);
await sleep(1_000);
stop.abort();
await Promise.all(loads);
await sleep(200); // wait for the log lines of the last requests
await reportFigures();
report.print(`Shutdown: ${rounds} rounds over 2 processes`);

/** A user without simulated data, since generating it would add a different load. */
function userOf(key: string, requestCount: number): object {
  const user = { external_ref: `ref-${requestCount}` };
  return key.startsWith('sk_sandbox_') ? { ...user, sandbox: { archetype: 'none' } } : user;
}

function newAccount(): Promise<RunAccount> {
  return running.tributary<RunAccount>('account', 'create', '--name', 'Busy');
}

/** Stops one process under load and starts it again. In every other round, all requests wait for a lock in the meantime, longer than the drain. */
async function endOne(round: number): Promise<void> {
  const node = running.api[round % 2];
  if (!node) throw new Error('There is no such process.');
  await sleep(1_500);
  const isBlockedAtSignal = round % 2 === 1;
  // A connection without a request yet, as browsers open them.
  const idleConnection = round % 3 === 2;
  const idle = idleConnection ? connect(Number(new URL(node.baseUrl).port), '127.0.0.1') : null;
  idle?.on('error', () => {});
  const lock = isBlockedAtSignal ? holdUsers(1_500) : Promise.resolve();
  await sleep(300);
  const from = outcomes.length;
  const signaledAt = performance.now();
  node.signal('SIGTERM');
  while (node.pid !== undefined && performance.now() - signaledAt < 2 * boundMs) await sleep(10);
  const ms = performance.now() - signaledAt;
  endings.push(ms);
  await lock;
  idle?.destroy();
  await node.start();
  const failed = outcomes.slice(from).flatMap(({ failure }) => (failure ? [failure] : []));
  progress(
    `round ${round + 1} of ${rounds}: ended after ${ms.toFixed(0)} ms${isBlockedAtSignal ? ', requests blocked' : ''}${idleConnection ? ', idle connection' : ''}; ` +
      `refused ${failed.filter(({ kind }) => kind === 'refused').length}, cut ${failed.filter(({ kind }) => kind === 'cut').length}`,
  );
}

/** Blocks every request that reads or writes users. */
async function holdUsers(ms: number): Promise<void> {
  const session = await running.admin.connect();
  try {
    await session.query('BEGIN');
    await session.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    await sleep(ms);
  } finally {
    await session.query('ROLLBACK');
    session.release();
  }
}

async function reportFigures(): Promise<void> {
  const responses = outcomes.filter(({ failure }) => failure === null);
  const failures = outcomes.flatMap(({ failure }) => (failure ? [failure] : []));
  const [refused, reset, cutFailures] = [
    failures.filter(({ kind }) => kind === 'refused'),
    failures.filter(isResetInQueue),
    failures.filter((failure) => failure.kind === 'cut' && !isResetInQueue(failure)),
  ];
  report.note('requests', String(outcomes.length));
  report.bound('requests cut on a connection in use', describe(cutFailures), '0', cutFailures.length === 0);
  const acceptedCount = (await countLines(requestLine)) - acceptedBefore;
  report.bound(
    'requests accepted, complete responses',
    `${acceptedCount}, ${responses.length}`,
    'equal',
    acceptedCount === responses.length,
  );
  const { rows } = await running.admin.query<{ count: number }>('SELECT count(*) FROM users');
  const there = rows[0]?.count ?? 0;
  const created = outcomes.filter(({ status }) => status === 201).length;
  report.bound(
    'users created, users in the database',
    `${created}, ${there}`,
    'equal, at least 100',
    created === there && created >= 100,
  );
  const broken = responses.filter((outcome) => !isWhole(outcome));
  const sample = broken[0] ? `, for example ${broken[0].status} ${broken[0].body}` : '';
  report.bound(
    'responses other than a complete 200 or 201',
    `${broken.length}${sample}`,
    '0',
    broken.length === 0,
  );
  report.note('new connections refused while a process was down', String(refused.length));
  report.note('new connections reset before a process accepted them', String(reset.length));

  report.bound(
    'time from SIGTERM to exit',
    `median ${median(endings).toFixed(0)}, max ${Math.max(...endings).toFixed(0)} ms`,
    `≤ ${boundMs} ms`,
    Math.max(...endings) <= boundMs,
  );
  const inOrder = await countLines(/"msg":"stopped"/);
  report.bound('processes that stopped cleanly', `${inOrder} of ${rounds}`, 'all', inOrder === rounds);
}

async function countLines(wanted: RegExp): Promise<number> {
  const logs = await Promise.all(
    running.api.map(({ name }) => readFile(join(running.stack.dir, 'logs', `${name}.log`), 'utf8')),
  );
  return logs
    .join('\n')
    .split('\n')
    .filter((line) => wanted.test(line)).length;
}

/**
 * When a listener closes, the kernel resets new connections that wait to be accepted. The client cannot distinguish them from accepted requests
 * that were cut, but the count of accepted requests can.
 */
function isResetInQueue({ kind, reason, reusedConnection }: NonNullable<Outcome['failure']>): boolean {
  return kind === 'cut' && reason === 'ECONNRESET' && !reusedConnection;
}

function isWhole({ status, body, headers }: Outcome): boolean {
  if (status !== 200 && status !== 201) return false;
  if (Buffer.byteLength(body) !== Number(headers['content-length'])) return false;
  const content = JSON.parse(body) as object;
  return status === 200 ? 'data' in content : 'id' in content;
}

function describe(failures: readonly NonNullable<Outcome['failure']>[]): string {
  const kinds = Object.groupBy(
    failures,
    ({ reason, reusedConnection }) => `${reason}${reusedConnection ? ' on a reused connection' : ''}`,
  );
  const parts = Object.entries(kinds).map(([kind, failures]) => `${failures?.length} × ${kind}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}
