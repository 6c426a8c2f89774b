/**
 * The rate limiter across four processes. A flood gets exactly the limit. While Redis is killed, frozen or flushed, no request fails or
 * waits, and all processes together stay within twice the limit.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  flood,
  limitRunTime,
  median,
  type Outcome,
  pace,
  progress,
  quantile,
  readMetrics,
  Report,
  type RunAccount,
  startRunStack,
  waitForPresence,
} from '@tributary/rig';
import { readLimiter, sources, type Waits } from './limiter/waits.ts';

const perSecond = 100;
const burst = 200;
const nodes = 4;
const path = '/v1/users?limit=1';
const short = process.argv.includes('--short');
/** CI machines are shared. There, the short run only shows that nothing is stuck; the full run measures latency. */
const most = short ? { localMs: 25, backMs: 6_000 } : { localMs: 5, backMs: 2_000 };
const report = new Report();

limitRunTime(short ? 5 : 15);
await using running = await startRunStack(nodes);
using client = new Client();
await waitForPresence(running);
await warmUp();

for (let round = 1; round <= (short ? 1 : 3); round += 1) await floodOneKey(round);
await stayBelow();
await disturb(short ? 2 : 10);
report.print(`Rate limiter: ${nodes} processes, ${perSecond}/s, burst ${burst}`);

/** Opens connections, fills caches and compiles code, with a key that no measurement uses. */
async function warmUp(): Promise<void> {
  const { sandbox_key: key } = running.stack.info;
  const call = (connection: number) => ({ node: nodeAt(connection), path, key });
  await flood(client, 8 * nodes, call, AbortSignal.timeout(3_000), () => {});
}

function nodeAt(index: number): string {
  return running.api[index % running.api.length]?.baseUrl ?? '';
}

async function newKey(): Promise<string> {
  const account = await running.tributary<RunAccount>('account', 'create', '--name', 'Flood');
  return account.live_key;
}

async function floodOneKey(round: number): Promise<void> {
  const key = await newKey();
  progress(`flood ${round}: 10 s with one key`);
  const outcomes: Outcome[] = [];
  await flood(
    client,
    8 * nodes,
    (connection) => ({ node: nodeAt(connection), path, key }),
    AbortSignal.timeout(10_000),
    (outcome) => outcomes.push(outcome),
  );
  const sentAt = outcomes.map((outcome) => outcome.sentAt);
  const seconds = (sentAt.reduce((a, b) => Math.max(a, b)) - sentAt.reduce((a, b) => Math.min(a, b))) / 1000;
  const allowed = outcomes.filter(({ status }) => status === 200).length;
  const expected = limit(seconds);
  const off = allowed / expected - 1;
  const title = `flood ${round}`;
  report.note(`${title}: requests`, `${outcomes.length} in ${seconds.toFixed(2)} s`);
  report.bound(
    `${title}: allowed`,
    `${allowed} (${(off * 100).toFixed(2)}%)`,
    `${expected.toFixed(0)} ± 2%`,
    Math.abs(off) <= 0.02,
  );
  const refused = outcomes.filter(({ status }) => status === 429);
  report.bound(
    `${title}: neither 200 nor 429`,
    describeOthers(outcomes),
    'none',
    allowed + refused.length === outcomes.length,
  );
  reportSilent(title, refused);
}

/** A client at nine tenths of the limit is never rejected, whichever processes it reaches. */
async function stayBelow(): Promise<void> {
  const key = await newKey();
  progress('10 s below the limit');
  const outcomes: Outcome[] = [];
  let requestCount = 0;
  await pace(
    client,
    0.9 * perSecond,
    () => ({ node: nodeAt((requestCount += 1)), path, key }),
    AbortSignal.timeout(10_000),
    (outcome) => outcomes.push(outcome),
  );
  const served = outcomes.filter(({ status }) => status === 200).length;
  report.bound(
    `${0.9 * perSecond}/s: served`,
    `${served} of ${outcomes.length}`,
    'all, at least 800',
    served === outcomes.length && served >= 800,
  );
}

function reportSilent(title: string, refused: readonly Outcome[]): void {
  const silent = refused.filter((outcome) => !hasRetryInfo(outcome));
  if (silent[0])
    progress(`429 without the required headers: ${JSON.stringify(silent[0].headers)} ${silent[0].body}`);
  report.bound(
    `${title}: 429 without the required headers`,
    `${silent.length} of ${refused.length}`,
    '0, with at least one 429',
    silent.length === 0 && refused.length > 0,
  );
}

function hasRetryInfo({ headers, body }: Outcome): boolean {
  return (
    Number(headers['retry-after']) >= 1 &&
    /^"key";r=0;t=\d+$/.test(String(headers['ratelimit'])) &&
    headers['ratelimit-policy'] === `"key";q=${burst};w=${burst / perSecond}` &&
    body.includes('"rate_limited"')
  );
}

function describeOthers(outcomes: readonly Outcome[]): string {
  const counts: Record<string, number> = {};
  for (const { status, failure } of outcomes) {
    if (status === 200 || status === 429) continue;
    const name = failure ? `${failure.kind} ${failure.reason}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const parts = Object.entries(counts).map(([name, count]) => `${count} × ${name}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}

/** Kills, freezes and flushes Redis, each `times` times, under a load of eight times the limit. */
async function disturb(times: number): Promise<void> {
  const key = await newKey();
  const before = await readLimiter(running);
  const outcomes: Outcome[] = [];
  const stop = new AbortController();
  let requestCount = 0;
  const load = pace(
    client,
    8 * perSecond,
    () => ({ node: nodeAt((requestCount += 1)), path, key }),
    stop.signal,
    (outcome) => outcomes.push(outcome),
  );
  const opened: Record<string, number[]> = { killed: [], frozen: [] };
  const back: Record<string, number[]> = { killed: [], frozen: [] };
  let trippedByFlush = 0;
  for (let time = 1; time <= times; time += 1) {
    await sleep(1_500);
    const killedAt = performance.now();
    running.stack.engines.redis.signal('SIGKILL');
    opened['killed']?.push((await untilLocal(1)) - killedAt);
    await sleep(1_000);
    const redisBackAt = untilRedisResponds();
    await running.stack.engines.redis.start();
    back['killed']?.push((await untilLocal(0)) - (await redisBackAt));

    await sleep(1_500);
    const frozenAt = performance.now();
    running.stack.engines.redis.signal('SIGSTOP');
    opened['frozen']?.push((await untilLocal(1)) - frozenAt);
    // Every other freeze exceeds the timeout for hanging connections.
    await sleep(time % 2 === 0 ? 3_500 : 1_500);
    const thawedAt = performance.now();
    running.stack.engines.redis.signal('SIGCONT');
    back['frozen']?.push((await untilLocal(0)) - thawedAt);

    await sleep(1_500);
    await sendToRedis('FLUSHALL\r\n', '+OK');
    await sleep(500);
    if (Math.max(...(await localGauges())) > 0) trippedByFlush += 1;
    progress(`Redis killed, frozen, flushed: ${time} of ${times}`);
  }
  await sleep(1_500);
  stop.abort();
  await load;
  const after = await readLimiter(running);

  report.note(`Redis disturbed`, `${times} × killed, frozen, flushed; ${outcomes.length} requests`);
  const strange = outcomes.filter(({ status }) => status !== 200 && status !== 429);
  report.bound('disturbed: neither 200 nor 429', describeOthers(outcomes), 'none', strange.length === 0);
  reportSilent(
    'disturbed',
    outcomes.filter(({ status }) => status === 429),
  );
  for (const how of ['killed', 'frozen']) {
    const [openedMs, backMs] = [opened[how] ?? [], back[how] ?? []];
    report.note(
      `${how}: all nodes in local mode after`,
      `median ${median(openedMs).toFixed(0)}, max ${Math.max(...openedMs).toFixed(0)} ms`,
    );
    report.bound(
      `${how}: all nodes in shared mode again after`,
      `median ${median(backMs).toFixed(0)}, max ${Math.max(...backMs).toFixed(0)} ms`,
      `≤ ${most.backMs} ms`,
      Math.max(...backMs) <= most.backMs,
    );
  }
  report.note('flushed: a node switched to local mode', `${trippedByFlush} of ${times}`);
  reportWaits(before, after, outcomes.length);
  reportAllowed(outcomes);
  const ms = outcomes.map(({ durationMs }) => durationMs);
  report.note(
    'response time at the client',
    `p50 ${median(ms).toFixed(1)}, p99 ${quantile(ms, 0.99).toFixed(1)}, max ${quantile(ms, 1).toFixed(0)} ms`,
  );
}

function reportWaits(before: Waits, after: Waits, requests: number): void {
  let decisions = 0;
  for (const { source, title } of sources) {
    const counts = [...(after[source] ?? [])].map(([upTo, count]): [number, number] => [
      upTo,
      count - (before[source]?.get(upTo) ?? 0),
    ]);
    const total = counts.find(([upTo]) => upTo === Infinity)?.[1] ?? 0;
    decisions += total;
    const p99 = counts.find(([, count]) => count >= 0.99 * total)?.[0] ?? Infinity;
    const figure = `p99 ${p99 === Infinity ? '> 100' : `≤ ${p99 * 1000}`} ms of ${total}`;
    if (source !== 'local') report.note(title, figure);
    else
      report.bound(
        title,
        figure,
        `≤ ${most.localMs} ms, at least 1000`,
        p99 * 1000 <= most.localMs && total >= 1_000,
      );
  }
  // A decision that no source counts would hide its wait.
  report.bound('decisions counted', String(decisions), `${requests}, all requests`, decisions === requests);
}

function reportAllowed(outcomes: readonly Outcome[]): void {
  const times = outcomes
    .filter(({ status }) => status === 200)
    .map(({ sentAt }) => sentAt)
    .sort((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const whole = times.length / limit(seconds);
  // A limiter that rejects every request would satisfy all upper bounds.
  report.bound(
    `allowed over the whole run (${seconds.toFixed(0)} s)`,
    `${times.length}, ${whole.toFixed(2)} × the limit`,
    '0.7 × to 2 ×',
    whole <= 2 && whole >= 0.7,
  );
  for (const window of [1, 2, 5, 10]) {
    const allowed = mostWithin(times, window * 1000);
    report.bound(
      `max allowed in ${window} s`,
      `${allowed}, ${(allowed / limit(window)).toFixed(2)} × the limit`,
      `≤ ${2 * limit(window)}`,
      allowed <= 2 * limit(window),
    );
  }
}

/** The number of requests that one key may make within this many seconds. */
function limit(seconds: number): number {
  return burst + perSecond * seconds;
}

function mostWithin(sorted: readonly number[], windowMs: number): number {
  let most = 0;
  let from = 0;
  for (const [at, time] of sorted.entries()) {
    while (time - (sorted[from] ?? time) > windowMs) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

async function localGauges(): Promise<number[]> {
  return Promise.all(
    running.api.map(async (node) => (await readMetrics(node)).get('tributary_limiter_local') ?? 0),
  );
}

/** Returns the time at which every node was first seen in this mode. Throws if that does not happen. */
async function untilLocal(value: 0 | 1): Promise<number> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    if ((await localGauges()).every((gauge) => gauge === value)) return performance.now();
    await sleep(20);
  }
  throw new Error(
    value === 1
      ? 'A circuit breaker stayed closed without Redis.'
      : 'A circuit breaker stayed open for 10 s with Redis.',
  );
}

async function untilRedisResponds(): Promise<number> {
  for (;;) {
    const isUp = await sendToRedis('PING\r\n', '+PONG').then(
      () => true,
      () => false,
    );
    if (isUp) return performance.now();
    await sleep(5);
  }
}

async function sendToRedis(command: string, expected: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: running.stack.engines.redis.port });
  try {
    await once(socket, 'connect');
    socket.write(command);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    if (!reply.toString().startsWith(expected))
      throw new Error(`Unexpected Redis reply: ${reply.toString()}`);
  } finally {
    socket.destroy();
  }
}
